"""What a day of many players brings to each job of the schedule, and the workers that it needs.

How often and on which queue is read from the settings, how much in a run from the jobs' own modules.
What people do in a day is assumed, in one place: `Habits`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from accounts.people.exports import MADE_AT_ONCE
from accounts.people.guests import A_DAY
from config.account_data.closing import REMOVED_AT_ONCE
from config.settings.schedule import CELERY_BEAT_SCHEDULE, CELERY_TASK_ROUTES, LIVE
from core.emails.sending import SECONDS_A_RUN as EMAILS_FOR
from tables.history import archiving
from tables.history.analysing import TAKES_FOR as ANALYSES_FOR
from tables.history.fairplay.tracing import SECONDS_A_RUN as TRACES_FOR
from tables.ranking.ratings import SECONDS_A_RUN as COUNTS_FOR
from wallet.bonuses.services import SECONDS_A_RUN as BONUSES_FOR
from wallet.deposits.refunds import SENT_AT_ONCE as REFUNDS_AT_ONCE
from wallet.deposits.services import EXPIRED_AT_ONCE
from wallet.ledger.checks import SEALED_A_RUN
from wallet.ledger.checks import SECONDS_A_RUN as CHECKS_FOR
from wallet.ledger.holds import REAPED_AT_ONCE
from wallet.withdrawals.payouts import SENT_AT_ONCE as PAYOUTS_AT_ONCE

HOURS: Final = 24
# Of the most players at once, by hour; evenings are full.
HOUR_BY_HOUR: Final = (
    .26, .18, .13, .10, .09, .11, .15, .21, .28, .35, .41, .46,
    .51, .54, .52, .50, .52, .58, .67, .80, .93, 1., .84, .48,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """Of `players` at once when most are there. A visit and what comes of it are assumptions."""

    players: int
    seats: int = 4
    seconds_of_a_match: float = 180
    hours_of_a_visit: float = 1.5
    transfers_of_a_match: float = 6
    traced: float = 0.5  # of all matches: practice is not
    # Of the people of a day.
    emails: float = 0.1
    sessions: float = 0.2
    holds: float = 0.05
    analyses: float = 0.02
    exports: float = 0.0002
    payouts: float = 0.01
    refunds: float = 0.0002
    unpaid: float = 0.01
    bonuses: float = 0.1

    @property
    def matches_a_second(self) -> float:
        return self.players / self.seats / self.seconds_of_a_match

    @property
    def people_of_a_day(self) -> float:
        return self.players * sum(HOUR_BY_HOUR) / self.hours_of_a_visit

    def matches(self, part: float = 1.0) -> Sequence[float]:
        """Return the matches of each hour of the day."""
        return [3600 * self.matches_a_second * part * share for share in HOUR_BY_HOUR]

    def people(self, part: float) -> Sequence[float]:
        return spread(self.people_of_a_day * part)


def spread(whole: float) -> Sequence[float]:
    """Return the arrivals of a day by its hours."""
    return [whole * share / sum(HOUR_BY_HOUR) for share in HOUR_BY_HOUR]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The work of a job: items of a day, and the most that one run does, in items and in seconds.

    Runs of one job do its work together if it is `shared`; otherwise one run at a time does it.
    """

    comes: Callable[[Habits], Sequence[float]] = lambda _habits: (0.0,) * HOURS
    most: float = inf
    within: float = inf
    shared: bool = False


