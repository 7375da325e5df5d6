"""What the clock does: act on the tables whose time has come.

Any number of clocks may run. Each due table is locked, looked at again and acted on in a
transaction of its own, so a clock that dies halfway has done nothing.
"""

from collections.abc import Collection, Sequence
from typing import Any

from django.db import connection, transaction

from games.engine.base import Instant
from tables.models import Table, TableStatus
from tables.play.bots import play_for_seat
from tables.play.change import Change
from tables.play.faults import take_time_back
from tables.play.lock import LockedTable, lock_table
from tables.play.move import expire_deadline
from tables.play.start import start_match
from tables.seating.sitting import seat_bot

# A table with an open fault is out of order, told of it or not.
_DUE = """
SELECT t.id FROM tables_table t
 WHERE t.due_at <= clock_timestamp() AND NOT t.id = ANY(%s) AND NOT EXISTS (
       SELECT FROM tables_tablefault f WHERE f.table_id = t.id AND f.resolved_at IS NULL)
 ORDER BY CASE WHEN cardinality(t.bot_seats) = t.max_seats THEN 3
               WHEN coalesce(t.deadline_at > clock_timestamp(), true) THEN 2
               WHEN t.status = 'PLAYING' THEN 0 ELSE 1 END, t.due_at
 LIMIT %s"""
_NEXT = """
SELECT (extract(epoch FROM t.due_at - clock_timestamp()) * 1000)::bigint FROM tables_table t
 WHERE t.due_at IS NOT NULL AND NOT t.id = ANY(%s) AND NOT EXISTS (
       SELECT FROM tables_tablefault f WHERE f.table_id = t.id AND f.resolved_at IS NULL)
 ORDER BY t.due_at LIMIT 1"""


def due_tables(limit: int, *, without: Collection[int] = ()) -> list[int]:
    """Tables on which something is due: deadlines of running matches, then start timers, then bots,
    at last tables of bots alone; of each the longest overdue first."""
    return [row[0] for row in _rows(_DUE, [list(without), limit])]


def wait_for_next(*, without: Collection[int] = ()) -> Instant | None:
    """Milliseconds until something is due; None if nothing is. Below zero if it is due already."""
    rows = _rows(_NEXT, [list(without)])
    return int(rows[0][0]) if rows else None


@transaction.atomic
def act_on_table(table_id: int) -> Change | None:
    """Do the one thing that is most due; None if another clock has it or nothing is due now."""
    table = lock_table(table_id, skip_locked=True)
    if table is None or table.is_broken:
        return None
    if table.deadline is not None and table.deadline <= table.now:
        if not _is_playing(table):
            return start_match(table)
        return take_time_back(table) or expire_deadline(table)
    if table.bot_due is not None and table.bot_due <= table.now:
        change = play_for_seat(table) if _is_playing(table) else seat_bot(table)
        if change is None:  # nobody is wanted any more: it must not stay due
            Table.objects.filter(pk=table_id).update(bot_due_at=None)
        return change
    return None


def _is_playing(table: LockedTable) -> bool:
    return table.status is TableStatus.PLAYING


def _rows(statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[Any] = cursor.fetchall()
        return rows
