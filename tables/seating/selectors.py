from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from secrets import compare_digest
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import override

from core.database.prepared import Prepared, read_flag
from core.site.numbers import number
from games.engine.base import Instant
from games.engine.game import GameFault
from games.registry import get_game
from tables.catalog import format_title
from tables.models import Admission, QueuePlace, Seat, SeatStatus, Table, TableStatus, is_member
from tables.play.seat_view import load_position
from tables.seating.events import is_in_audience
from wallet.api import compute_spendable, get_seat_balances
from wallet.money import Currency


@dataclass(frozen=True, slots=True)
class Waiting:
    """The length of a table's waiting list, and this person's place in it, from 1."""

    length: int
    place: int | None
    # The wallet's hold for the kept chair.
    hold_id: int | None = None


def get_waiting(*, table_id: int, user_id: int | None) -> Waiting:
    queue = QueuePlace.objects.filter(table_id=table_id).order_by("joined_at", "pk")
    places = list(queue.values_list("user_id", "hold_id"))
    for place, (waiting, hold_id) in enumerate(places, 1):
        if waiting == user_id:
            return Waiting(len(places), place, hold_id)
    return Waiting(len(places), None)


def compute_purse(user_id: int, currency: Currency, waiting: Waiting) -> int:
    """Return the amount that a player can bring to a table, including the amount held for their reserved seat there."""
    return compute_spendable(user_id, currency, hold_id=waiting.hold_id)


def list_tables(user_id: int) -> list[int]:
    """Return the ids of the tables at which this player sits."""
    held = Seat.objects.filter(user_id=user_id, left_at__isnull=True)
    return list(held.order_by("pk").values_list("table_id", flat=True))


def own_waiting_table(*, template_id: int, user_id: int) -> int | None:
    """Return the id of the table of this kind at which the player waits for a match, or None.

    Of several, it is the one that the player joined first.
    """
    held = Seat.objects.filter(
        user_id=user_id,
        left_at__isnull=True,
        table__template_id=template_id,
        table__status__in=(TableStatus.WAITING, TableStatus.STARTING),
    )
    return held.order_by("pk").values_list("table_id", flat=True).first()


@dataclass(frozen=True, slots=True)
class TableSeen:
    """A table with the sittings of its players in the order of seats. `stacks` maps each sitting's id to its stack."""

    table: Table
    chairs: Sequence[Seat]
    stacks: Mapping[int, int]


def find_table(user_id: int, *, table_id: int, invite: str = "") -> TableSeen | None:
    """Return the table as this person may see it, or None if they may not (`may_see`)."""
    table = Table.objects.defer("state", "next_seed").filter(pk=table_id).first()
    if table is None or not _may_see(table, user_id, invite):
        return None
    sittings = Seat.objects.filter(table_id=table_id, left_at__isnull=True)
    chairs = list(sittings.select_related("user").order_by("number"))
    stacks = get_seat_balances([chair.pk for chair in chairs], currency=Currency(table.currency))
    return TableSeen(table, chairs, stacks)


def may_see(*, table_id: int, user_id: int | None, invite: str = "") -> bool:
    """Return whether this table is visible to this person, who may be signed out.

    A private table is visible to the player who opened it, to its players and waiting list, to holders of its code, and
    to everybody if it is listed. A club's table is visible only to its members, whatever code is given. A private table
    is invisible to a player whom its host has sent away. A private event's table is visible to people who take part in
    the event and to holders of its code. Everybody else gets "no such table", because ids are easy to guess.
    """
    columns = ("invite_code", "opened_by", "event_url", "admission", "sent_away", "club")
    table = Table.objects.only(*columns).filter(pk=table_id).first()
    return table is not None and _may_see(table, user_id, invite)


def _may_see(table: Table, user_id: int | None, invite: str) -> bool:
    if not table.is_private:
        return True
    if user_id in (table.sent_away or ()):
        return False
    has_come = table.admission != Admission.CLUB and has_code(table, invite)
    if table.admission == Admission.ANYBODY or has_come:
        return True
    if user_id is None:
        return False
    if table.is_of_event:
        return is_in_audience(table_id=table.pk, user_id=user_id)
    is_own = table.opened_by_id == user_id
    if table.admission == Admission.CLUB:
        is_own = is_member(club_id=table.club_id, user_id=user_id)
    return (
        is_own
        or table.sittings.filter(user_id=user_id, left_at__isnull=True).exists()
        # A player on the waiting list has shown the code.
        or table.queue.filter(user_id=user_id).exists()
    )


