"""A change of a table: the value that is stored with a move and announced to the table's sockets.

The message to the sockets is a hint, sent after the commit. It holds the public part, and each seat's legal moves if
they are not secret. If a seat learns something private, its socket reads that from the database. A lost message only
delays the change until the next heartbeat, when every socket compares versions (tables/live/heartbeat.py).
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from core.after_commit import send_after_commit
from core.database.prepared import Prepared
from core.observability import tracing
from core.page_notices import notify_pages
from core.values.compact_json import encode_json
from games.engine.base import JSON, Instant
from tables.models import ChangeKind
from tables.play.database_time import database_time
from tables.play.lock import LockedTable

logger = logging.getLogger(__name__)

# The kind of the event that a player sits down.
SEATED: Final = "seated"
# Tells the player's pages that they have sat down or got up; the pages then ask where the player sits.
OWN_TABLES: Final = "tables"

# How far the time of a step that was taken without the lock may differ from the database's.
LATE_AT_MOST: Final[Instant] = 1_000
EARLY_AT_MOST: Final[Instant] = 50
_SAVE: Final = """
WITH saved AS (
  UPDATE tables_table
     SET state = $1::bytea, version = $2::bigint, turn_version = $3::bigint,
         deadline_at = to_timestamp($4::bigint / 1000::float8),
         bot_due_at = to_timestamp($5::bigint / 1000::float8)
   WHERE id = $6::bigint{0}
  RETURNING id)
INSERT INTO tables_change
  (table_id, match_id, version, kind, seat, move, move_id, at_ms, events, patch, private)
SELECT $7::bigint, $8::bigint, $9::bigint, $10::text, $11::smallint, $12::jsonb, $13::uuid,
       $14::bigint, $15::jsonb, $16::jsonb, $17::jsonb
  FROM saved
RETURNING pg_current_xact_id()::xid, (extract(epoch FROM clock_timestamp()) * 1000)::bigint"""
# The row is the one that the step was taken on, the time agrees with the database's, and the deadline has not passed.
# The state is compared, too: a standby that takes over may give the number of a lost transaction to another one.
_UNCHANGED: Final = f"""
     AND xmin = $18::xid AND state = $19::bytea
     AND (deadline_at IS NULL OR deadline_at > clock_timestamp())
     AND $14::bigint - (extract(epoch FROM clock_timestamp()) * 1000)::bigint
         BETWEEN {-LATE_AT_MOST} AND {EARLY_AT_MOST}"""
_COLUMNS: Final = (bytes.decode, int)
_save: Final = Prepared("save_change", _SAVE.format(""), _COLUMNS)
_save_if_unchanged: Final = Prepared("save_change_if_unchanged", _SAVE.format(_UNCHANGED), _COLUMNS)


class RowHasChanged(Exception):  # noqa: N818 - says what has happened
    """The table's row has changed since a step was computed from it, so nothing was stored."""


@dataclass(frozen=True)
class TableChange:
    """A change of a table, as it is stored and sent.

    `version` is None for a change that only one seat receives, such as a secret answer: a number would tell the other
    players that there was one.
    """

    table_id: int
    version: int | None
    kind: ChangeKind
    at: Instant
    seat: int | None = None
    move: Mapping[str, JSON] | None = None
    move_id: UUID | None = None
    match_id: int | None = None
    events: Sequence[Mapping[str, JSON]] = ()
    patch: Mapping[str, Any] = field(default_factory=dict)
    private: Mapping[str, Mapping[str, JSON]] = field(default_factory=dict)
    # Seats whose private part holds only public moves and no secret. Not stored.
    open_seats: frozenset[str] = frozenset()
    # An arrangement of the hand: the player's socket has it already. Not stored.
    is_draft: bool = False

    @cached_property
    def events_json(self) -> str:
        """The events, encoded once for the database and all seats."""
        return encode_json(self.events)

    @cached_property
    def patch_json(self) -> str:
        """The patch, encoded once for the database and all seats."""
        return encode_json(self.patch)

    @property
    def players(self) -> list[Any]:
        """Return the ids of players who sit down or get up in these events. Their view of the table starts over."""
        return [event["player"] for event in self.events if "player" in event]

    @property
    def chairs(self) -> list[JSON] | None:
        """Return the id of the player on each seat after this change, or None if no seat has changed.

        The end of a match frees seats without an event for each.
        """
        seats = self.patch.get("seats")
        if seats is None:
            return None
        return [None if chair["player"] is None else chair["player"]["id"] for chair in seats]

    def with_patch(self, patch: Mapping[str, Any]) -> "TableChange":
        """Return this change with another patch merged into its own, as a client merges them."""
        merged = dict(self.patch)
        for key, value in patch.items():
            old = merged.get(key)
            is_merged = isinstance(old, dict) and isinstance(value, dict)
            merged[key] = old | value if is_merged else value
        return replace(self, patch=merged)

    def json(self, *, seat: int | None = None) -> str:
        """Encode the change with this seat's private part, or without one if `seat` is None."""
        own = None if seat is None else self.private.get(str(seat))
        public = (
            f'{{"v":{self.version},"at":{self.at},"events":{self.events_json}'
            f',"patch":{self.patch_json}}}'
        )
        return public if own is None else with_private_part(public, encode_json(own))


