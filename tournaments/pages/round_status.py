"""The status of a tournament's running rounds, for waiting players."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Count, Max, Q

from tournaments.models import Entrant, EntrantState, Round, RoundSeat, RoundTable, Tournament
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.rules.tree import BYES, AdvancingPlace
from tournaments.running.progress import list_byes, list_qualified, read_tree
from tournaments.store.rows import has_tree


@dataclass(frozen=True, slots=True)
class NextTable:
    """A player's next table as far as it is known: the other players there, and the tables it waits for."""

    opponents: Sequence[str]
    waits_for: Sequence[int]
    is_for_third_place: bool


@dataclass(frozen=True, slots=True)
class OwnResult:
    """The result of a player whose table has ended while other tables of the round still play.

    `goes_on` is None if it depends on the other tables (R10.11). A pool tournament has `points` instead of `chips`
    (R10.13).
    """

    rank: int
    chips: int | None
    points: int | None
    goes_on: bool | None
    next: NextTable | None


@dataclass(frozen=True, slots=True)
class Stake:
    """R10.11: the chips per point in this round (`now`) and in the next round (`next`).

    `least` is the number of chips that the next round requires. `next` and `least` are None in the final. `finalists`
    is the number of finalists if the next round is the final.
    """

    now: int
    next: int | None
    least: int | None
    finalists: int | None


@dataclass(frozen=True, slots=True)
class RoundStatus:
    """The state of a running round. `last` is the final's number, or None if it is not known yet.

    At the largest table the best `places` of `seats` players advance; both are 0 in the final. `sure_of` is
    the worst rank that the reader can still get, or None for readers who do not take part.
    """

    number: int
    last: int | None
    is_final: bool
    places: int
    seats: int
    left: int
    tables_playing: int
    ends_at: datetime
    counted_at: datetime | None
    own: OwnResult | None
    has_bye: bool
    sure_of: int | None
    is_out: bool
    stake: Stake | None


def round_status(tournament: Tournament, *, user_id: int | None) -> RoundStatus | None:
    """Return the status of the reader's round, or of the earliest running one. Return None if no round is running."""
    if tournament.status != LifecycleStatus.PLAYING:
        return None
    running = Round.objects.filter(tournament=tournament, ended_at=None).order_by("number")
    entrant = tournament.entrants.filter(user_id=user_id).first() if user_id else None
    own = _own_seat(tournament, entrant)
    round_ = own.round if own is not None else running.first()
    if round_ is None:
        return None
    tables = round_.round_tables.annotate(seated=Count("seats")).aggregate(
        largest=Max("seated"), playing=Count("pk", filter=Q(ended_at=None))
    )
    largest = tables["largest"] or 0
    ends_at = _get_limit(own) or round_.ends_at
    left = tournament.entrants.filter(state=EntrantState.PLAYING).count()
    stake = get_stake(tournament, number=round_.number)
    has_places = not round_.is_final and stake is None
    return RoundStatus(
        number=round_.number,
        last=_find_last_round(tournament),
        is_final=round_.is_final,
        places=_count_places(tournament, largest) if has_places else 0,
        seats=largest if has_places else 0,
        left=left,
        tables_playing=tables["playing"],
        ends_at=ends_at,
        counted_at=(
            ends_at + timedelta(seconds=tournament.overtime_seconds)
            if tournament.overtime_turn_seconds
            else None
        ),
        own=_own_table(tournament, own),
        has_bye=own is not None and own.round_table is None,
        sure_of=_compute_sure_place(tournament, entrant, left),
        is_out=entrant is not None and entrant.state == EntrantState.OUT,
        stake=stake,
    )


def _find_last_round(tournament: Tournament) -> int | None:
    stakes = tournament.stake_of_rounds
    if stakes:
        return len(stakes)
    # Late entrants change the tree.
    is_known = has_tree(tournament) and tournament.late_seconds == 0
    return read_tree(tournament).last_round if is_known else None


@dataclass(frozen=True, slots=True)
class StakedRound:
    """A round of a shoot-out: its chips per point, and the most chips that it can cost a player."""

    stake: int
    cost: int
    is_final: bool


def list_stakes(tournament: Tournament) -> list[StakedRound]:
    """Return the stake of each round, or an empty list if players do not keep their chips from round to round."""
    rounds = zip(tournament.stake_of_rounds, tournament.costs, strict=True)
    staked = [StakedRound(stake, cost, is_final=False) for stake, cost in rounds]
    return [*staked[:-1], *(replace(last, is_final=True) for last in staked[-1:])]


def get_stake(tournament: Tournament, *, number: int) -> Stake | None:
    """Return the stake of round `number`, or None in formats without stakes."""
    stakes, costs = tournament.stake_of_rounds, tournament.costs
    if not stakes:
        return None
    if number >= len(stakes):
        return Stake(stakes[-1], None, None, None)
    leads_to_final = number + 1 == len(stakes)
    return Stake(
        now=stakes[number - 1],
        next=stakes[number],
        least=costs[number],
        finalists=tournament.seats if leads_to_final else None,
    )


def _own_seat(tournament: Tournament, entrant: Entrant | None) -> RoundSeat | None:
    """Return the entrant's seat in the latest running round, or None."""
    if entrant is None or entrant.state not in (EntrantState.PLAYING, EntrantState.OUT):
        return None
    seats = RoundSeat.objects.filter(round__tournament=tournament, entrant=entrant)
    running = seats.filter(round__ended_at=None).order_by("-round__number")
    return running.select_related("round", "round_table__table", "entrant").first()


