"""The database's time as a process knows it between two answers of the database."""

import time
from typing import Final

from games.engine.base import Instant

# How long an answer counts, at least and at most twice as long. Clocks drift by a few milliseconds until then.
PERIOD: Final[Instant] = 10_000


class DatabaseTime:
    """Estimates the database's time from its answers.

    An answer arrives late, by more or by less, and never early. So the quickest of the last ones counts, and the
    estimate is behind by its way, and never ahead.
    """

    def __init__(self) -> None:
        # The period of the last answer, and the largest difference of clocks in the period before it and in it.
        self._known: tuple[int, Instant | None, Instant] | None = None

    def record(self, now: Instant) -> None:
        """Record an answer that has just arrived."""
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
