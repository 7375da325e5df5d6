"""The row lock of a table and the statements of a move.

They are SQL on Django's own connection, prepared by the server: the ORM costs a move more than all
the rest of it (docs/adr/0004-the-move-path.md). A table is locked before its match and its deal,
and these before any ledger account.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import psycopg
from django.db import connection

from tables.games.base import JSON, Instant
from tables.models import ChangeKind, TableStatus

_LOCK = """
SELECT t.game, t.status, t.version, t.turn_version, t.state, t.match_id, t.next_seed,
       t.bot_seats, (extract(epoch FROM t.deadline_at) * 1000)::bigint,
       (extract(epoch FROM t.bot_due_at) * 1000)::bigint,
       (SELECT s.number FROM tables_seat s
         WHERE s.table_id = t.id AND s.user_id = %s::bigint AND s.left_at IS NULL),
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  FROM tables_table t
 WHERE t.id = %s::bigint
   FOR NO KEY UPDATE OF t """

_SAVE = """
WITH saved AS (
  UPDATE tables_table
     SET state = %s::bytea, version = %s::bigint, turn_version = %s::bigint,
         deadline_at = to_timestamp(%s::bigint / 1000.0),
         bot_due_at = to_timestamp(%s::bigint / 1000.0)
   WHERE id = %s::bigint)
INSERT INTO tables_change
  (table_id, match_id, version, kind, seat, move, move_id, at_ms, events, patch, private)
VALUES (%s::bigint, %s::bigint, %s::bigint, %s::text, %s::smallint, %s::jsonb, %s::uuid,
        %s::bigint, %s::jsonb, %s::jsonb, %s::jsonb)"""


@dataclass(slots=True)
class LockedTable:
    """What a move needs of a table; valid until the transaction ends. Times in milliseconds."""

    id: int
    game: str
    status: TableStatus
    version: int
    turn_version: int
    state: bytes | None
    match_id: int | None
    next_seed: bytes
    bot_seats: Sequence[int]
    deadline: Instant | None
    bot_due: Instant | None
    seat: int | None  # of the user that the lock was taken for
    now: Instant

    def next_version(self) -> int:
        self.version += 1
        return self.version

    def set_deadline(self, deadline: Instant | None) -> None:
        """A move of somebody who saw an earlier deadline is stale from here on."""
        if deadline != self.deadline:
            self.deadline = deadline
            self.turn_version = self.version


@dataclass(frozen=True, slots=True)
class Step:
    """One committed change of a table, as it is stored and sent."""

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


def lock_table(
    table_id: int, *, user_id: int | None = None, skip_locked: bool = False
) -> LockedTable | None:
    """Lock the table's row until the transaction ends.

    None if there is no such table, or with `skip_locked` if another transaction holds it.
    """
    rows = _execute(_LOCK + ("SKIP LOCKED" if skip_locked else ""), (user_id, table_id)).fetchone()
    if rows is None:
        return None
    game, status, *rest = rows
    return LockedTable(table_id, game, TableStatus(status), *rest)


def save_step(table: LockedTable, step: Step) -> None:
    """Store the table's state with the change that led to it, in one statement."""
    _execute(
        _SAVE,
        (
            table.state,
            table.version,
            table.turn_version,
            table.deadline,
            table.bot_due,
            table.id,
            step.table_id,
            step.match_id,
            step.version,
            step.kind.value,
            step.seat,
            None if step.move is None else _dumps(step.move),
            step.move_id,
            step.at,
            _dumps(step.events),
            _dumps(step.patch),
            _dumps(step.private),
        ),
    )


_dumps = json.JSONEncoder(separators=(",", ":")).encode


def _execute(statement: str, parameters: Sequence[Any]) -> psycopg.Cursor[tuple[Any, ...]]:
    connection.ensure_connection()
    with connection.wrap_database_errors:
        cursor = psycopg.Cursor(connection.connection)
        return cursor.execute(statement.encode(), parameters, prepare=True)