def get_table_limit(*, is_slow: bool, is_bot: bool = False) -> int:
    """Return the number of tables of this kind at which a player or a BOT account may sit.

    Slow and live tables have separate limits.
    """
    if is_bot:
        return number("BOT_TABLES_AT_ONCE")
    return number("SLOW_TABLES_AT_ONCE" if is_slow else "TABLES_AT_ONCE")


def has_code(table: Table, invite: str) -> bool:
    """Return whether `invite`, which may be any string, is the code of this private table."""
    return compare_digest(table.invite_code.encode(), invite.encode(errors="surrogatepass"))


def invite_code(*, table_id: int, user_id: int | None) -> str:
    """Return the code of a private table for the player who opened it, its players and its waiting list.

    For all others it is empty.
    """
    code, _host = invitation_to(table_id=table_id, user_id=user_id)
    return code


def invitation_to(*, table_id: int, user_id: int | None, invite: str = "") -> tuple[str, str]:
    """Return the code of a private table and the name of the player who opened it, for people who may see the table.

    For all others both are empty. A lesson's code is never returned, because only its player may sit there.
    """
    tables = Table.objects.select_related("opened_by").filter(pk=table_id, is_lesson=False)
    columns = (
        "invite_code",
        "event_url",
        "admission",
        "sent_away",
        "club",
        "opened_by__player_name",
    )
    table = tables.only(*columns).first()
    if table is None or not table.is_private or not _may_see(table, user_id, invite):
        return "", ""
    return table.invite_code, "" if table.opened_by is None else table.opened_by.player_name


def is_anybody_seated() -> bool:
    """Return whether anybody, person or bot, sits at any table."""
    return Seat.objects.filter(left_at=None).exists()


class TurnState(StrEnum):
    """The state of a table, as one of its players sees it."""

    OWN_TURN = "own_turn"
    OTHER_TURN = "other_turn"
    PAUSE = "pause"  # between two deals or matches
    WAITING = "waiting"  # for players
    STAND_IN = "stand_in"  # a bot plays on for the player
    OPENED = "opened"  # a private table of theirs at which they do not sit


@dataclass(frozen=True, slots=True)
class OwnTable:
    """One of a player's tables. `player` is the name of another player who is to move, or empty.

    While a turn is running, `due_at` is its end, `deadline` the end of the extra time, and `length_ms` the length of a
    turn.
    """

    id: int
    name: str
    title: str
    state: TurnState
    player: str = ""
    due_at: Instant | None = None
    deadline: Instant | None = None
    length_ms: int = 0
    # For slow games: they have a list of their own (`until` is the end of the current wait), and no page
    # counts down.
    is_slow: bool = False
    is_match_over: bool = False
    until: datetime | None = None

    @property
    def url(self) -> str:
        return reverse("table", args=[self.id])

    @property
    def is_own_turn(self) -> bool:
        return self.state is TurnState.OWN_TURN

    def json(self) -> dict[str, Any]:
        """Return the table as in `/ws/me/`. It has no localised text: the page adds that."""
        return {
            "id": self.id,
            "name": self.name,
            "url": self.url,
            "state": self.state.value,
            "player": self.player,
            "due_at": self.due_at,
            "deadline": self.deadline,
            "length_ms": self.length_ms,
        }


_has_tables = Prepared(
    "has_tables_but",
    """
SELECT EXISTS (SELECT FROM tables_seat
                WHERE user_id = $1::bigint AND left_at IS NULL
                  AND (status <> 'LEAVING' OR bot_since IS NOT NULL)
                  AND table_id <> $2::bigint)
    OR EXISTS (SELECT FROM tables_table
                WHERE opened_by_id = $1::bigint AND status <> 'CLOSED' AND invite_code <> ''
                  AND NOT is_lesson AND id <> $2::bigint)""",
    (read_flag,),
)


