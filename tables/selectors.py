"""Reading tables for pages and sockets."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from secrets import compare_digest

from django.db import connection
from django.db.models import Count, F, Q
from django.db.models.functions import Now

from accounts.models import User
from tables.games.base import Instant
from tables.games.guard import GameFault
from tables.games.registry import get_game
from tables.locks import LARGEST_ID, Step
from tables.models import (
    Change,
    ChangeKind,
    ChatLine,
    IgnoredPlayer,
    QueuePlace,
    Seat,
    Table,
    TableStatus,
    TableTemplate,
)
from tables.seat_view import NOT_PLAYING, View, line_view, seats_view, table_view
from wallet import selectors as wallet_selectors
from wallet.money import Currency

logger = logging.getLogger(__name__)

# Somebody who missed more than this gets a snapshot instead: it is shorter.
LONGEST_CATCH_UP = 50
# Of the chat, to somebody who comes.
LINES_SHOWN = 30


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that one person may see of a table, at one version."""

    epoch: str
    version: int
    now: Instant
    seat: int | None
    state: View


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a table is, and where this person sits at it."""

    epoch: str
    version: int
    admits_programs: bool
    is_private: bool
    seat: int | None
    seen_until: Instant  # they sat here until then, and saw everything; 0: never


def standing(*, table_id: int, user_id: int | None) -> Standing | None:
    """None if there is no such table; `table_id` may be any number."""
    if table_id > LARGEST_ID:
        return None
    tables = Table.objects.filter(pk=table_id).annotate(has_code=~Q(invite_code=""))
    table = tables.values_list("epoch", "version", "admits_programs", "has_code").first()
    if table is None:
        return None
    if user_id is None:
        return Standing(*table, seat=None, seen_until=0)
    # The sitting that has not ended comes first.
    mine = Seat.objects.filter(table_id=table_id, user_id=user_id).order_by(F("left_at").desc())
    number, left_at = mine.values_list("number", "left_at").first() or (None, None)
    if left_at is None:
        return Standing(*table, seat=number, seen_until=0)
    return Standing(*table, seat=None, seen_until=_milliseconds(left_at))


def database_now() -> Instant:
    """Milliseconds of the database's clock, the only one that deadlines are compared with."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        return int(cursor.fetchone()[0])


def snapshot(*, table_id: int, user_id: int | None) -> Snapshot | None:
    """None if there is no such table. Read once, so the version belongs to the state."""
    table = Table.objects.filter(pk=table_id).first()
    if table is None:
        return None
    sittings = list(Seat.objects.filter(table=table, left_at__isnull=True).select_related("user"))
    stacks = wallet_selectors.seat_balances(
        [sitting.pk for sitting in sittings], currency=Currency(table.currency)
    )
    seat = next((s.number for s in sittings if s.user_id == user_id), None)
    public, private = _game_views(table, seat)
    you: View = {"seat": seat, **NOT_PLAYING}
    if seat is not None:
        mine = next(s for s in sittings if s.number == seat)
        you |= {"auto_drop": seat in table.drop_seats, "last_deal": mine.is_last_deal}
    you |= private
    return Snapshot(
        epoch=table.epoch,
        version=table.version,
        now=database_now(),
        seat=seat,
        state={
            "table": table_view(table),
            "seats": seats_view(table, sittings, stacks),
            "game": public,
            "rules": table.rules,
            "you": you,
        },
    )


def _game_views(table: Table, seat: int | None) -> tuple[View | None, View]:
    """What everybody and what this seat sees of the game: nothing if there is none, or it fails."""
    if table.state is None:
        return None, {}
    game = get_game(table.game)
    try:
        state = game.load(bytes(table.state))
        is_member = seat is not None and seat in game.members(state)
        return game.public_view(state), game.private_view(state, seat or 0) if is_member else {}
    except GameFault:
        logger.exception("table %s cannot be shown", table.pk)
        return None, {}


