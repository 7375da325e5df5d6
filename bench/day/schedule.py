"""A day of jobs, second by second: what beat sends, what workers have room for, what is left waiting.

Nothing of Django is in here. A job takes `fixed` seconds and what its work takes; while it runs it
has one place of its queue's workers. A message that waits longer than its `expires` is thrown away,
as Celery does. All places are taken to have a core of their own.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf

SECONDS_A_DAY = 86_400
HOURS = 24
# A part that does not count.
NOISE = 0.01
LEAST = 1e-6  # of an item
# Of work that several runs share, each takes so many seconds' worth before it looks again.
SHARED_AT_ONCE = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """`comes`: items in each hour of the day; `each`: seconds of work for one of them.

    A run does `most` items at most, and begins no further one after `within` seconds. Runs of one job at
    one moment do its work together if it is `shared`; otherwise the second one finds that there is
    another and ends at once.
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
    """The state of a job at the end of the day. Items, unless another unit is named."""

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
class _Run:
    job: Job
    stops: float  # begins nothing after this
    items: float  # that it is at


class _Workers:
    """Those of some queues: who has a place free takes what has waited longest, of each queue in turn."""

    def __init__(self, queues: Sequence[str], places: int) -> None:
        self.places = places
        self.waiting: dict[str, deque[tuple[float, Job]]] = {name: deque() for name in queues}
        self.turns = deque(queues)
        self.running: list[tuple[float, int, _Run]] = []  # a heap, by when they are done
        self.begun = 0
        self.busy: Counter[str] = Counter()  # runs, by job
        self.taken: defaultdict[str, float] = defaultdict(float)  # items that somebody is at

    def next_message(self) -> tuple[float, Job] | None:
        for _ in range(len(self.turns)):
            name = self.turns[0]
            self.turns.rotate(-1)
            if self.waiting[name]:
                return self.waiting[name].popleft()
        return None

    def go_on(self, run: _Run, now: float, seconds: float, items: float) -> None:
        run.items = items
        self.taken[run.job.name] += items
        self.begun += 1
        heappush(self.running, (now + seconds, self.begun, run))


def a_day(jobs: Sequence[Job], places: Mapping[str, int]) -> dict[str, Done]:
    """By name of the job; `places`: processes times their concurrency, by the queues that they work at,
    as `--queues` has them: "live", "slow,history"."""
    all_workers = [_Workers(names.split(","), number) for names, number in places.items()]
    of_queue = {name: workers for workers in all_workers for name in workers.waiting}
    told = {job.name: Done() for job in jobs}
    arrivals = {job.name: _Arrivals() for job in jobs if job.each}
    for second in range(SECONDS_A_DAY):
        for job in jobs:
            amount = job.comes[second // 3600] / 3600
            if amount:
                told[job.name].came += amount
                if job.each:
                    arrivals[job.name].add(second, told[job.name].came)
            if second % max(1, round(job.period)) == 0:
                of_queue[job.queue].waiting[job.queue].append((second, job))
        for workers in all_workers:
            _work(workers, second, told)
        for name, came in arrivals.items():
            done = told[name]
            done.longest_wait = max(done.longest_wait, came.age(second, done.done))
    return told


def _work(workers: _Workers, second: float, told: Mapping[str, Done]) -> None:
    """All that begins and ends within this second."""
    now = second
    while True:
        while workers.running and workers.running[0][0] <= now:
            _until, _number, run = heappop(workers.running)
            _end(workers, run, now, told[run.job.name])
        while len(workers.running) < workers.places and (message := workers.next_message()):
            sent, job = message
            _begin(workers, sent, job, now, told[job.name])
        ends = workers.running[0][0] if workers.running else inf
        if ends >= second + 1:
            return
        now = ends


def _begin(workers: _Workers, sent: float, job: Job, now: float, done: Done) -> None:
    """If it is not too old and nobody else is at its work."""
    if now - sent > job.expires:
        done.expired += 1
        return
    if not job.each:
        done.longest_wait = max(done.longest_wait, now - sent)
    done.runs += 1
    if workers.busy[job.name] and not job.shared:
        return
    workers.busy[job.name] += 1
    items = _next_items(workers, job, done)
    run = _Run(job, now + job.fixed + job.within, items)
    workers.go_on(run, now, job.fixed + items * job.each, items)


def _end(workers: _Workers, run: _Run, now: float, done: Done) -> None:
    """Of the run, or of what it has taken of the work that it shares with others."""
    job = run.job
    done.done += run.items
    workers.taken[job.name] -= run.items
    if job.shared and now < run.stops and (items := _next_items(workers, job, done)):
        workers.go_on(run, now, items * job.each, items)
    else:
        workers.busy[job.name] -= 1


def _next_items(workers: _Workers, job: Job, done: Done) -> float:
    """Return the number of items there are, and of those taken at once."""
    there = max(0.0, done.left - workers.taken[job.name])
    if there < LEAST:
        return 0.0
    if not job.each:
        return min(there, job.most)
    seconds = max(SHARED_AT_ONCE, job.each) if job.shared else job.within
    return min(there, job.most, seconds / job.each)


class _Arrivals:
    """The age of the oldest item that is not done, by minutes, as seconds make no difference."""

    def __init__(self) -> None:
        self.marks: deque[tuple[float, float]] = deque()

    def add(self, second: float, came: float) -> None:
        if not self.marks or second - self.marks[-1][0] >= 1:
            self.marks.append((second, came))

    def age(self, now: float, done: float) -> float:
        while self.marks and self.marks[0][1] <= done + 1e-6:
            self.marks.popleft()
        return now - self.marks[0][0] if self.marks else 0.0
