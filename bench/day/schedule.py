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
# A part that does not count.
NOISE = 0.01


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

    def verdict(self, job: Job) -> str:
        """`keeps up`; `late` if something waits for longer than two runs and a minute; `behind` if
        at midnight more is left than two runs find. One that looks at what is there is `behind` if
        of its messages more than one in a hundred is too old."""
        due = self.came * NOISE + 1 + 2 * job.period * job.comes[-1] / 3600
        is_too_old = not job.each and self.expired > NOISE * (self.runs + self.expired)
        if self.left > due or is_too_old:
            return "behind"
        return "late" if self.longest_wait > 2 * job.period + 60 else "keeps up"


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
            _work(queue, second, told)
        for job in jobs:
            waits = arrivals[job.name].age(second, told[job.name].done)
            told[job.name].longest_wait = max(told[job.name].longest_wait, waits)
    return told


def _work(queue: _Queue, second: float, told: Mapping[str, Done]) -> None:
    """All that begins and ends within this second."""
    now = second
    while True:
        for run in [run for run in queue.running if run.until <= now]:
            queue.running.remove(run)
            told[run.job.name].done += run.items
        while queue.waiting and len(queue.running) < queue.places:
            _begin(queue, now, told)
        ends = min((run.until for run in queue.running), default=inf)
        if ends >= second + 1:
            return
        now = ends


def _begin(queue: _Queue, now: float, told: Mapping[str, Done]) -> None:
    """The message that has waited longest, if it is not too old and nobody else is at its work."""
    sent, job = queue.waiting.popleft()
    done = told[job.name]
    if now - sent > job.expires:
        done.expired += 1
        return
    if not job.each:
        done.longest_wait = max(done.longest_wait, now - sent)
    done.runs += 1
    others = [run for run in queue.running if run.job is job]
    if others and not job.shared:
        return
    there = done.left - sum(run.items for run in others)
    in_time = job.within / job.each if job.each else inf
    items = max(0.0, min(there, job.most, in_time))
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
