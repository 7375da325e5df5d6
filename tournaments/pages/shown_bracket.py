"""The bracket as pages show it: rounds as columns, tables as cards."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import QuerySet

from tournaments.models import Round, RoundSeat, RoundTable, Tournament

# Of a large round this many tables are shown, one's own among them.
MOST_TABLES = 48


@dataclass(frozen=True, slots=True)
class ShownSeat:
    name: str
    is_bot: bool
    is_own: bool
    chips: int | None
    goes_on: bool | None


@dataclass(slots=True)
class ShownTable:
    number: int
    table_id: int
    match_id: int | None
    is_over: bool
    seats: list[ShownSeat] = field(default_factory=list)

    @property
    def is_own(self) -> bool:
        return any(seat.is_own for seat in self.seats)


@dataclass(frozen=True, slots=True)
class ShownRound:
    """`more` tables are not shown."""

    number: int
    is_final: bool
    is_over: bool
    tables: Sequence[ShownTable]
    byes: Sequence[ShownSeat]
    more: int


def bracket_of(tournament: Tournament, *, user_id: int | None) -> list[ShownRound]:
    rounds = Round.objects.filter(tournament=tournament).order_by("number")
    return [_round(round_, user_id) for round_ in rounds]


def _round(round_: Round, user_id: int | None) -> ShownRound:
    tables = round_.round_tables.order_by("number")
    number = tables.count()
    chosen = list(tables[:MOST_TABLES])
    own = _own_table(round_, user_id)
    if own is not None and own not in chosen:
        chosen = [own, *chosen[: MOST_TABLES - 1]]
    tables_by_pk = {
        table.pk: ShownTable(
            table.number, table.table_id, table.match_id, table.ended_at is not None
        )
        for table in chosen
    }
    for seat in _seats(round_).filter(round_table__in=tables_by_pk).order_by("rank", "chair"):
        assert seat.round_table_id is not None  # noqa: S101 - asked for by their tables
        tables_by_pk[seat.round_table_id].seats.append(_seat(seat, user_id))
    byes = _seats(round_).filter(round_table=None).order_by("pk")
    return ShownRound(
        number=round_.number,
        is_final=round_.is_final,
        is_over=round_.ended_at is not None,
        tables=list(tables_by_pk.values()),
        byes=[_seat(seat, user_id) for seat in byes],
        more=number - len(tables_by_pk),
    )


def _own_table(round_: Round, user_id: int | None) -> RoundTable | None:
    if user_id is None:
        return None
    return round_.round_tables.filter(seats__entrant__user_id=user_id).first()


def _seats(round_: Round) -> QuerySet[RoundSeat]:
    return round_.seats.select_related("entrant__user")


def _seat(seat: RoundSeat, user_id: int | None) -> ShownSeat:
    user = seat.entrant.user
    return ShownSeat(
        name=user.player_name,
        is_bot=user.is_bot,
        is_own=user.pk == user_id,
        chips=seat.chips,
        goes_on=seat.goes_on,
    )
