import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from django.core.cache import cache
from django.db.models import Count, F, Func, IntegerField, Q, Sum
from django.db.models.functions import Coalesce

from games.registry import get_game
from tables.models import (
    IN_THE_LOBBY,
    IN_THE_ORDER_OF_THE_LOBBY,
    Seat,
    Table,
    TableStatus,
    TableTemplate,
)

# Up to this many rows are counted on every request.
SMALL: Final = 2_000
SHOWN_FOR_SECONDS: Final = 10
# If a process dies while counting, the others wait this long before they count.
_COUNTS_FOR_SECONDS: Final = 30
_FORGOTTEN_AFTER_SECONDS: Final = 300

Counted = TypeVar("Counted")


def count_seldom(
    key: str, count: Callable[[], Counted], *, size: Callable[[Counted], int]
) -> Counted:
    """Return the result of `count`, which may be some seconds old. `size` returns the number of counted rows.

    A small site counts every time. On a large one the last result is used for some seconds. Then one process
    counts again while the others still use the old result. The cache stores JSON, so tuples come back as
    lists.
    """
    kept: tuple[float, Counted] | None = cache.get(key)
    if kept is not None:
        counted_at, last = kept
        # Another machine's clock may be ahead.
        is_fresh = abs(time.time() - counted_at) < SHOWN_FOR_SECONDS
        if is_fresh or not cache.add(f"{key}:counting", 1, _COUNTS_FOR_SECONDS):
            return last
    counted = count()
    if size(counted) > SMALL:
        cache.set(key, (time.time(), counted), _FORGOTTEN_AFTER_SECONDS)
    else:
        cache.delete(key)
    cache.delete(f"{key}:counting")
    return counted


# Tables listed at most; those with a free seat come first.
TABLES_SHOWN: Final = 120


@dataclass(frozen=True, slots=True)
class LobbyTable:
    table: Table
    seated: int
    bots: int


@dataclass(frozen=True, slots=True)
class Occupied:
    """A taken seat of a table, as the lobby shows it."""

    face: str
    name: str


@dataclass(frozen=True, slots=True)
class LobbyTables:
    """The tables of a list. `has_more` means that there are further tables, which are not listed."""

    entries: Sequence[LobbyTable]
    has_more: bool


@dataclass(frozen=True, slots=True)
class LobbyFilter:
    """A player's search. Empty fields match everything. `seats` is "2", or "6" for more than two."""

    game: str = ""
    format: str = ""
    seats: str = ""
    currency: str = ""
    free_only: bool = False
    occupied_only: bool = False

    def condition(self) -> Q:
        """Return a condition that can filter both tables and table templates.

        It leaves out the fields that only one of the two models has.
        """
        wanted = Q(currency=self.currency) if self.currency else Q()
        if self.game:
            wanted &= Q(game=self.game)
        if self.seats:
            wanted &= Q(max_seats=2) if self.seats == "2" else Q(max_seats__gt=2)
        return wanted


def list_lobby_tables(wanted: LobbyFilter | None = None) -> LobbyTables:
    """Return open tables with the number of people and bots at them, cheapest first.

    If there are too many to list, tables with a free seat are preferred, and among them those with players.
    """
    wanted = wanted or LobbyFilter()
    tables = Table.objects.filter(IN_THE_LOBBY, wanted.condition())
    if wanted.format:
        tables = tables.filter(format=wanted.format)
    tables = (
        tables.select_related("opened_by")
        .defer("state", "next_seed")
        .order_by(*IN_THE_ORDER_OF_THE_LOBBY, "pk")
    )
    is_free, is_empty = Q(seats_taken__lt=F("max_seats")), Q(seats_taken=0)
    steps = [tables.filter(is_free).exclude(is_empty)]
    if not wanted.occupied_only:
        steps.append(tables.filter(is_empty))
    if not wanted.free_only:
        steps.append(tables.exclude(is_free))
    found: list[Table] = []
    for step in steps:
        found += step[: max(0, TABLES_SHOWN + 1 - len(found))]
    shown = sorted(found[:TABLES_SHOWN], key=_place_in_the_lobby)
    entries = [LobbyTable(table, table.seats_taken, len(table.bot_seats)) for table in shown]
    return LobbyTables(entries, len(found) > TABLES_SHOWN)


