"""The number of workers of each queue that is enough for a day, found by trying."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from bench.day.schedule import Job, a_day

MOST_PROCESSES: Final = 64
# What must not become of a job, and what is said of workers by which it does not.
GOALS: Final[Mapping[str, frozenset[str]]] = {
    "nothing is left over at night": frozenset({"behind"}),
    "nothing is late in the evening": frozenset({"behind", "late"}),
}


def enough(
    jobs: Sequence[Job], concurrency: Mapping[str, int], wrong: frozenset[str]
) -> dict[str, int]:
    """By queue the least number of processes, of `concurrency` places each, with which as few of its jobs
    end in a `wrong` way as with the most of them. A queue has workers of its own, so that each is
    looked at by itself."""
    return {
        queue: _least(_counting(jobs, queue, places, wrong), MOST_PROCESSES)
        for queue, places in concurrency.items()
    }


def _counting(
    jobs: Sequence[Job], queue: str, places: int, wrong: frozenset[str]
) -> Callable[[int], int]:
    mine = [job for job in jobs if job.queue == queue]

    @cache
    def count(processes: int) -> int:
        told = a_day(mine, {queue: processes * places})
        return sum(told[job.name].verdict(job) in wrong for job in mine)

    return count


def _least(count: Callable[[int], int], most: int) -> int:
    """Return the least number that is enough, where more are never worse."""
    best = count(most)
    low, high = 0, 1
    while high < most and count(high) > best:
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if count(middle) <= best else (middle, high)
    return high