def with_private_part(change: str, private: str) -> str:
    """Add one seat's private part to a public change. Both are encoded as JSON."""
    return f'{change[:-1]},"you":{private}}}'


def save_change(table: LockedTable, change: TableChange) -> None:
    """Store the table's state and its change in one SQL statement, and announce the change after the commit.

    Raises RowHasChanged if the table is not locked and its row has changed since it was read.
    """
    values = (
        table.state,
        table.version,
        table.turn_version,
        table.deadline,
        table.bot_due,
        table.id,
        change.table_id,
        change.match_id,
        change.version,
        change.kind.value,
        change.seat,
        None if change.move is None else encode_json(change.move),
        change.move_id,
        change.at,
        change.events_json,
        change.patch_json,
        encode_json(change.private),
    )
    base = table.base
    saved = _save.first(*values) if base is None else _save_if_unchanged.first(*values, *base)
    if saved is None:
        raise RowHasChanged
    table.row, now = saved
    database_time.record(now)
    if change.version is not None:
        send_after_commit(announce, change)
    elif not change.is_draft:
        send_after_commit(announce_to_own_seats, change)


def store_change(table: LockedTable, kind: ChangeKind, **parts: Any) -> TableChange:
    """Build a change of a locked table with its next version, save it and return it.

    `parts` are the other fields of `TableChange`.
    """
    version = table.advance_version()
    change = TableChange(table_id=table.id, version=version, kind=kind, at=table.now, **parts)
    save_change(table, change)
    return change


def name_table_group(table_id: int) -> str:
    """Return the channel group of all sockets at a table."""
    return f"table.{table_id}"


async def announce(change: TableChange) -> None:
    """Publish a committed change.

    If Redis is down, play continues, and sockets receive the change at their next heartbeat.
    """
    with tracing.open_span("publish", version=change.version or 0):
        await _publish(change, _build_message(change))


async def announce_to_own_seats(change: TableChange) -> None:
    """Tell the sockets of the seats that learn something secret to read it from the database."""
    move_id = None if change.move_id is None else str(change.move_id)
    message = {"type": "table.secret", "seats": [*change.private], "move": move_id}
    await _publish(change, message)


async def _publish(change: TableChange, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    assert layer is not None  # noqa: S101 - the settings name one
    try:
        await layer.group_send(
            name_table_group(change.table_id), {**message, "table": change.table_id}
        )
        for user_id in change.players:
            await notify_pages(user_id, {"type": OWN_TABLES})
    except (RedisError, OSError) as error:
        logger.warning("table %s: change %s not sent: %s", change.table_id, change.version, error)


def _build_message(change: TableChange) -> dict[str, Any]:
    message = {
        "type": "table.changed",
        "v": change.version,
        "change": change.json(),
        "players": change.players,
        "chairs": change.chairs,
        "private": [seat for seat in change.private if seat not in change.open_seats],
        "own": {seat: encode_json(change.private[seat]) for seat in change.open_seats},
    }
    if (mark := tracing.mark()) is not None:
        message["trace"] = mark
    return message
