"""The database's time without asking it: deadlines are compared by that clock alone.

The heartbeat of this process measures how far its own clock is off.
"""

import time

from games.engine.base import Instant

_offset = 0


def set_to(now: Instant) -> None:
    """Take note of the database's time, just read."""
    global _offset  # noqa: PLW0603 - one measurement for the whole process
    _offset = now - time.time_ns() // 1_000_000


def now() -> Instant:
    return time.time_ns() // 1_000_000 + _offset