def changes_since(*, table_id: int, version: int) -> list[Step] | None:
    """Every change after `version`; None if a snapshot is shorter."""
    rows = Change.objects.filter(table_id=table_id, version__gt=version).order_by("version")
    found = list(
        rows.values("version", "kind", "at_ms", "events", "patch", "private")[
            : LONGEST_CATCH_UP + 1
        ]
    )
    if len(found) > LONGEST_CATCH_UP or (found and found[0]["version"] != version + 1):
        return None
    return [
        Step(
            table_id=table_id,
            version=row["version"],
            kind=ChangeKind(row["kind"]),
            at=row["at_ms"],
            events=row["events"],
            patch=row["patch"],
            private=row["private"],
        )
        for row in found
    ]


def versions(table_ids: Iterable[int]) -> tuple[dict[int, int], Instant]:
    """The newest version of each of these tables, and the database's time."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, version FROM tables_table WHERE id = ANY(%s::bigint[])", [list(table_ids)]
        )
        return dict(cursor.fetchall()), database_now()


@dataclass(frozen=True, slots=True)
class LobbyTable:
    table: Table
    seated: int
    bots: int


@dataclass(frozen=True, slots=True)
class LobbyWish:
    """What a player looks for; empty: anything. `seats`: "2" or "6" (more than two)."""

    variant: str = ""
    seats: str = ""
    currency: str = ""
    free_only: bool = False

    def condition(self) -> Q:
        """Of tables and of templates alike, but for what only one of them has."""
        wanted = Q(currency=self.currency) if self.currency else Q()
        if self.seats:
            wanted &= Q(max_seats=2) if self.seats == "2" else Q(max_seats__gt=2)
        return wanted


def lobby_tables(wish: LobbyWish | None = None) -> list[LobbyTable]:
    """Open tables with the number of people and bots at them, cheapest first."""
    wish = wish or LobbyWish()
    tables = (
        Table.objects.filter(wish.condition(), event_url="", invite_code="")
        .exclude(status=TableStatus.CLOSED)
        .defer("state", "next_seed")
        .order_by("variant", "currency", "point_value", "entry_fee", "max_seats", "pk")
    )
    if wish.variant:
        tables = tables.filter(variant=wish.variant)
    # Counted apart: a join would read every sitting that ever was.
    counts = (
        Seat.objects.filter(left_at__isnull=True)
        .values("table_id")
        .annotate(seated=Count("pk"), bots=Count("pk", filter=Q(user__is_bot=True)))
    )
    present = {row["table_id"]: (row["seated"], row["bots"]) for row in counts}
    found = [LobbyTable(table, *present.get(table.pk, (0, 0))) for table in tables]
    return [entry for entry in found if not wish.free_only or entry.seated < entry.table.max_seats]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of table that can be played at once, and how many people play it now."""

    template: TableTemplate
    people: int


