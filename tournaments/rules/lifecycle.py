"""The life cycle of a tournament: which step is due when. Times are seconds of the caller's clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

# R10.4: no new deal begins in the last seconds of a round.
SECONDS_WITHOUT_NEW_DEALS: Final = 30


class LifecycleStatus(StrEnum):
    ANNOUNCED = "ANNOUNCED"
    REGISTERING = "REGISTERING"
    PLAYING = "PLAYING"
    BREAK = "BREAK"
    FINISHED = "FINISHED"
    CANCELLED = "CANCELLED"


FOLLOWING: Final[Mapping[LifecycleStatus, frozenset[LifecycleStatus]]] = {
    LifecycleStatus.ANNOUNCED: frozenset({LifecycleStatus.REGISTERING, LifecycleStatus.CANCELLED}),
    LifecycleStatus.REGISTERING: frozenset({LifecycleStatus.PLAYING, LifecycleStatus.CANCELLED}),
    LifecycleStatus.PLAYING: frozenset(
        {LifecycleStatus.BREAK, LifecycleStatus.FINISHED, LifecycleStatus.CANCELLED}
    ),
    LifecycleStatus.BREAK: frozenset(
        {LifecycleStatus.PLAYING, LifecycleStatus.FINISHED, LifecycleStatus.CANCELLED}
    ),
    LifecycleStatus.FINISHED: frozenset(),
    LifecycleStatus.CANCELLED: frozenset(),
}
OVER: Final = frozenset({LifecycleStatus.FINISHED, LifecycleStatus.CANCELLED})
RUNNING: Final = frozenset({LifecycleStatus.PLAYING, LifecycleStatus.BREAK})


class TournamentPhase(StrEnum):
    """The phases by which lists are filtered: tournaments to enter, to watch or to review."""

    UPCOMING = "upcoming"
    RUNNING = "running"
    OVER = "over"


STATUSES_OF: Final[Mapping[TournamentPhase, frozenset[LifecycleStatus]]] = {
    TournamentPhase.UPCOMING: frozenset({LifecycleStatus.ANNOUNCED, LifecycleStatus.REGISTERING}),
    TournamentPhase.RUNNING: RUNNING,
    TournamentPhase.OVER: OVER,
}


class Due(StrEnum):
    """The step that a tick has to take."""

    OPEN_REGISTRATION = "OPEN_REGISTRATION"
    START = "START"
    SEAT_LATECOMERS = "SEAT_LATECOMERS"
    END_ROUND = "END_ROUND"
    ADVANCE = "ADVANCE"
    START_ROUND = "START_ROUND"
    FINISH = "FINISH"


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Everything that the next step depends on. `late_until` is set while late entrants may join round 1.

    With a tree (R10.4c) tables are filled one by one. `next_round_at` is then when the next table is filled,
    and `tables_ended` is the number of finished tables that are not decided yet.
    """

    status: LifecycleStatus
    now: float
    opens_at: float
    starts_at: float
    late_until: float | None = None
    next_round_at: float | None = None
    is_paused: bool = False
    has_tree: bool = False
    tables_playing: int = 0
    tables_ended: int = 0
    latecomers: int = 0
    seats: int = 2

    @property
    def is_late_open(self) -> bool:
        return self.late_until is not None and self.now < self.late_until


def find_due_step(at: Situation) -> Due | None:
    """Return the one step that is due now, or None. A paused tournament has no due step."""
    if at.is_paused or at.status in OVER:
        return None
    return {
        LifecycleStatus.ANNOUNCED: _find_due_before_registration,
        LifecycleStatus.REGISTERING: _find_due_while_registering,
        LifecycleStatus.PLAYING: _find_due_while_playing,
        LifecycleStatus.BREAK: _break,
    }[at.status](at)


def _find_due_before_registration(at: Situation) -> Due | None:
    return Due.OPEN_REGISTRATION if at.now >= at.opens_at else None


def _find_due_while_registering(at: Situation) -> Due | None:
    return Due.START if at.now >= at.starts_at else None


def _find_due_while_playing(at: Situation) -> Due | None:
    """Return the step that is due during play, or None.

    Late entrants sit down once there are enough for a table, or once late registration is closed.
    """
    enough = at.latecomers >= at.seats or (at.latecomers > 0 and not at.is_late_open)
    if enough:
        return Due.SEAT_LATECOMERS
    if at.has_tree:
        return Due.ADVANCE if _may_advance(at) and not at.is_late_open else None
    return Due.END_ROUND if at.tables_playing == 0 and not at.is_late_open else None


def _may_advance(at: Situation) -> bool:
    if at.tables_ended > 0:
        return True
    if at.next_round_at is None:
        return at.tables_playing == 0
    return at.now >= at.next_round_at


def _break(at: Situation) -> Due | None:
    waited = at.next_round_at is None or at.now >= at.next_round_at
    return Due.START_ROUND if waited else None


def compute_due_at(at: Situation) -> float | None:
    """Return the time of the next step if it depends on time only, otherwise None."""
    if at.is_paused:
        return None
    return {
        LifecycleStatus.ANNOUNCED: at.opens_at,
        LifecycleStatus.REGISTERING: at.starts_at,
        LifecycleStatus.PLAYING: at.late_until if at.is_late_open else _compute_next_table_at(at),
        LifecycleStatus.BREAK: at.next_round_at,
    }.get(at.status)


def _compute_next_table_at(at: Situation) -> float | None:
    """Return when the next table of a tree is filled, or None without a tree: a round then ends at no fixed time."""
    return at.next_round_at if at.has_tree else None


def may_register(at: Situation) -> bool:
    """Return whether registration is open: before the start, or late while round 1 is played."""
    if at.is_paused:
        return False
    if at.status is LifecycleStatus.REGISTERING:
        return at.now < at.starts_at
    return at.status is LifecycleStatus.PLAYING and at.is_late_open


def may_withdraw(at: Situation) -> bool:
    """Return whether entrants may withdraw (R10.2), which they can until the start."""
    return at.status is LifecycleStatus.REGISTERING and at.now < at.starts_at


def last_deal_at(round_ends_at: float) -> float:
    return round_ends_at - SECONDS_WITHOUT_NEW_DEALS
