"""Limits on the requests of one socket, one person or one address: buckets that refill.

They are kept in the memory of a process. A client spread over several processes has as much at
each.
"""

import time
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final

from core.throttling import HOUSEHOLD, network_of

# What more keys push out is forgotten: who was last heard of longest ago begins with a full bucket.
KEYS_KEPT: Final = 20_000


@dataclass(frozen=True, slots=True)
class Rate:
    a_second: float
    at_once: int


@dataclass(slots=True)
class Bucket:
    left: float
    filled_at: float

    @classmethod
    def full(cls, rate: Rate) -> "Bucket":
        return cls(rate.at_once, time.monotonic())

    def take(self, rate: Rate, cost: int = 1) -> bool:
        """One more; False if that is too many."""
        if not self.has_room(rate):
            return False
        self.left -= cost
        return True

    def has_room(self, rate: Rate) -> bool:
        now = time.monotonic()
        earned = (now - self.filled_at) * rate.a_second
        self.left = min(float(rate.at_once), self.left + earned)
        self.filled_at = now
        return self.left >= 1


class Budget:
    """A bucket for each key."""

    def __init__(self, *, a_second: float, at_once: int) -> None:
        self.rate = Rate(a_second, at_once)
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, key: Hashable, cost: int = 1) -> bool:
        """One more for this key; False if that is too many. What costs more leaves a debt."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket.full(self.rate)
            if len(self._buckets) > KEYS_KEPT:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket.take(self.rate, cost)

    def has_room(self, key: Hashable) -> bool:
        """Return whether one more would be accepted now."""
        bucket = self._buckets.get(key)
        return bucket is None or bucket.has_room(self.rate)

    def forget(self) -> None:
        self._buckets.clear()


# Of all sockets of a player, and of everybody without an account behind an address.
FRAMES_OF_A_PLAYER: Final = Budget(a_second=30, at_once=120)
FRAMES_OF_AN_ADDRESS: Final = Budget(a_second=100, at_once=400)
HELLOS: Final = Budget(a_second=1, at_once=20)
QUESTIONS: Final = Budget(a_second=0.5, at_once=10)
# How often somebody who is not known to have a seat is looked up all the same.
SEATS_LOOKED_UP: Final = Budget(a_second=0.2, at_once=3)
# Frames of one socket. Who watches has nothing to say but that they are there.
OF_A_PLAYERS_SOCKET: Final = Rate(a_second=10, at_once=30)
OF_A_WATCHERS_SOCKET: Final = Rate(a_second=2, at_once=10)
BAD_FRAMES_ALLOWED: Final = 20
# After so many the next frame is read later: who floods waits, and costs the others nothing.
BAD_FRAMES_AT_ONCE: Final = 3
SECONDS_SLOWED: Final = 1.0


def address_of(scope: Any) -> str:
    """Return the address of a connection, as uvicorn determines it (FORWARDED_ALLOW_IPS)."""
    client = scope.get("client")
    if client is None:
        return ""  # a unix socket
    return network_of(client[0], HOUSEHOLD) or str(client[0])


def guest_of(scope: Any) -> tuple[str, Any]:
    """Return the key of a shared limit: a player's sockets, or all without an account at an address."""
    user = scope.get("user")
    if user is None or user.pk is None:
        return "from", address_of(scope)
    return "player", user.pk