def _place_in_the_lobby(table: Table) -> tuple[Any, ...]:
    return (*(getattr(table, name) for name in IN_THE_ORDER_OF_THE_LOBBY), table.pk)


def list_occupied_seats(entries: Sequence[LobbyTable]) -> Mapping[int, list[Occupied]]:
    """Return a mapping from table id to the taken seats, in the order of the seats. One query reads them all."""
    taken = Seat.objects.filter(
        table__in=[entry.table.pk for entry in entries if entry.seated], left_at=None
    )
    found: defaultdict[int, list[Occupied]] = defaultdict(list)
    for seat in taken.select_related("user").order_by("table", "number"):
        found[seat.table_id].append(Occupied(seat.user.shown_face, seat.user.player_name))
    return found


@dataclass(frozen=True, slots=True)
class TableKind:
    """A kind of table that can be played immediately, with the number of people who are playing it."""

    template: TableTemplate
    people: int


def list_kinds(wanted: LobbyFilter | None = None) -> list[TableKind]:
    """Return the open table templates, cheapest first, with the number of people at their tables."""
    wanted = wanted or LobbyFilter()
    templates = TableTemplate.objects.filter(wanted.condition(), is_open=True)
    templates = templates.select_related("house_rules").order_by(
        "game", "currency", "point_value", "entry_fee", "max_seats", "pk"
    )
    people = count_people_seated()
    return [
        TableKind(template, people.by_template.get(template.pk, 0))
        for template in templates
        if not wanted.format or format_of_template(template) == wanted.format
    ]


def count_people_playing() -> int:
    """Return the number of people seated now. On large sites it may be some seconds old."""
    return count_seldom("people-playing", _count_people_playing, size=int)


def _count_people_playing() -> int:
    seated = Seat.objects.filter(left_at__isnull=True, user__is_bot=False)
    return int(seated.aggregate(people=Count("user", distinct=True))["people"])


@dataclass(frozen=True, slots=True)
class PeopleSeated:
    """The number of people seated now. On large sites it may be some seconds old."""

    by_template: Mapping[int, int]
    by_game: Mapping[str, int]
    """At all tables: lessons, private ones and those of tournaments too."""
    waiting_by_game: Mapping[str, int]
    """At tables in the lobby whose match has not begun."""


def count_people_seated() -> PeopleSeated:
    rows = count_seldom(
        "people-and-waiting",
        _count_people_seated,
        size=lambda rows: sum(people for *_, people, _waiting in rows),
    )
    by_game: Counter[str] = Counter()
    waiting_by_game: Counter[str] = Counter()
    for game, _template, people, waiting in rows:
        by_game[game] += people
        waiting_by_game[game] += waiting
    by_template = {template: people for _, template, people, _waiting in rows if template}
    return PeopleSeated(by_template, by_game, waiting_by_game)


def _count_people_seated() -> list[tuple[str, int | None, int, int]]:
    seated = Table.objects.exclude(status=TableStatus.CLOSED).filter(seats_taken__gt=0)
    bots = Coalesce(Func("bot_seats", function="cardinality", output_field=IntegerField()), 0)
    is_waiting = IN_THE_LOBBY & Q(status=TableStatus.WAITING)
    people = seated.values("game", "template_id").annotate(
        people=Sum(F("seats_taken") - bots),
        waiting=Coalesce(Sum(F("seats_taken") - bots, filter=is_waiting), 0),
    )
    return [
        (row["game"], row["template_id"], row["people"], row["waiting"])
        for row in people.order_by("game", "template_id")
    ]


def get_last_kind(user_id: int) -> int | None:
    """Return the id of the template of the table at which this player last sat down, or None.

    Only tables of open templates are considered.
    """
    seats = Seat.objects.filter(user_id=user_id, table__template__is_open=True)
    return seats.order_by("-pk").values_list("table__template", flat=True).first()


def format_of_template(template: TableTemplate) -> str:
    return get_game(template.game).money.get_format_code(template.rule_set)
