"""Notices to a person's open pages, sent through the channel layer after the commit.

A commit does not wait for them: a background thread sends them.
"""

import asyncio
import logging
import os
import threading
from collections.abc import Iterable
from typing import Any

from channels.layers import get_channel_layer

from core.after_commit import call_after_commit, send_in_background

logger = logging.getLogger(__name__)

# Changes of one person within this time become one notice.
PAUSE_SECONDS = 0.05
SENT_AT_ONCE = 1_000


def group_of(user_id: int) -> str:
    """The group of all sockets of a person."""
    return f"user.{user_id}"


async def tell(user_id: int, message: dict[str, Any]) -> None:
    """Send `message`, an object with a `type`, to every open page of this person.

    Raises RedisError or OSError if the channel layer does not answer.
    """
    layer = get_channel_layer()
    assert layer is not None  # noqa: S101 - the settings name one
    await layer.group_send(group_of(user_id), {"type": "me.message", "message": message})


class PageNotifier:
    """Keeps who is to be told for a moment.

    What is kept when the process ends is lost, as a hint may be.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, set[int]] = {}

    def take(self, user_ids: Iterable[int], kind: str) -> None:
        """Never waits and never fails."""
        with self._lock:
            is_first = not self._waiting
            self._waiting.setdefault(kind, set()).update(user_ids)
        if is_first:
            send_in_background(self._send)

    async def _send(self) -> None:
        await asyncio.sleep(PAUSE_SECONDS)
        with self._lock:
            taken, self._waiting = self._waiting, {}
        for kind, user_ids in taken.items():
            told = sorted(user_ids)
            for start in range(0, len(told), SENT_AT_ONCE):
                await _hint(told[start : start + SENT_AT_ONCE], kind)


async def _hint(user_ids: list[int], kind: str) -> None:
    telling = (tell(user_id, {"type": kind}) for user_id in user_ids)
    failed = [one for one in await asyncio.gather(*telling, return_exceptions=True) if one]
    if failed:
        logger.warning("%s hints not sent: %r", len(failed), failed[0])


_sender = PageNotifier()


def hint_after_commit(user_ids: Iterable[int], kind: str) -> None:
    """Send the hint of `hint_soon` once the current transaction has committed."""
    call_after_commit(hint_soon, user_ids, kind)


def hint_soon(user_ids: Iterable[int], kind: str) -> None:
    """Send `{"type": kind}` to every open page of these people in a moment, once for several.

    Without the channel layer, or when the process ends, it is lost. In a transaction use
    `hint_after_commit`.
    """
    _sender.take(user_ids, kind)


def _begin_anew() -> None:
    """Threads and locks do not come along into a forked process."""
    global _sender  # noqa: PLW0603 - one for each process
    _sender = PageNotifier()


os.register_at_fork(after_in_child=_begin_anew)
