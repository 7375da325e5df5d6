"""A change of a table: the value that is stored with a move and told to the sockets."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from core.database.prepared import Prepared
from games.engine.base import JSON, Instant
from tables.models import ChangeKind
from tables.play.lock import LockedTable

encode: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


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


@dataclass(frozen=True)
class Change:
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

    def telling(self, patch: Mapping[str, Any]) -> "Change":
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


def save_change(table: LockedTable, step: Change) -> None:
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
