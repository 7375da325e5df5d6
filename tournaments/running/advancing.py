"""R10.4c: tables of the next round are filled as soon as those have ended whose players meet there.

What the tables of the last round that was drawn as a whole lead to is computed anew each time from
their sizes (`tournaments/rules/tree.py`). Nothing but results is stored, so a worker that dies
between two steps leaves nothing half known.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.db.models import Count

from tables.seating.events import clear_event_tables
from tournaments.core import bulk
from tournaments.core.after_commit import Announcement, Invitation
from tournaments.core.qualifying import qualified_at
from tournaments.core.state import note_due
from tournaments.models import Entrant, EntrantState, Round, RoundSeat, RoundTable, Tournament
from tournaments.registration.services import end_waiting
from tournaments.rules.tree import (
    BYES,
    Ended,
    Level,
    Reached,
    Ready,
    going_on_from,
    reached,
)
from tournaments.running.finishing import finish
from tournaments.running.rounds import GATHERING, ends_of_tables, seat_groups


@dataclass(frozen=True)
class Tree:
    """`base` is the round that was drawn as a whole; `levels` are those that follow it."""

    base: Round
    byes: tuple[int, ...]
    levels: tuple[Level, ...]

    @cached_property
    def _places(self) -> list[Counter[int]]:
        return [going_on_from(level) for level in self.levels]

    @property
    def last_number(self) -> int:
        return self.base.number + len(self.levels)

    def places(self, round_number: int, table_number: int) -> int:
        """Return the number of players who go on from this table."""
        if round_number == self.last_number:
            return 0
        return self._places[round_number - self.base.number][table_number]

    def better(self, round_number: int, table_number: int) -> int | None:
        """Return, in the last round, the number of players who rank before everybody at this table."""
        if round_number != self.last_number:
            return None
        if not self.levels:
            return 0
        return sum(map(len, self.levels[-1][: table_number - 1]))


def tree_of(tournament: Tournament) -> Tree:
    """The caller has asked `has_tree`, and registration is over."""
    base = Round.objects.filter(tournament=tournament, is_drawn=True).order_by("-number")[:1].get()
    tables = base.round_tables.order_by("number").annotate(seated=Count("seats"))
    byes = base.seats.filter(round_table=None).order_by("pk").values_list("entrant_id", flat=True)
    return Tree(
        base,
        tuple(byes),
        tournament.format_rules.tree(
            list(tables.values_list("seated", flat=True)), len(byes), tournament.structure
        ),
    )


def advance(tournament: Tournament, *, now: datetime) -> Announcement:
    """Let people go on from the tables that have ended, fill those that can be, end what is over.

    The caller holds the tournament's lock.
    """
    end_waiting(tournament)
    tree = tree_of(tournament)
    _resolve(tournament, tree, now=now)
    how_far = _reached(tournament, tree)
    for alone in how_far.alone:
        _pass_through(tournament, tree, alone, now=now)
    _end_rounds(tournament, tree, how_far, now=now)
    if how_far.rounds_over > len(tree.levels):
        return finish(tournament, now=now)
    pause = timedelta(seconds=tournament.break_seconds)
    since = now - pause
    to_fill = [ready for ready in how_far.ready if ready.since <= since.timestamp()]
    later = [ready.since for ready in how_far.ready if ready.since > since.timestamp()]
    invitations = _fill(tournament, tree, to_fill, now=now)
    tournament.next_round_at = (
        datetime.fromtimestamp(min(later), tz=now.tzinfo) + pause if later else None
    )
    note_due(tournament, now=now)
    tournament.save()
    return Announcement(changed=(tournament.pk,), invitations=tuple(invitations))


def _resolve(tournament: Tournament, tree: Tree, *, now: datetime) -> None:
    """Tell the players of an ended table who go on, and eliminate the others."""
    ended = list(
        RoundTable.objects.filter(
            round__tournament=tournament, ended_at__isnull=False, resolved_at=None
        )
        .filter(round__number__gte=tree.base.number)
        .select_related("round")
    )
    seats: defaultdict[int | None, list[RoundSeat]] = defaultdict(list)
    for seat in RoundSeat.objects.filter(round_table__in=ended).select_related("entrant"):
        seats[seat.round_table_id].append(seat)
    going_on: list[int] = []
    by_exit: defaultdict[tuple[int, int | None], list[int]] = defaultdict(list)
    for table in ended:
        places = tree.places(table.round.number, table.number)
        going_on += [
            seat.entrant_id for seat in qualified_at(tournament, seats[table.pk], places=places)
        ]
        better = tree.better(table.round.number, table.number)
        by_exit[table.round.number, better].append(table.pk)
    bulk.let_go_on_from([table.pk for table in ended], going_on)
    for (number, better), table_ids in by_exit.items():
        bulk.put_out_from(table_ids, number=number, better=better)
    RoundTable.objects.filter(pk__in=[table.pk for table in ended]).update(resolved_at=now)
    clear_event_tables([table.table_id for table in ended])


def _reached(tournament: Tournament, tree: Tree) -> Reached:
    tables = RoundTable.objects.filter(
        round__tournament=tournament, round__number__gte=tree.base.number
    )
    gone = set(
        tournament.entrants.filter(state=EntrantState.DISQUALIFIED).values_list("pk", flat=True)
    )
    going_on: defaultdict[int, list[int | None]] = defaultdict(list)
    seats = RoundSeat.objects.filter(round_table__in=tables, goes_on=True)
    for table_id, entrant_id in seats.order_by(
        "round_table_id", "rank", "entrant__seeding"
    ).values_list("round_table_id", "entrant_id"):
        assert table_id is not None  # noqa: S101 - asked for by their tables
        going_on[table_id].append(None if entrant_id in gone else entrant_id)
    outcomes: dict[tuple[int, int], Ended | None] = {}
    for pk, round_number, number, ended_at, resolved_at in tables.values_list(
        "pk", "round__number", "number", "ended_at", "resolved_at"
    ):
        depth = round_number - tree.base.number - 1
        outcomes[depth, number] = (
            None
            if ended_at is None or resolved_at is None
            else Ended(tuple(going_on[pk]), ended_at.timestamp())
        )
    first = {number: ended for (depth, number), ended in outcomes.items() if depth < 0}
    if tree.byes:
        waiting = tuple(None if pk in gone else pk for pk in tree.byes)
        first[BYES] = Ended(waiting, tree.base.started_at.timestamp())
    return reached(tree.levels, first, outcomes)


def _pass_through(tournament: Tournament, tree: Tree, alone: Ready, *, now: datetime) -> None:
    """Pass a player through without an opponent: a bye, and in the last round the end."""
    round_ = _round_of(tournament, tree, alone.level, now=now)
    (entrant_id,) = alone.players
    RoundSeat.objects.get_or_create(round=round_, entrant_id=entrant_id)
    better = tree.better(round_.number, alone.number)
    if better is not None:
        Entrant.objects.filter(pk=entrant_id, state=EntrantState.PLAYING).update(
            state=EntrantState.OUT, round_out=round_.number, chips=0, final_rank=better + 1
        )


def _fill(
    tournament: Tournament, tree: Tree, tables: Sequence[Ready], *, now: datetime
) -> list[Invitation]:
    wanted = [entrant_id for table in tables for entrant_id in table.players]
    players = tournament.entrants.select_related("user").in_bulk(wanted)
    invitations: list[Invitation] = []
    for level in sorted({table.level for table in tables}):
        round_ = _round_of(tournament, tree, level, now=now)
        groups = {
            table.number: [players[pk] for pk in table.players]
            for table in tables
            if table.level == level
        }
        invitations += seat_groups(tournament, round_, groups, now=now)
        round_.ends_at = max(round_.ends_at, ends_of_tables(tournament, now=now))
        round_.save(update_fields=["ends_at"])
    return invitations


def _round_of(tournament: Tournament, tree: Tree, level: int, *, now: datetime) -> Round:
    number = tree.base.number + 1 + level
    round_, is_new = Round.objects.get_or_create(
        tournament=tournament,
        number=number,
        defaults={
            "is_drawn": False,
            "is_final": number == tree.last_number,
            "started_at": now + GATHERING,
            "ends_at": ends_of_tables(tournament, now=now),
        },
    )
    if is_new:
        tournament.round_number = max(tournament.round_number, number)
    return round_


def _end_rounds(tournament: Tournament, tree: Tree, how_far: Reached, *, now: datetime) -> None:
    rounds = Round.objects.filter(tournament=tournament, ended_at=None)
    over = tree.base.number + how_far.rounds_over
    rounds.filter(number__lt=over, number=tree.last_number).update(is_final=True)
    rounds.filter(number__lt=over).update(ended_at=now)
