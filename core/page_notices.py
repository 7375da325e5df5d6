"""Notices to a person's open pages, sent through the channel layer after the commit.

A background thread sends them, so that no commit waits.
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


def name_group(user_id: int) -> str:
    """Return the name of the group of all sockets of a person."""
    return f"user.{user_id}"


async def notify_pages(user_id: int, message: dict[str, Any]) -> None:
    """Send `message`, an object with a `type`, to all open pages of a person.

    Raises RedisError or OSError if the channel layer does not answer.
    """
    layer = get_channel_layer()
    assert layer is not None  # noqa: S101 - the settings name one
    await layer.group_send(name_group(user_id), {"type": "me.message", "message": message})


class PageNotifier:
    """Collects notices for a moment and sends them together.

    Notices that have not been sent when the process ends are lost. They are only hints.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, set[int]] = {}

    def take(self, user_ids: Iterable[int], kind: str) -> None:
        """Add a notice. Never waits and never fails."""
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
    telling = (notify_pages(user_id, {"type": kind}) for user_id in user_ids)
    failed = [one for one in await asyncio.gather(*telling, return_exceptions=True) if one]
    if failed:
        logger.warning("%s hints not sent: %r", len(failed), failed[0])


_sender = PageNotifier()


def hint_after_commit(user_ids: Iterable[int], kind: str) -> None:
    """Send the notice as `hint_soon` does, after the current transaction commits."""
    call_after_commit(hint_soon, user_ids, kind)


def hint_soon(user_ids: Iterable[int], kind: str) -> None:
    """Send `{"type": kind}` soon to all open pages of these people.

    A call that repeats a notice before it is sent adds nothing. The notice is lost if the channel layer is down or the
    process ends. In a transaction use `hint_after_commit`.
    """
    _sender.take(user_ids, kind)


def _start_empty() -> None:
    """Reset this module after a fork, which does not copy threads and may copy a lock that is held."""
    global _sender  # noqa: PLW0603 - one for each process
    _sender = PageNotifier()


os.register_at_fork(after_in_child=_start_empty)
