"""A day of jobs, second by second: what beat sends, what workers have room for, what is left waiting.

Nothing of Django is in here. A job takes `fixed` seconds and what its work takes; while it runs it
has one place of its queue's workers. A message that waits longer than its `expires` is thrown away,
as Celery does. All places are taken to have a core of their own.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

SECONDS_A_DAY = 86_400
HOURS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """`comes`: items in each hour of the day; `each`: seconds of work for one of them.

    A run does `most` items at most, and begins no further one after `within` seconds. Runs of which
    one at a time works are not `shared`: a second one finds that and ends at once.
    """

    name: str
    queue: str
    period: float
    expires: float
    fixed: float = 0.0
    comes: Sequence[float] = (0.0,) * HOURS
    each: float = 0.0
    most: float = inf
    within: float = inf
    shared: bool = False

    @property
    def most_a_second(self) -> float:
        return max(self.comes) / 3600

    @property
    def can_do(self) -> float:
        """Items a second by runs that follow the schedule, one at a time, if nothing is in their
        way."""
        if not self.each and self.most == inf:
            return inf
        run = min(self.most, self.within / self.each if self.each else inf)
        if run == inf:
            return 1 / self.each
        # Who has not ended when the next one is due is in its way.
        return run / max(self.period, self.fixed + run * self.each)


@dataclass(slots=True)
class Done:
    """What became of a job by the end of the day. Items, except where it says otherwise."""

    came: float = 0.0
    done: float = 0.0
    runs: int = 0
    expired: int = 0  # messages
    longest_wait: float = 0.0  # seconds, of the oldest item or of a message, whichever is longer

    @property
    def left(self) -> float:
        return self.came - self.done


@dataclass(slots=True)
class _Running:
    job: Job
    until: float
    items: float


@dataclass(slots=True)
class _Queue:
    places: int
    waiting: deque[tuple[float, Job]] = field(default_factory=deque)
    running: list[_Running] = field(default_factory=list)


def a_day(jobs: Sequence[Job], places: Mapping[str, int]) -> dict[str, Done]:
    """By name of the job; `places` by queue: processes times their concurrency."""
    queues = {name: _Queue(number) for name, number in places.items()}
    told = {job.name: Done() for job in jobs}
    arrivals = {job.name: _Arrivals() for job in jobs}
    for second in range(SECONDS_A_DAY):
        for job in jobs:
            amount = job.comes[second // 3600] / 3600
            if amount:
                told[job.name].came += amount
                arrivals[job.name].add(second, told[job.name].came)
            if second % max(1, round(job.period)) == 0:
                queues[job.queue].waiting.append((second, job))
        for queue in queues.values():
            _end(queue, second, told)
            _begin(queue, second, told)
        for job in jobs:
            waits = arrivals[job.name].age(second, told[job.name].done)
            told[job.name].longest_wait = max(told[job.name].longest_wait, waits)
    return told


def _end(queue: _Queue, now: float, told: Mapping[str, Done]) -> None:
    for run in [run for run in queue.running if run.until <= now]:
        queue.running.remove(run)
        told[run.job.name].done += run.items


def _begin(queue: _Queue, now: float, told: Mapping[str, Done]) -> None:
    while queue.waiting and len(queue.running) < queue.places:
        sent, job = queue.waiting.popleft()
        done = told[job.name]
        if now - sent > job.expires:
            done.expired += 1
            continue
        done.longest_wait = max(done.longest_wait, now - sent if not job.each else 0.0)
        others = [run for run in queue.running if run.job is job]
        done.runs += 1
        if others and not job.shared:
            continue  # another one works
        taken = sum(run.items for run in others)
        items = min(done.left - taken, job.most, job.within / job.each if job.each else inf)
        items = max(0.0, items)
        queue.running.append(_Running(job, now + job.fixed + items * job.each, items))


class _Arrivals:
    """How old the oldest item is that is not done: by minutes, as seconds make no difference."""

    def __init__(self) -> None:
        self.marks: deque[tuple[float, float]] = deque()

    def add(self, second: float, came: float) -> None:
        if not self.marks or second - self.marks[-1][0] >= 1:
            self.marks.append((second, came))

    def age(self, now: float, done: float) -> float:
        while self.marks and self.marks[0][1] <= done + 1e-6:
            self.marks.popleft()
        return now - self.marks[0][0] if self.marks else 0.0
