from dataclasses import dataclass

from django.db.models import Count, Q

from tables.games.registry import get_game
from tables.models import (
    Seat,
    Table,
    TableStatus,
    TableTemplate,
)


@dataclass(frozen=True, slots=True)
class LobbyTable:
    table: Table
    seated: int
    bots: int


@dataclass(frozen=True, slots=True)
class LobbyFilter:
    """What a player looks for; empty: anything. `seats`: "2" or "6" (more than two)."""

    game: str = ""
    format: str = ""
    seats: str = ""
    currency: str = ""
    free_only: bool = False

    def condition(self) -> Q:
        """Of tables and of templates alike, but for what only one of them has."""
        wanted = Q(currency=self.currency) if self.currency else Q()
        if self.game:
            wanted &= Q(game=self.game)
        if self.seats:
            wanted &= Q(max_seats=2) if self.seats == "2" else Q(max_seats__gt=2)
        return wanted


def lobby_tables(wanted: LobbyFilter | None = None) -> list[LobbyTable]:
    """Open tables with the number of people and bots at them, cheapest first."""
    wanted = wanted or LobbyFilter()
    tables = (
        Table.objects.filter(wanted.condition(), event_url="", invite_code="", closing_at=None)
        .exclude(status=TableStatus.CLOSED)
        .defer("state", "next_seed")
        .order_by("game", "format", "currency", "point_value", "entry_fee", "max_seats", "pk")
    )
    if wanted.format:
        tables = tables.filter(format=wanted.format)
    # Counted apart: a join would read every sitting that ever was.
    counts = (
        Seat.objects.filter(left_at__isnull=True)
        .values("table_id")
        .annotate(seated=Count("pk"), bots=Count("pk", filter=Q(user__is_bot=True)))
    )
    present = {row["table_id"]: (row["seated"], row["bots"]) for row in counts}
    entries = [LobbyTable(table, *present.get(table.pk, (0, 0))) for table in tables]
    return [
        entry for entry in entries if not wanted.free_only or entry.seated < entry.table.max_seats
    ]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of table that can be played at once, and how many people play it now."""

    template: TableTemplate
    people: int


def kinds(wanted: LobbyFilter | None = None) -> list[Kind]:
    """Open templates, cheapest first."""
    wanted = wanted or LobbyFilter()
    templates = TableTemplate.objects.filter(wanted.condition(), is_open=True).order_by(
        "game", "currency", "point_value", "entry_fee", "max_seats", "pk"
    )
    seated = (
        Seat.objects.filter(left_at__isnull=True, table__template__isnull=False, user__is_bot=False)
        .values_list("table__template_id")
        .annotate(Count("pk"))
    )
    people = dict(seated)
    return [
        Kind(template, people.get(template.pk, 0))
        for template in templates
        if not wanted.format or format_of_template(template) == wanted.format
    ]


def people_playing() -> int:
    """How many people sit at a table now."""
    seated = Seat.objects.filter(left_at__isnull=True, user__is_bot=False)
    return int(seated.aggregate(people=Count("user", distinct=True))["people"])


def last_kind(user_id: int) -> int | None:
    """The template of the table at which this player has sat down last, if it still is open."""
    seats = Seat.objects.filter(user_id=user_id, table__template__is_open=True)
    return seats.order_by("-pk").values_list("table__template", flat=True).first()


def format_of_template(template: TableTemplate) -> str:
    game = get_game(template.game)
    return game.format_of(game.preset(template.preset))
