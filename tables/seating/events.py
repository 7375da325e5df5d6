"""Tables of an event: they are opened for certain players, for one match, without money."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from core.database.translated_texts import Words
from games.engine.base import Strength
from games.registry import get_game
from tables.models import ChangeKind, Match, MatchStatus, Seat, SeatStatus, Table, TableStatus
from tables.play.change import store_change
from tables.play.faults import resolve_faults
from tables.play.lock import LockedTable, lock_table
from tables.play.seats import view_of_table
from tables.play.seeds import new_seed
from wallet.money import Currency

# Rows per INSERT statement.
_BATCH = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOvertime:
    """The overtime of an event's tables (R10.4b).

    From `begins_at` on, a turn lasts `turn_seconds`. From `count_at` on, the deal is scored as it stands.
    """

    begins_at: datetime
    turn_seconds: int
    count_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTerms:
    """The terms shared by all tables of an event. `rules` are the game's JSON.

    The match begins at `starts_at`, or at once if only bots play. After `last_deal_at` no deal begins except
    the first.
    """

    event_url: str
    game: str
    rules: dict[str, Any]
    currency: Currency
    starts_at: datetime
    last_deal_at: datetime | None = None
    # R10.4b; None if turns keep their length and deals are played to their end.
    overtime: TableOvertime | None = None
    bot_strength: Strength = "medium"
    allows_api_players: bool = False
    # The code of a private event: its tables and matches are visible to its players and holders of the
    # code.
    invite_code: str = ""


@dataclass(frozen=True, slots=True)
class Guest:
    """A player to be seated at an event's table."""

    user_id: int
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class EventTable:
    """One table of an event. `rules` replace the shared ones; `words` hold the table's name in other languages."""

    name: str
    guests: Sequence[Guest]  # by chair, from 0
    rules: dict[str, Any] | None = None
    words: Words = field(default_factory=dict)


_audiences: list[Callable[[int, int], bool]] = []


def add_audience(includes: Callable[[int, int], bool]) -> None:
    """Register a function that returns, for a table's id and a user's id, whether the user takes part in the event."""
    _audiences.append(includes)


def is_in_audience(*, table_id: int, user_id: int) -> bool:
    """Return whether this person takes part in the table's private event and may see it without its code."""
    return any(includes(table_id, user_id) for includes in _audiences)


def open_event_tables(terms: EventTerms, tables: Sequence[EventTable]) -> list[Table]:
    """Open a table for each group of players and seat them. Return the tables. Rows are inserted in bulk."""
    rows = Table.objects.bulk_create(
        [_build_row(terms, table) for table in tables], batch_size=_BATCH
    )
    Seat.objects.bulk_create(
        [
            Seat(table=row, number=number, user_id=guest.user_id)
            for row, table in zip(rows, tables, strict=True)
            for number, guest in enumerate(table.guests)
        ],
        batch_size=_BATCH,
    )
    return rows


def _build_row(terms: EventTerms, table: EventTable) -> Table:
    game = get_game(terms.game)
    rules = table.rules or terms.rules
    overtime, bots = terms.overtime, [n for n, guest in enumerate(table.guests) if guest.is_bot]
    return Table(
        name=table.name,
        words=table.words,
        game=game.code,
        format=game.money.get_format_code(game.rules.load(rules)),
        rules=rules,
        max_seats=len(table.guests),
        currency=terms.currency,
        min_buy_in=0,
        max_buy_in=0,
        rake_bps=0,
        event_url=terms.event_url,
        invite_code=terms.invite_code,
        bot_strength=terms.bot_strength,
        allows_api_players=terms.allows_api_players,
        bot_seats=bots,
        status=TableStatus.STARTING,
        # Bots need no time to come to the table.
        deadline_at=Now() if len(bots) == len(table.guests) else terms.starts_at,
        last_deal_at=terms.last_deal_at,
        overtime_at=overtime.begins_at if overtime else None,
        overtime_turn_seconds=overtime.turn_seconds if overtime else None,
        count_at=overtime.count_at if overtime else None,
        next_seed=new_seed(),
    )


def clear_event_tables(table_ids: Sequence[int]) -> None:
    """Stand up the players at those of these tables that are closed."""
    Seat.objects.filter(
        table__in=table_ids, table__status=TableStatus.CLOSED, left_at__isnull=True
    ).update(status=SeatStatus.LEFT, left_at=Now())


@transaction.atomic
def call_off_event_table(table_id: int, *, skip_locked: bool = False) -> bool:
    """End the play at an event's table without a result. Return False if the table's row is locked."""
    table = lock_table(table_id, skip_locked=skip_locked)
    if table is None:
        return False
    if table.status is TableStatus.CLOSED:
        return True
    row = Table.objects.get(pk=table_id)
    resolve_faults(table, row)
    Match.objects.filter(table=row, status=MatchStatus.RUNNING).update(
        status=MatchStatus.CANCELLED, ended_at=Now()
    )
    Seat.objects.filter(table=row, left_at__isnull=True).update(
        status=SeatStatus.LEFT, left_at=Now()
    )
    _close(table, row)
    return True


def _close(table: LockedTable, row: Table) -> None:
    Table.objects.filter(pk=row.pk).update(status=TableStatus.CLOSED, closed_at=Now(), state=None)
    row.status = table.status = TableStatus.CLOSED
    table.state, table.bot_due = None, None
    table.set_deadline(None)
    store_change(
        table,
        ChangeKind.SEATING,
        match_id=table.match_id,
        events=[{"kind": "closed"}],
        patch={**view_of_table(table, row), "game": None},
    )