def list_own_tables(
    user_id: int,
    *,
    but: int | None = None,
    is_slow: bool | None = None,
    language: str | None = None,
) -> list[OwnTable]:
    """Return the player's tables, the longest sitting first, then the private tables that they have opened.

    A table that they left during a match is listed only while a bot plays for them. `but` leaves out one table. If
    `is_slow` is True, only slow tables are listed; if it is False, only live ones. Names are in `language`, for callers
    without a request.
    """
    if _has_tables.first(user_id, but or 0) == [False]:  # most players, on every reload
        return []
    with override(language) if language else nullcontext():
        return _own_tables(user_id, but=but, is_slow=is_slow)


def select_own_seats(user_id: int) -> QuerySet[Seat]:
    """Return the player's sittings.

    Sittings that the player has left, and that stay open only until the match ends, are not included.
    """
    seats = Seat.objects.filter(user_id=user_id, left_at=None)
    return seats.exclude(status=SeatStatus.LEAVING, bot_since=None)


def _own_tables(user_id: int, *, but: int | None, is_slow: bool | None) -> list[OwnTable]:
    seats = select_own_seats(user_id).order_by("joined_at", "pk")
    if but is not None:
        seats = seats.exclude(table_id=but)
    if is_slow is not None:
        seats = seats.filter(table__is_slow=is_slow)
    held = {seat.table_id: seat for seat in seats.select_related("table").defer("table__next_seed")}
    opened = Table.objects.filter(opened_by=user_id, is_lesson=False)
    opened = opened.exclude(status=TableStatus.CLOSED)
    if is_slow is not None:
        opened = opened.filter(is_slow=is_slow)
    empty = opened.exclude(invite_code="").exclude(pk__in=[*held, but or 0]).order_by("pk")
    running = [pk for pk, seat in held.items() if seat.table.status == TableStatus.PLAYING]
    names = _names_at(running)
    return _distinguish(
        [
            *(_describe_own_table(seat, names) for seat in held.values()),
            *(_own(table, TurnState.OPENED) for table in empty.defer("state", "next_seed")),
        ]
    )


def _distinguish(tables: list[OwnTable]) -> list[OwnTable]:
    """Append the table's id to names that several tables share."""
    tables_by_name = Counter(table.name for table in tables)
    return [
        table
        if tables_by_name[table.name] == 1
        else replace(table, name=f"{table.name} #{table.id}")
        for table in tables
    ]


def _names_at(table_ids: Collection[int]) -> Mapping[tuple[int, int], str]:
    """Return the names of the seated players, as a mapping from table and seat."""
    if not table_ids:
        return {}
    seats = Seat.objects.filter(table_id__in=table_ids, left_at=None)
    rows = seats.values_list("table_id", "number", "user__player_name")
    return {(table_id, number): name for table_id, number, name in rows}


def _describe_own_table(seat: Seat, names: Mapping[tuple[int, int], str]) -> OwnTable:
    table = seat.table
    if seat.bot_since is not None:
        return _own(table, TurnState.STAND_IN)
    if table.status != TableStatus.PLAYING or table.state is None or table.broken_at is not None:
        return _own(
            table, TurnState.WAITING if table.status == TableStatus.WAITING else TurnState.PAUSE
        )
    game = get_game(table.game)
    try:
        position = load_position(game, table.pk, bytes(table.state))
        acting = position.status.acting
    except GameFault:
        return _own(table, TurnState.PAUSE)
    if not acting:
        return _own(table, TurnState.PAUSE)
    is_own = seat.number in acting
    return _own(
        table,
        TurnState.OWN_TURN if is_own else TurnState.OTHER_TURN,
        player="" if is_own else names.get((table.pk, acting[0]), ""),
        due_at=position.public["due_at"],
        deadline=position.public["deadline"],
        length_ms=1_000 * int(table.rules.get("turn_seconds", 0)),
    )


def _own(table: Table, state: TurnState, **clock: Any) -> OwnTable:
    return OwnTable(
        table.pk,
        table.shown_name,
        format_title(table),
        state,
        is_slow=table.is_slow,
        is_match_over=table.status == TableStatus.BETWEEN,
        until=table.deadline_at,
        **clock,
    )