_LOOKS: Final = Work()
# By task. One that looks at what is there, and does what is due of it, has no items: what a run of it
# takes with so many players at their tables is measured.
WORK: Final[Mapping[str, Work]] = {
    "accounts.forget_what_has_expired": Work(comes=lambda of: of.people(of.sessions)),
    "core.refresh_site": _LOOKS,
    "core.send_emails": Work(comes=lambda of: of.people(of.emails), within=EMAILS_FOR),
    "core.send_webhooks": _LOOKS,
    "config.check_alerts": _LOOKS,
    "config.compute_reports": _LOOKS,
    "config.forget_origins": _LOOKS,
    # As many as are let in on a day.
    "config.remove_guests": Work(comes=lambda _of: spread(A_DAY), most=REMOVED_AT_ONCE),
    "config.tend_exports": Work(comes=lambda of: of.people(of.exports), most=MADE_AT_ONCE),
    "tables.analyse_deals": Work(
        comes=lambda of: of.people(of.analyses), within=ANALYSES_FOR, shared=True
    ),
    "tables.archive_matches": Work(
        comes=lambda of: of.matches(), within=archiving.SECONDS_A_RUN, shared=True
    ),
    "tables.call_players": _LOOKS,
    "tables.count_matches": Work(comes=lambda of: of.matches(), within=COUNTS_FOR),
    "tables.draw_leaderboards": _LOOKS,
    "tables.find_puzzles": _LOOKS,
    "tables.follow_fees": _LOOKS,
    "tables.keep_supplied": _LOOKS,
    "tables.open_evenings": _LOOKS,
    "tables.open_offers": _LOOKS,
    "tables.publish_deals": _LOOKS,
    "tables.stand_up_barred": _LOOKS,
    "tables.tell_absent": _LOOKS,
    "tables.tend_queues": _LOOKS,
    "tables.tend_slow_games": _LOOKS,
    "tables.trace_matches": Work(
        comes=lambda of: of.matches(of.traced), within=TRACES_FOR, shared=True
    ),
    "tables.turn_days": _LOOKS,
    "tables.turn_season": _LOOKS,
    "tables.weigh_pairs": _LOOKS,
    "tables.wind_up_clubs": _LOOKS,
    "tournaments.tick": _LOOKS,
    "tournaments.withdraw_barred": _LOOKS,
    "wallet.check_ledger": Work(
        comes=lambda of: of.matches(of.transfers_of_a_match), within=CHECKS_FOR
    ),
    "wallet.expire_deposits": Work(comes=lambda of: of.people(of.unpaid), most=EXPIRED_AT_ONCE),
    "wallet.expire_holds": Work(comes=lambda of: of.people(of.holds), most=REAPED_AT_ONCE),
    "wallet.seal_ledger": Work(
        comes=lambda of: of.matches(of.transfers_of_a_match), most=SEALED_A_RUN
    ),
    "wallet.send_payouts": Work(comes=lambda of: of.people(of.payouts), most=PAYOUTS_AT_ONCE),
    "wallet.send_refunds": Work(comes=lambda of: of.people(of.refunds), most=REFUNDS_AT_ONCE),
    "wallet.settle_last_year": _LOOKS,
    "wallet.tend_bonuses": Work(comes=lambda of: of.people(of.bonuses), within=BONUSES_FOR),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What a job costs in a day. `fixed` and `each`: seconds of a run that finds nothing, and of an item."""

    task: str
    queue: str
    period: float
    fixed: float
    each: float
    comes: Sequence[float]  # items in each hour
    work: Work

    def seconds(self) -> list[float]:
        """Return the processor time that the job asks for in each hour."""
        runs = 3600 / self.period
        return [runs * self.fixed + items * self.each for items in self.comes]

    def seconds_at_most(self) -> float:
        """Return the processor time that runs of this job can use in an hour, given any workers."""
        if self.work.shared:
            return inf
        if not self.each:
            return 3600.0
        of_a_run = min(self.fixed + self.work.most * self.each, self.fixed + self.work.within)
        return min(3600.0, of_a_run * 3600 / self.period)

    def verdict(self) -> str:
        """Return whether the runs that there may be can do it: `keeps up`, `late` or `behind`.

        A job without items is late if a run takes longer than its period.
        """
        if not self.each:
            return "late" if self.fixed > self.period else "keeps up"
        left = left_over(self.seconds(), self.seconds_at_most())
        return "behind" if left[-1] else "late" if any(left) else "keeps up"


def left_over(hours: Sequence[float], at_most: float) -> list[float]:
    """Return the work that waits at the end of each hour if `at_most` is done in each."""
    left, waits = 0.0, []
    for comes in hours:
        left = max(0.0, left + comes - at_most)
        waits.append(left)
    return waits


def loads(habits: Habits, fixed: Mapping[str, float], each: Mapping[str, float]) -> list[Load]:
    """Return the load of every job. `fixed` and `each`: what was measured, by task."""
    return [
        Load(
            task=task,
            queue=str(CELERY_TASK_ROUTES.get(task, {}).get("queue", LIVE)),
            period=entry["schedule"],
            fixed=fixed.get(task, 0.0),
            each=each.get(task, 0.0),
            comes=WORK[task].comes(habits),
            work=WORK[task],
        )
        for entry in CELERY_BEAT_SCHEDULE.values()
        for task in [entry["task"]]
    ]


def workers(of_the_day: Sequence[Load], queue: str, places: int, *, in_the_evening: bool) -> int:
    """Return the least number of workers, of `places` each, by which a queue's work gets done.

    Nothing is left at midnight, or `in_the_evening` at the end of any hour. A job that only one run
    does at a time counts for what that run can do. Every place has a core of its own.
    """
    mine = [load for load in of_the_day if load.queue == queue]
    hours = [
        sum(min(load.seconds()[hour], load.seconds_at_most()) for load in mine)
        for hour in range(HOURS)
    ]
    number = 1
    while (left := left_over(hours, 3600.0 * places * number)) and (
        any(left) if in_the_evening else left[-1]
    ):
        number += 1
    return number
