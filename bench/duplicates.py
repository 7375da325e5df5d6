"""Duplicate deals between any choosers of moves: the same cards for every rotation of the seats."""

import hashlib
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from games.engine.base import JSON, Result
from games.indian.game import GAME as INDIAN
from games.indian.rules.ruleset import RuleSet

Chooser = Callable[[Mapping[str, Any], int, random.Random], Mapping[str, JSON]]


@dataclass
class Measured:
    """The results of the first player, who plays each deal once in every seat."""

    nets: list[float] = field(default_factory=list)  # mean of each deal's rotations
    won: float = 0
    matches: int = 0
    deals: int = 0
    seconds: list[list[float]] = field(default_factory=lambda: [[], []])

    def note(self, place: int, seat: int, seconds: float) -> None:
        self.seconds[seat != place].append(seconds)

    @property
    def net(self) -> float:
        return sum(self.nets) / len(self.nets)

    @property
    def margin(self) -> float:
        """Half of the 95 % interval of the mean."""
        mean = self.net
        deals = len(self.nets)
        variance = sum((net - mean) ** 2 for net in self.nets) / max(1, deals - 1)
        return 1.96 * math.sqrt(variance / deals)

    @property
    def share(self) -> float:
        return self.won / self.matches

    @property
    def share_margin(self) -> float:
        """The same of the share of deals won, by the normal approximation."""
        return 1.96 * math.sqrt(self.share * (1 - self.share) / self.matches)


def net_points(result: Result, seat: int) -> float:
    """Return the seat's net points. Winners share the losers' payments."""
    if seat not in result.winners:
        return -result.points[seat]
    paid = sum(lost for loser, lost in result.points.items() if loser not in result.winners)
    return paid / len(result.winners)


def measure(
    first: Chooser,
    others: Chooser,
    *,
    rules: RuleSet,
    seats: int,
    seed: int,
    seconds: float,
) -> Measured:
    """`first` against `others` in all other seats, for so many seconds of processor time."""
    measured = Measured()
    began = time.process_time()
    for number in count():
        total = 0.0
        for place in range(seats):
            result = played(
                [first if seat == place else others for seat in range(seats)],
                rules,
                f"{seed}/{number}",
                partial(measured.note, place),
            )
            total += net_points(result, place)
            measured.won += (place in result.winners) / len(result.winners)
            measured.matches += 1
        measured.nets.append(total / seats)
        if time.process_time() - began > seconds:
            break
    return measured


def played(
    choosers: Sequence[Chooser],
    rules: RuleSet,
    name: str,
    report: Callable[[int, float], None] | None = None,
) -> Result:
    match = INDIAN.core.start(
        rules=rules, seats=tuple(range(len(choosers))), toss=False, seed=_seed(name, 0), now=0
    ).state
    rngs = [random.Random(f"{name}/{seat}") for seat in range(len(choosers))]  # noqa: S311 - repeats
    written = INDIAN.rules.json(rules)
    now = 0
    while INDIAN.core.status(match).result is None:
        seed = _seed(name, INDIAN.core.status(match).deals)
        acting = INDIAN.core.status(match).acting
        if not acting:
            now = INDIAN.core.status(match).deadline or now
            match = INDIAN.core.expire(match, now=now, seed=seed).state
            continue
        seat = acting[0]
        view = {
            "public": INDIAN.view.public(match),
            "you": INDIAN.view.private(match, seat),
            "rules": written,
        }
        began = time.process_time()
        wire = choosers[seat](view, seat, rngs[seat])
        took = time.process_time() - began
        if report is not None:
            report(seat, took)
        now += 1_000
        match = INDIAN.core.play(match, seat, INDIAN.wire.read(wire), now=now, seed=seed).state
    result = INDIAN.core.status(match).result
    assert result is not None  # noqa: S101 - the loop ran until there was one
    return result


def _seed(name: str, deal: int) -> bytes:
    return hashlib.sha256(f"{name}/{deal}".encode()).digest()
