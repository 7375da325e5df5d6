"""Where the running round of a tournament stands, for those who wait for its end."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q

from tournaments.models import EntrantState, Round, RoundSeat, Tournament
from tournaments.rules.bracket import Finisher
from tournaments.rules.lifecycle import Status


@dataclass(frozen=True, slots=True)
class OwnTable:
    """How it ended for a player whose table has finished before others."""

    rank: int
    chips: int
    goes_on: bool


@dataclass(frozen=True, slots=True)
class RoundStatus:
    """`places` of `seats` go on from the largest table; both are 0 in the final."""

    number: int
    is_final: bool
    places: int
    seats: int
    left: int
    tables_playing: int
    ends_at: datetime
    own: OwnTable | None
    has_bye: bool


def round_status(tournament: Tournament, *, user_id: int | None) -> RoundStatus | None:
    """None while no round is played."""
    if tournament.status != Status.PLAYING:
        return None
    round_ = Round.objects.filter(tournament=tournament, ended_at=None).first()
    if round_ is None:
        return None
    tables = round_.round_tables.annotate(seated=Count("seats")).aggregate(
        largest=Max("seated"), playing=Count("pk", filter=Q(ended_at=None))
    )
    largest = tables["largest"] or 0
    own = _own_seat(round_, user_id)
    places = 0 if round_.is_final else _places(tournament, largest)
    return RoundStatus(
        number=round_.number,
        is_final=round_.is_final,
        places=places,
        seats=0 if round_.is_final else largest,
        left=tournament.entrants.filter(state=EntrantState.PLAYING).count(),
        tables_playing=tables["playing"],
        ends_at=round_.ends_at,
        own=_own_table(tournament, round_, own),
        has_bye=own is not None and own.round_table is None,
    )


def _own_seat(round_: Round, user_id: int | None) -> RoundSeat | None:
    if user_id is None:
        return None
    seats = round_.seats.select_related("round_table", "entrant")
    playing = seats.filter(entrant__user_id=user_id, entrant__state=EntrantState.PLAYING)
    return playing.first()


def _own_table(tournament: Tournament, round_: Round, seat: RoundSeat | None) -> OwnTable | None:
    if seat is None or seat.round_table is None or seat.round_table.ended_at is None:
        return None
    if seat.rank is None or seat.chips is None:
        return None
    at_table = round_.seats.filter(round_table=seat.round_table).select_related("entrant")
    # As the end of the round will decide it: a disqualified player's place goes to the next one.
    finishers = [
        Finisher(other.entrant.seeding or 0, other.rank or 0, other.chips or 0)
        for other in at_table
        if other.entrant.state == EntrantState.PLAYING
    ]
    places = 0 if round_.is_final else _places(tournament, len(at_table))
    qualified = tournament.format_rules.qualified(finishers, places)
    return OwnTable(seat.rank, seat.chips, seat.entrant.seeding in qualified)


def _places(tournament: Tournament, size: int) -> int:
    return tournament.format_rules.going_on(size, tournament.structure) if size else 0
