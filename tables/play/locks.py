"""The row lock of a table and the statements of a move.

They are SQL on Django's own connection, prepared by the server (core/database/prepared.py): the ORM costs
a move more than all the rest of it (docs/adr/0004-the-move-path.md). A table is locked before its
match and its deal, and these before any ledger account.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.db import OperationalError

from core.database.prepared import Prepared, Read, read_bytes, read_flag, read_integers
from core.observability import logs
from games.engine.base import JSON, Instant
from tables.models import ChangeKind, TableStatus
from tables.play.compact_json import encode
from tables.play.fairness import deal_seed

LARGEST_ID: Final = 2**63 - 1
_LOCK: Final = """
SELECT t.game, t.status, t.version, t.turn_version, t.state, t.match_id, t.next_seed,
       t.client_seeds, t.bot_seats, t.deferred_moves, t.broken_at IS NOT NULL, t.outage_id,
       (extract(epoch FROM t.deadline_at) * 1000)::bigint,
       (extract(epoch FROM t.bot_due_at) * 1000)::bigint,
       (extract(epoch FROM t.overtime_at) * 1000)::bigint, t.overtime_turn_seconds,
       (extract(epoch FROM t.count_at) * 1000)::bigint,
       cardinality(t.bot_seats) = t.max_seats,
       (SELECT s.number FROM tables_seat s
         WHERE s.table_id = t.id AND s.user_id = $1::bigint AND s.left_at IS NULL),
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  FROM tables_table t
 WHERE t.id = $2::bigint
   FOR NO KEY UPDATE OF t """
_LOCK_COLUMNS: Final[Sequence[Read]] = (
    bytes.decode, bytes.decode, int, int, read_bytes, int, read_bytes, json.loads, read_integers,
    json.loads, read_flag, int, int, int, int, int, int, read_flag, int, int,
)  # fmt: skip
_lock: Final = Prepared("lock_table", _LOCK, _LOCK_COLUMNS)
_lock_if_free: Final = Prepared("lock_table_if_free", _LOCK + "SKIP LOCKED", _LOCK_COLUMNS)

_save: Final = Prepared(
    "save_change",
    """
WITH saved AS (
  UPDATE tables_table
     SET state = $1::bytea, version = $2::bigint, turn_version = $3::bigint,
         deadline_at = to_timestamp($4::bigint / 1000.0),
         bot_due_at = to_timestamp($5::bigint / 1000.0)
   WHERE id = $6::bigint)
INSERT INTO tables_change
  (table_id, match_id, version, kind, seat, move, move_id, at_ms, events, patch, private)
VALUES ($7::bigint, $8::bigint, $9::bigint, $10::text, $11::smallint, $12::jsonb, $13::uuid,
        $14::bigint, $15::jsonb, $16::jsonb, $17::jsonb)""",
)


@dataclass(slots=True)
class LockedTable:
    """The fields of a table that a move needs. Valid until the transaction ends; times are in milliseconds."""

    id: int
    game: str
    status: TableStatus
    version: int
    turn_version: int
    state: bytes | None
    match_id: int | None
    next_seed: bytes
    client_seeds: dict[str, str]
    bot_seats: Sequence[int]
    deferred_moves: dict[str, dict[str, Any]]  # by seat, as on the wire
    is_broken: bool
    outage_id: int
    deadline: Instant | None
    bot_due: Instant | None
    # R10.4b: when turns become short, how short, and when a deal is counted.
    overtime_at: Instant | None
    overtime_turn_seconds: int | None
    count_at: Instant | None
    is_of_bots: bool  # nobody else sits here: nothing waits for anybody
    seat: int | None  # of the user that the lock was taken for
    now: Instant

    @property
    def deal_seed(self) -> bytes:
        """The seed of the next deal, if it is dealt now."""
        return deal_seed(self.next_seed, self.client_seeds)

    def next_version(self) -> int:
        self.version += 1
        return self.version

    def set_deadline(self, deadline: Instant | None) -> None:
        """A move of somebody who saw an earlier deadline is stale from here on."""
        if deadline != self.deadline:
            self.deadline = deadline
            self.turn_version = self.version


@dataclass(frozen=True)
class CommittedChange:
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
    # Seats whose private part holds no secret: what they may do now, as everybody can tell. Not
    # stored.
    open_seats: frozenset[str] = frozenset()

    # Stored once and sent to every seat, so they are encoded once.
    @cached_property
    def events_json(self) -> str:
        return encode(self.events)

    def telling(self, patch: Mapping[str, Any]) -> "CommittedChange":
        """The same change with more in its patch; objects are merged as a client merges them."""
        merged = dict(self.patch)
        for key, value in patch.items():
            old = merged.get(key)
            if isinstance(old, dict) and isinstance(value, dict):
                value = old | value  # noqa: PLW2901 - merged
            merged[key] = value
        return replace(self, patch=merged)

    @cached_property
    def patch_json(self) -> str:
        return encode(self.patch)


def lock_table(
    table_id: int, *, user_id: int | None = None, skip_locked: bool = False
) -> LockedTable | None:
    """Lock the table's row until the transaction ends.

    None if there is no such table, or with `skip_locked` if another transaction holds it.
    """
    if table_id > LARGEST_ID:  # an address may hold any number, and PostgreSQL refuses this one
        return None
    row = (_lock_if_free if skip_locked else _lock).first(user_id, table_id)
    if row is None:
        return None
    game, status, *rest = row
    locked = LockedTable(table_id, game, TableStatus(status), *rest)
    logs.bind(table=table_id, match=locked.match_id)
    return locked


# A lock or a statement that took too long, a deadlock, a serialization failure.
_UNDONE: Final = {"55P03", "57014", "40P01", "40001"}


def was_undone(error: OperationalError) -> bool:
    """Return whether PostgreSQL itself reported the error. After a lost connection nobody knows."""
    return getattr(error.__cause__, "sqlstate", None) in _UNDONE


def save_change(table: LockedTable, step: CommittedChange) -> None:
    """Store the table's state with the change that led to it, in one statement."""
    _save.first(
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
        None if step.move is None else encode(step.move),
        step.move_id,
        step.at,
        step.events_json,
        step.patch_json,
        encode(step.private),
    )
