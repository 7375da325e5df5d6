"""A tournament's progress, read from stored rows for its format."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Count

from tournaments.models import EntrantState, Round, RoundSeat, RoundTable, Tournament
from tournaments.rules.bracket import Finisher, Structure, TableEnded
from tournaments.rules.lifecycle import Situation
from tournaments.rules.steps import RoundCourse, SeatedTable
from tournaments.rules.tree import Tree
from tournaments.store.rows import read_situation


@dataclass(frozen=True)
class StoredProgress:
    """The progress of a tournament at one moment; each part is read on demand."""

    tournament: Tournament
    now: datetime

    @cached_property
    def situation(self) -> Situation:
        return read_situation(self.tournament, now=self.now)

    @property
    def structure(self) -> Structure:
        return self.tournament.structure

    @property
    def break_seconds(self) -> int:
        return self.tournament.break_seconds

    @property
    def round_number(self) -> int:
        return self.tournament.round_number

    @property
    def players_left(self) -> int:
        return self.tournament.entrants.filter(state=EntrantState.PLAYING).count()

    @cached_property
    def _finishers(self) -> dict[int | None, list[Finisher]]:
        """Return a mapping from table id to the players who may advance, for the round in play.

        None maps to the players with a bye.
        """
        finishers: defaultdict[int | None, list[Finisher]] = defaultdict(list)
        seats = RoundSeat.objects.filter(round__tournament=self.tournament, round__ended_at=None)
        for seat in _find_playing(seats.select_related("entrant").order_by("round_table_id")):
            finishers[seat.round_table_id].append(build_finisher(seat))
        return finishers

    @cached_property
    def tables(self) -> Sequence[TableEnded]:
        in_play = RoundTable.objects.filter(
            round__tournament=self.tournament, round__ended_at=None
        ).order_by("pk")
        sizes = in_play.annotate(size=Count("seats")).values_list("pk", "size")
        return [TableEnded(size, tuple(self._finishers.get(pk, ()))) for pk, size in sizes]

    @property
    def byes(self) -> Sequence[Finisher]:
        return self._finishers.get(None, ())

    @cached_property
    def course(self) -> RoundCourse:
        return read_course(self.tournament)


def build_finisher(seat: RoundSeat) -> Finisher:
    """Return a player's result at a table. The caller has loaded the entrant with `seat`."""
    return Finisher(seat.entrant.seeding or 0, seat.rank or 0, seat.chips or 0)


def _find_playing(seats: Iterable[RoundSeat]) -> Iterable[RoundSeat]:
    return (seat for seat in seats if seat.entrant.state == EntrantState.PLAYING)


def list_qualified(
    tournament: Tournament, seats: Iterable[RoundSeat], *, places: int
) -> list[RoundSeat]:
    """Return the seats of a table that advance, best first.

    `seats` are all seats of the table, with their entrants. A disqualified player's place goes to the next
    player.
    """
    by_seeding = {seat.entrant.seeding or 0: seat for seat in _find_playing(seats)}
    finishers = [build_finisher(seat) for seat in by_seeding.values()]
    return [
        by_seeding[seeding] for seeding in tournament.format_rules.find_qualified(finishers, places)
    ]


def read_course(tournament: Tournament) -> RoundCourse:
    """Read the tables since the last drawn round (R10.4c).

    Everything is read from stored results, so a worker that dies between two steps leaves nothing
    inconsistent.
    """
    base = _get_last_drawn_round(tournament)
    rows = RoundTable.objects.filter(
        round__tournament=tournament, round__number__gte=base.number
    ).annotate(size=Count("seats"))
    tables = list(
        rows.order_by("round__number", "number").values_list(
            "pk", "round__number", "number", "size", "ended_at", "resolved_at"
        )
    )
    resolved = {pk for pk, *_rest, resolved_at in tables if resolved_at is not None}
    ended = {pk for pk, *_rest, ended_at, _resolved_at in tables if ended_at is not None}
    going_on: defaultdict[int, list[int | None]] = defaultdict(list)
    finishers: defaultdict[int, list[Finisher]] = defaultdict(list)
    decided = RoundSeat.objects.filter(round_table__in=resolved, goes_on=True)
    for pk, seeding, state in decided.order_by(
        "round_table_id", "rank", "entrant__seeding"
    ).values_list("round_table_id", "entrant__seeding", "entrant__state"):
        assert pk is not None  # noqa: S101 - read by its table
        going_on[pk].append(None if state == EntrantState.DISQUALIFIED else seeding)
    undecided = RoundSeat.objects.filter(round_table__in=ended - resolved)
    for seat in _find_playing(undecided.select_related("entrant")):
        finishers[_get_table(seat)].append(build_finisher(seat))
    byes = base.seats.filter(round_table=None).select_related("entrant").order_by("pk")
    return RoundCourse(
        first_round=base.number,
        tables={
            (round_number, number): SeatedTable(
                size=size,
                ended_at=None if ended_at is None else ended_at.timestamp(),
                finishers=tuple(finishers[pk]),
                going_on=None if resolved_at is None else tuple(going_on[pk]),
            )
            for pk, round_number, number, size, ended_at, resolved_at in tables
        },
        byes=tuple(
            None if seat.entrant.state == EntrantState.DISQUALIFIED else seat.entrant.seeding
            for seat in byes
        ),
        began=base.started_at.timestamp(),
    )


def read_tree(tournament: Tournament) -> Tree:
    """Return the tree of tables that follow the last drawn round. The caller has checked `has_tree`."""
    base = _get_last_drawn_round(tournament)
    tables = base.round_tables.order_by("number").annotate(size=Count("seats"))
    return tournament.format_rules.build_tree(
        base.number,
        list(tables.values_list("size", flat=True)),
        base.seats.filter(round_table=None).count(),
        tournament.structure,
    )


def list_byes(tournament: Tournament) -> list[int]:
    """Return the ids of the entrants with a bye in the last drawn round, in the order of the tree."""
    byes = _get_last_drawn_round(tournament).seats.filter(round_table=None).order_by("pk")
    return list(byes.values_list("entrant_id", flat=True))


def _get_last_drawn_round(tournament: Tournament) -> Round:
    rounds = Round.objects.filter(tournament=tournament, is_drawn=True)
    return rounds.order_by("-number")[:1].get()


def _get_table(seat: RoundSeat) -> int:
    assert seat.round_table_id is not None  # noqa: S101 - read by its table
    return seat.round_table_id
