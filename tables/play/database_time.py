"""An estimate of the database's time, for use between two answers of the database."""

import time
from typing import Final

from games.engine.base import Instant

# An answer is used for at least this long and at most twice as long. Clocks drift by a few milliseconds until then.
PERIOD: Final[Instant] = 10_000


class DatabaseTime:
    """Estimates the database's time from the times in its answers.

    Every answer is delayed on its way, some more and some less. The one with the least delay is therefore used. The
    estimate is behind by that delay, and never ahead.
    """

    def __init__(self) -> None:
        # The period of the last answer; the largest difference of the clocks in the period before, and in that one.
        self._known: tuple[int, Instant | None, Instant] | None = None

    def record(self, now: Instant) -> None:
        """Record the database's time from an answer that has just arrived."""
        here = _read_clock()
        period, ahead, known = here // PERIOD, now - here, self._known
        if known is None or period > known[0] + 1:
            self._known = period, None, ahead
        elif period == known[0] + 1:
            self._known = period, known[2], ahead
        elif ahead > known[2]:
            self._known = period, known[1], ahead

    def estimate(self) -> Instant | None:
        """Return the database's time, or None if no answer is recent enough."""
        here, known = _read_clock(), self._known
        if known is None or here // PERIOD > known[0] + 1:
            return None
        _period, before, ahead = known
        return here + (ahead if before is None else max(before, ahead))


def _read_clock() -> Instant:
    return time.monotonic_ns() // 1_000_000


database_time: Final = DatabaseTime()
