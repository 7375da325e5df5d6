"""Figures that everybody sees and that take long to count once there is much to count.

A small site counts each time. On a large one the last figure is shown for a few seconds, and then one
process counts anew while the others go on showing it.
"""

import time
from collections.abc import Callable
from typing import Final, TypeVar

from django.core.cache import cache

# What counts no more than this is counted each time.
SMALL: Final = 2_000
SHOWN_FOR_SECONDS: Final = 10
# A process that has died while it counted keeps the others from it for so long.
_COUNTS_FOR_SECONDS: Final = 30
_FORGOTTEN_AFTER_SECONDS: Final = 300

Counted = TypeVar("Counted")


def crowded(key: str, count: Callable[[], Counted], *, size: Callable[[Counted], int]) -> Counted:
    """Return what `count` returns, now or some seconds ago; `size` tells whether it is much.

    The cache keeps it as JSON: tuples come back as lists.
    """
    kept: tuple[float, Counted] | None = cache.get(key)
    if kept is not None:
        counted_at, last = kept
        # The clock of another machine may be ahead.
        is_fresh = abs(time.time() - counted_at) < SHOWN_FOR_SECONDS
        if is_fresh or not cache.add(f"{key}:counting", 1, _COUNTS_FOR_SECONDS):
            return last
    counted = count()
    if size(counted) > SMALL:
        cache.set(key, (time.time(), counted), _FORGOTTEN_AFTER_SECONDS)
    else:
        cache.delete(key)
    cache.delete(f"{key}:counting")
    return counted