def kinds(wish: LobbyWish | None = None) -> list[Kind]:
    """Open templates, cheapest first."""
    wish = wish or LobbyWish()
    game = get_game("indian")
    templates = TableTemplate.objects.filter(wish.condition(), is_open=True).order_by(
        "currency", "point_value", "entry_fee", "max_seats", "pk"
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
        if not wish.variant or game.family(game.preset(template.preset)) == wish.variant
    ]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A table's waiting list, and this person's place in it from 1."""

    length: int
    place: int | None
    # What is put aside for the chair that is kept.
    hold_id: int | None = None


def waiting_for(*, table_id: int, user_id: int | None) -> Waiting:
    queue = QueuePlace.objects.filter(table_id=table_id).order_by("joined_at", "pk")
    places = list(queue.values_list("user_id", "hold_id"))
    for number, (waiting, hold_id) in enumerate(places, 1):
        if waiting == user_id:
            return Waiting(len(places), number, hold_id)
    return Waiting(len(places), None)


def purse_of(user_id: int, currency: Currency, waiting: Waiting) -> int:
    """What a player can bring to a table: with what is put aside for their chair there."""
    return wallet_selectors.spendable(user_id, currency, hold_id=waiting.hold_id)


@dataclass(frozen=True, slots=True)
class KeptChair:
    """A chair that is free for this person alone until `until_ms`."""

    table_id: int
    user_id: int
    name: str
    until_ms: int


def kept_chairs_of(user_id: int) -> list[KeptChair]:
    """The chairs that are free for this person now."""
    places = QueuePlace.objects.filter(user_id=user_id, offered_until__gt=Now())
    return [
        KeptChair(place.table_id, user_id, place.table.name, _milliseconds(place.offered_until))
        for place in places.select_related("table")
        if place.offered_until is not None
    ]


def _milliseconds(moment: datetime) -> Instant:
    return round(moment.timestamp() * 1000)


@dataclass(frozen=True, slots=True)
class TableSeen:
    """A table with who sits there, by seat, and their stacks by sitting."""

    table: Table
    chairs: Sequence[Seat]
    stacks: Mapping[int, int]


def table_seen_by(user_id: int, *, table_id: int, invite: str = "") -> TableSeen | None:
    """None where `may_see` says no."""
    table = Table.objects.defer("state", "next_seed").filter(pk=table_id).first()
    if table is None or not _may_see(table, user_id, invite):
        return None
    sittings = Seat.objects.filter(table_id=table_id, left_at__isnull=True)
    chairs = list(sittings.select_related("user").order_by("number"))
    stacks = wallet_selectors.seat_balances(
        [chair.pk for chair in chairs], currency=Currency(table.currency)
    )
    return TableSeen(table, chairs, stacks)


def may_see(*, table_id: int, user_id: int | None, invite: str = "") -> bool:
    """Whether this table is there for this person, who may be signed out.

    A private table is there for who opened it, sits there, waits or has its code, and for everybody
    else as if there were none. Its number tells nothing: numbers can be counted through.
    """
    table = Table.objects.only("invite_code", "opened_by").filter(pk=table_id).first()
    return table is not None and _may_see(table, user_id, invite)


def _may_see(table: Table, user_id: int | None, invite: str) -> bool:
    if not table.is_private or has_code(table, invite):
        return True
    return user_id is not None and (
        table.opened_by_id == user_id
        or table.sittings.filter(user_id=user_id, left_at__isnull=True).exists()
        # Nobody waits who has not shown the code.
        or table.queue.filter(user_id=user_id).exists()
    )


def has_code(table: Table, invite: str) -> bool:
    """Whether this is the code of a private table; `invite` may be any text."""
    return compare_digest(table.invite_code.encode(), invite.encode(errors="surrogatepass"))


def invite_code(*, table_id: int, user_id: int | None) -> str:
    """The code of a private table, for who opened it, sits there or waits; otherwise empty.

    A lesson is nobody else's: its code is not told.
    """
    tables = Table.objects.only("invite_code", "opened_by")
    private = tables.filter(pk=table_id, opened_by__isnull=False, is_lesson=False).first()
    if private is None or not private.is_private or not _may_see(private, user_id, invite=""):
        return ""
    return private.invite_code


def chat_of(*, table_id: int, length: int) -> list[ChatLine]:
    """The newest lines that were said at a table, oldest first."""
    lines = ChatLine.objects.filter(table_id=table_id).select_related("user").order_by("-pk")
    return list(reversed(lines[:length]))


def ignored_by(user_id: int) -> frozenset[int]:
    """Whose lines this person does not want to read."""
    ignored = IgnoredPlayer.objects.filter(user_id=user_id)
    return frozenset(ignored.values_list("ignored_id", flat=True))


def ignored_players(user_id: int) -> list[User]:
    ignored = User.objects.filter(pk__in=ignored_by(user_id))
    return list(ignored.order_by("player_name"))


def chat_for(table_id: int, user_id: int) -> tuple[frozenset[int], list[View]]:
    """Whom this player ignores, and what the others have said lately."""
    ignored = ignored_by(user_id)
    lines = chat_of(table_id=table_id, length=LINES_SHOWN)
    return ignored, [line_view(line) for line in lines if line.user_id not in ignored]
