"""Notices to a person's open pages, sent through Redis after the commit.

A commit does not wait for Redis: a background thread sends the notices.
"""

import logging
import os
import threading
import time
from collections.abc import Iterable
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from core.circuit_breaker import CircuitBreaker


def group_of(user_id: int) -> str:
    """The group of all sockets of a person."""
    return f"user.{user_id}"


async def tell(user_id: int, message: dict[str, Any]) -> None:
    """Send `message`, an object with a `type`, to every open page of this person.

    Raises RedisError or OSError without Redis.
    """
    layer = get_channel_layer()
    assert layer is not None  # noqa: S101 - the settings name one
    await layer.group_send(group_of(user_id), {"type": "me.message", "message": message})


tell_from_thread = async_to_sync(tell)


logger = logging.getLogger(__name__)

# Collected for this long, so that many changes of one person are one hint.
PAUSE_SECONDS = 0.05
SENT_AT_ONCE = 1_000
SECONDS_TO_ANSWER = 2
# After a failure.
SECONDS_LEFT_ALONE = 1
# One command for many people, most of whom have no page open.
_PUBLISH = "for i = 2, #ARGV do redis.call('PUBLISH', ARGV[i], ARGV[1]) end"
# As channels_redis names the channel of a group.
_CHANNEL = "asgi__group__"


class PageNotifier:
    """Keeps who is to be told, and one thread that tells them.

    What is kept when the process ends is lost, as a hint may be.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_there = threading.Event()
        self._waiting: dict[str, set[int]] = {}
        self._thread: threading.Thread | None = None

    def take(self, user_ids: Iterable[int], kind: str) -> None:
        """Never waits and never fails."""
        with self._lock:
            self._waiting.setdefault(kind, set()).update(user_ids)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="notices", daemon=True)
                self._thread.start()
        self._is_there.set()

    def _run(self) -> None:
        server = _Server()
        while True:
            self._is_there.wait()
            time.sleep(PAUSE_SECONDS)
            self._is_there.clear()
            with self._lock:
                taken, self._waiting = self._waiting, {}
            for kind, user_ids in taken.items():
                server.send([_CHANNEL + group_of(user_id) for user_id in sorted(user_ids)], kind)


class _Server:
    """Redis. If it does not answer, it delays notices once in SECONDS_LEFT_ALONE."""

    def __init__(self) -> None:
        self._redis: Any = Redis.from_url(
            settings.PRESENCE_REDIS_URL,
            socket_timeout=SECONDS_TO_ANSWER,
            socket_connect_timeout=SECONDS_TO_ANSWER,
        )
        self._breaker = CircuitBreaker(SECONDS_LEFT_ALONE)

    def send(self, channels: list[str], kind: str) -> None:
        """Never fails."""
        if not self._breaker.allows():
            return
        try:
            layer: Any = get_channel_layer()
            message = layer.serialize({"type": "me.message", "message": {"type": kind}})
            for start in range(0, len(channels), SENT_AT_ONCE):
                self._redis.eval(_PUBLISH, 0, message, *channels[start : start + SENT_AT_ONCE])
        except (RedisError, OSError) as error:
            self._breaker.fail()
            logger.warning("%s hints not sent: %s", len(channels), error)
        except Exception:  # the thread is for the life of the process
            logger.exception("hints not sent")
        else:
            self._breaker.succeed()


_sender = PageNotifier()


def hint_soon(user_ids: Iterable[int], kind: str) -> None:
    """Send `{"type": kind}` to every open page of these people in a moment, once for several.

    Without Redis, or when the process ends, it is lost. Call it after the commit.
    """
    _sender.take(user_ids, kind)


def _begin_anew() -> None:
    """Threads and locks do not come along into a forked process."""
    global _sender  # noqa: PLW0603 - one for each process
    _sender = PageNotifier()


os.register_at_fork(after_in_child=_begin_anew)
