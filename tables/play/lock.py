"""The row lock of a table.

Its statement is SQL on Django's own connection, prepared by the server (core/database/prepared.py): the ORM would cost
more than the rest of a move (docs/adr/0004-the-move-path.md). Lock a table before its match and its deal, and all of
these before any ledger account.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import InterfaceError, InternalError, OperationalError

from core.database.prepared import Prepared, Read, read_bytes, read_flag, read_integers
from core.observability import logs
from core.values.numbers import LARGEST_ID
from games.engine.base import Instant
from tables.models import TableStatus
from tables.play.database_time import database_time

# A lock or statement timeout, a lost or closed connection, a transaction that the server ended because this
# process stalled in it (25P03), or a server that has become a standby and may not write (25006).
DATABASE_FAILED: Final = (OperationalError, InterfaceError, InternalError)


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
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint, t.xmin
  FROM tables_table t
 WHERE t.id = $2::bigint
   FOR NO KEY UPDATE OF t """
_LOCK_COLUMNS: Final[Sequence[Read]] = (
    bytes.decode, bytes.decode, int, int, read_bytes, int, read_bytes, json.loads, read_integers,
    json.loads, read_flag, int, int, int, int, int, int, read_flag, int, int,
    bytes.decode,
)  # fmt: skip
_lock: Final = Prepared("lock_table", _LOCK, _LOCK_COLUMNS)
_lock_if_free: Final = Prepared("lock_table_if_free", _LOCK + "SKIP LOCKED", _LOCK_COLUMNS)


@dataclass(slots=True)
class LockedTable:
    """The fields of a table that a move needs. Times are in milliseconds.

    With a lock these values are valid until the transaction ends. Without a lock they are valid while the row has not
    changed since they were read (tables/play/known_tables.py).
    """

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
    # R10.4b: when turns become short, how short, and when the deal is scored.
    overtime_at: Instant | None
    overtime_turn_seconds: int | None
    count_at: Instant | None
    is_of_bots: bool  # only bots sit here, so nothing waits for people
    seat: int | None  # of the user that the lock was taken for
    now: Instant
    row: str  # which version of the row was read or written: every write makes another one
    # Without the lock: the version and the state that the row must still have.
    base: tuple[str, bytes] | None = None

    @property
    def is_locked(self) -> bool:
        return self.base is None

    def advance_version(self) -> int:
        self.version += 1
        return self.version

    def set_deadline(self, deadline: Instant | None) -> None:
        """Set the deadline. A move that was sent before the player saw a new deadline is stale from now on."""
        if deadline != self.deadline:
            self.deadline = deadline
            self.turn_version = self.version


def milliseconds(moment: datetime) -> Instant:
    """Convert a database time to milliseconds, the unit of games and frames."""
    return round(moment.timestamp() * 1000)


def lock_table(
    table_id: int, *, user_id: int | None = None, skip_locked: bool = False
) -> LockedTable | None:
    """Lock the table's row until the transaction ends.

    Return None if there is no such table, or with `skip_locked` if another transaction has locked it.
    """
    if table_id > LARGEST_ID:  # an address may hold any number, and PostgreSQL refuses this one
        return None
    row = (_lock_if_free if skip_locked else _lock).first(user_id, table_id)
    if row is None:
        return None
    game, status, *rest = row
    locked = LockedTable(table_id, game, TableStatus(status), *rest)
    database_time.record(locked.now)
    logs.bind(table=table_id, match=locked.match_id)
    return locked


# Lock or statement timeout, deadlock, serialization failure.
_UNDONE: Final = {"55P03", "57014", "40P01", "40001"}


def was_undone(error: OperationalError) -> bool:
    """Return whether PostgreSQL itself reported the error, so that the transaction was rolled back.

    After a lost connection the outcome is unknown.
    """
    return getattr(error.__cause__, "sqlstate", None) in _UNDONE
