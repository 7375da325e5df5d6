"""The bracket as pages show it: the reader's own path, and the tables of a round in pages."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Count, Prefetch, Q, QuerySet

from tournaments.models import Entrant, EntrantState, Round, RoundSeat, RoundTable, Tournament
from tournaments.models.entrant import TAKING_PART

TABLES_ON_A_PAGE = 24
# Limit for a search by part of a name.
MOST_FOUND = 10


@dataclass(frozen=True, slots=True)
class ShownSeat:
    name: str
    face: str
    is_bot: bool
    is_own: bool
    chips: int | None
    points: int | None
    goes_on: bool | None
    is_winner: bool = False
    """Of the tournament; marked in its final alone."""
    is_for_third_place: bool = False
    """Whether the loser of a semi-final goes on to the match for third place (R10.4c)."""
    is_gone: bool = False
    """Whether the player was disqualified: they go on to no table."""


@dataclass(slots=True)
class ShownTable:
    """A table of the bracket. `round` and `is_final` are needed where tables of several rounds are listed together."""

    number: int
    round: int
    is_final: bool
    table_id: int
    match_id: int | None
    is_over: bool
    seats: list[ShownSeat] = field(default_factory=list)

    @property
    def is_own(self) -> bool:
        return any(seat.is_own for seat in self.seats)


@dataclass(frozen=True, slots=True)
class ShownRound:
    """A round of the bracket. `tables` are those of page `page` of `pages`, or None if the round is folded."""

    number: int
    is_final: bool
    is_over: bool
    number_of_tables: int
    playing: int
    tables: Sequence[ShownTable] | None
    byes: Sequence[ShownSeat]
    page: int
    pages: int

    @property
    def earlier(self) -> int | None:
        return self.page - 1 if self.page > 1 else None

    @property
    def later(self) -> int | None:
        return self.page + 1 if self.page < self.pages else None


@dataclass(frozen=True, slots=True)
class Way:
    """A player's path through the bracket: their tables, latest first, and the rounds of their byes."""

    entrant: Entrant
    is_own: bool
    is_winner: bool
    tables: Sequence[ShownTable]
    byes: Sequence[int]


def build_bracket(
    tournament: Tournament,
    *,
    user_id: int | None,
    unfolded: int | None = None,
    page: int = 1,
    before: int | None = None,
) -> list[ShownRound]:
    """Return the rounds of the bracket. Running rounds are unfolded, and so is round `unfolded`, at page `page`.

    In a finished tournament the last round is unfolded. With `before`, return only the rounds before that
    one, because a tree shows the others.
    """
    some = Round.objects.filter(tournament=tournament)
    if before is not None:
        some = some.filter(number__lt=before)
    rounds = list(
        some.order_by("number").annotate(
            number_of_tables=Count("round_tables"),
            playing=Count("round_tables", filter=Q(round_tables__ended_at=None)),
        )
    )
    shown = []
    for round_ in rounds:
        is_open = round_.number == unfolded or (
            round_.ended_at is None
            if not tournament.is_over
            else before is None and round_ is rounds[-1]
        )
        shown.append(_round(round_, user_id, page if round_.number == unfolded else 1, is_open))
    return shown


def _round(round_: Round, user_id: int | None, page: int, is_open: bool) -> ShownRound:  # noqa: FBT001 - of this module
    number = round_.number_of_tables  # type: ignore[attr-defined] # annotated above
    pages = max(1, -(-number // TABLES_ON_A_PAGE))
    page = min(page, pages)
    first = (page - 1) * TABLES_ON_A_PAGE
    tables = round_.round_tables.order_by("number")[first : first + TABLES_ON_A_PAGE]
    byes = _select_seats().filter(round=round_, round_table=None).order_by("pk")[:TABLES_ON_A_PAGE]
    return ShownRound(
        number=round_.number,
        is_final=round_.is_final,
        is_over=round_.ended_at is not None,
        number_of_tables=number,
        playing=round_.playing,  # type: ignore[attr-defined] # annotated above
        tables=show_tables(tables, user_id) if is_open else None,
        byes=[build_seat(seat, user_id) for seat in byes] if is_open and page == 1 else [],
        page=page,
        pages=pages,
    )


def list_ways(
    tournament: Tournament, *, user_id: int | None, player: str = "", with_own: bool = True
) -> list[Way]:
    """Return the reader's own path, then the paths of players whose names contain `player`."""
    taking_part = tournament.entrants.filter(state__in=TAKING_PART).select_related("user")
    wanted = list(taking_part.filter(user_id=user_id)) if with_own and user_id else []
    if player:
        named = taking_part.filter(user__player_name__icontains=player)
        wanted += [
            entrant
            for entrant in named.order_by("user__player_name", "pk")[:MOST_FOUND]
            if entrant not in wanted
        ]
    return [_build_way(tournament, entrant, user_id) for entrant in wanted]


def _build_way(tournament: Tournament, entrant: Entrant, user_id: int | None) -> Way:
    tables = RoundTable.objects.filter(
        round__tournament=tournament, seats__entrant=entrant
    ).order_by("-round__number")
    byes = RoundSeat.objects.filter(
        round__tournament=tournament, entrant=entrant, round_table=None
    ).order_by("-round__number")
    return Way(
        entrant=entrant,
        is_own=entrant.user_id == user_id,
        is_winner=entrant.is_winner,
        tables=show_tables(tables, user_id),
        byes=list(byes.values_list("round__number", flat=True)),
    )


def show_tables(tables: QuerySet[RoundTable], user_id: int | None) -> list[ShownTable]:
    seats = Prefetch("seats", _select_seats().order_by("rank", "chair"))
    return [
        ShownTable(
            number=table.number,
            round=table.round.number,
            is_final=table.round.is_final,
            table_id=table.table_id,
            match_id=table.match_id,
            is_over=table.ended_at is not None,
            seats=[
                replace(
                    build_seat(seat, user_id),
                    is_winner=table.round.is_final and seat.entrant.is_winner,
                    is_for_third_place=bool(place) and all(one.goes_on for one in seated),
                )
                for place, seat in enumerate(seated)
            ],
        )
        for table in tables.select_related("round").prefetch_related(seats)
        for seated in [table.seats.all()]
    ]


def _select_seats() -> QuerySet[RoundSeat]:
    return RoundSeat.objects.select_related("entrant__user")


def build_seat(seat: RoundSeat, user_id: int | None) -> ShownSeat:
    user = seat.entrant.user
    return ShownSeat(
        name=user.player_name,
        face=user.shown_face,
        is_bot=user.is_bot,
        is_own=user.pk == user_id,
        chips=seat.chips,
        points=seat.points,
        goes_on=seat.goes_on,
        is_gone=seat.entrant.state == EntrantState.DISQUALIFIED,
    )