def _get_limit(seat: RoundSeat | None) -> datetime | None:
    """Return the time limit of a player's table, or None without a table.

    Tables that are filled later have later limits.
    """
    if seat is None or seat.round_table is None:
        return None
    return seat.round_table.table.overtime_at


def _own_table(tournament: Tournament, seat: RoundSeat | None) -> OwnResult | None:
    if seat is None or seat.round_table is None or seat.round_table.ended_at is None:
        return None
    if seat.rank is None:
        return None
    stake = get_stake(tournament, number=seat.round.number)
    if stake is not None:
        return OwnResult(seat.rank, seat.chips, None, _with_chips(seat, stake), None)
    going_on = _list_going_on(tournament, seat.round, seat.round_table)
    goes_on = seat.goes_on if seat.goes_on is not None else seat.entrant_id in going_on
    next_table = None
    if goes_on and seat.entrant_id in going_on:
        next_table = _find_next_table(tournament, seat, going_on.index(seat.entrant_id) + 1)
    return OwnResult(seat.rank, seat.chips, seat.points, goes_on, next_table)


def _with_chips(seat: RoundSeat, stake: Stake) -> bool | None:
    if seat.goes_on is not None:
        return seat.goes_on
    if stake.least is not None and (seat.chips or 0) < stake.least:
        return False
    return True if stake.finalists is None else None


def _list_going_on(tournament: Tournament, round_: Round, table: RoundTable) -> list[int]:
    """Return the ids of the entrants of a table who would advance now, best first."""
    seats = list(table.seats.select_related("entrant"))
    places = 0 if round_.is_final else _count_places(tournament, len(seats))
    # Until the draw was announced there may be late entrants, who change the tree.
    if table.resolved_at is not None and has_tree(tournament):
        places = read_tree(tournament).places(round_.number, table.number)
    return [seat.entrant_id for seat in list_qualified(tournament, seats, places=places)]


def _find_next_table(tournament: Tournament, seat: RoundSeat, place: int) -> NextTable | None:
    """Return the entrant's next table (R10.4c).

    Return None after the final, before the entrant's table is decided, or if the next round is drawn by lot.
    """
    if seat.round.is_final or seat.round_table is None or seat.round_table.resolved_at is None:
        return None
    if not has_tree(tournament):
        return None
    tree = read_tree(tournament)
    following = tree.levels[seat.round.number - tree.first_round]
    own = AdvancingPlace(seat.round_table.number, place)
    number, feeds = next(
        ((n, table) for n, table in enumerate(following, start=1) if own in table), (1, ())
    )
    numbers = {feed.table for feed in feeds} - {BYES}
    tables = RoundTable.objects.filter(round=seat.round, number__in=numbers)
    coming = RoundSeat.objects.filter(
        round_table__in=tables, goes_on=True, entrant__state=EntrantState.PLAYING
    ).exclude(entrant_id=seat.entrant_id)
    waits_for = tables.filter(ended_at=None).order_by("number").values_list("number", flat=True)
    names = [
        other.entrant.user.player_name
        for other in coming.select_related("entrant__user").order_by("round_table__number", "rank")
        if _is_fed(other, feeds)
    ]
    byes = [list_byes(tournament)[feed.place - 1] for feed in feeds if feed.table == BYES]
    waiting = tournament.entrants.filter(pk__in=byes).select_related("user").order_by("seeding")
    names += [entrant.user.player_name for entrant in waiting]
    not_there = numbers - set(tables.values_list("number", flat=True))
    return NextTable(
        names,
        [*waits_for, *sorted(not_there)],
        is_for_third_place=following is tree.levels[-1] and number > 1,
    )


def _is_fed(other: RoundSeat, feeds: Sequence[AdvancingPlace]) -> bool:
    """Return whether this player's rank at their table is one of the places that lead to the next table."""
    assert other.round_table is not None  # noqa: S101 - asked for by its table
    places = [feed.place for feed in feeds if feed.table == other.round_table.number]
    better = other.round_table.seats.filter(goes_on=True).filter(
        Q(rank__lt=other.rank) | Q(rank=other.rank, entrant__seeding__lt=other.entrant.seeding)
    )
    return better.count() + 1 in places


def _compute_sure_place(tournament: Tournament, entrant: Entrant | None, left: int) -> int | None:
    """Return the worst place that the entrant can still get (R10.6), or None for entrants who do not play.

    Entrants who are still in may all finish ahead of the others; entrants who are out cannot overtake them.
    """
    if entrant is None or entrant.state not in (EntrantState.PLAYING, EntrantState.OUT):
        return None
    if entrant.state == EntrantState.PLAYING:
        return left
    out = tournament.entrants.filter(state=EntrantState.OUT)
    beside = Q(chips__gt=entrant.chips or 0)
    if entrant.points is not None:  # R10.13
        at_table = Q(table_rank=entrant.table_rank, points__lt=entrant.points)
        beside = Q(table_rank__lt=entrant.table_rank) | at_table
    better = Q(round_out__gt=entrant.round_out) | Q(beside, round_out=entrant.round_out)
    if entrant.final_rank is not None:
        better = Q(final_rank__lt=entrant.final_rank)
    return left + out.filter(better).count() + 1


def _count_places(tournament: Tournament, size: int) -> int:
    return tournament.format_rules.count_going_on(size, tournament.structure) if size else 0
