"""What the clock does: act on the tables whose time has come.

Any number of clocks may run. Each due table is locked, looked at again and acted on in a
transaction of its own, so a clock that dies halfway has done nothing.
"""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import F

from tables.games.base import Instant
from tables.games.registry import get_game
from tables.locks import LockedTable, Step, lock_table, save_step
from tables.models import ChangeKind, Table, TableStatus
from tables.seat_view import difference
from tables.services.bots import play_for_seat
from tables.services.play import expire_deadline
from tables.services.seating import seat_bot
from tables.services.starting import start_match

# A gap longer than this between two beats is an outage, for which nobody loses time.
LONGEST_SILENCE_MS = 5_000

_DUE = """
SELECT id FROM tables_table
 WHERE due_at <= clock_timestamp() AND NOT id = ANY(%s) ORDER BY due_at LIMIT %s"""
_NEXT = """
SELECT (extract(epoch FROM min(due_at) - clock_timestamp()) * 1000)::bigint FROM tables_table
 WHERE due_at IS NOT NULL AND NOT id = ANY(%s)"""
_BEAT = """
INSERT INTO tables_clockbeat (id, beat_at) VALUES (1, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET beat_at = clock_timestamp()"""
_SILENCE = """
SELECT (extract(epoch FROM clock_timestamp() - beat_at) * 1000)::bigint
  FROM tables_clockbeat WHERE id = 1 FOR UPDATE"""


def due_tables(limit: int, *, without: Collection[int] = ()) -> list[int]:
    """Tables on which something is due, the longest overdue first."""
    return [row[0] for row in _rows(_DUE, [list(without), limit])]


def wait_for_next(*, without: Collection[int] = ()) -> Instant | None:
    """Milliseconds until something is due; None if nothing is. Below zero if it is due already."""
    wait = _rows(_NEXT, [list(without)])[0][0]
    return None if wait is None else int(wait)


@transaction.atomic
def act_on_table(table_id: int) -> Step | None:
    """Do the one thing that is most due; None if another clock has it or nothing is due now."""
    table = lock_table(table_id, skip_locked=True)
    if table is None:
        return None
    if table.deadline is not None and table.deadline <= table.now:
        return expire_deadline(table) if _is_playing(table) else start_match(table)
    if table.bot_due is not None and table.bot_due <= table.now:
        return play_for_seat(table) if _is_playing(table) else seat_bot(table)
    return None


def _is_playing(table: LockedTable) -> bool:
    return table.status is TableStatus.PLAYING


@transaction.atomic
def beat() -> Sequence[Step]:
    """Say that a clock is alive; after an outage first move every running deadline back."""
    rows = _rows(_SILENCE)
    silence = rows[0][0] if rows else 0
    steps = _postpone_all(silence) if silence > LONGEST_SILENCE_MS else []
    with connection.cursor() as cursor:
        cursor.execute(_BEAT)
    return steps


def _postpone_all(by_ms: int) -> list[Step]:
    playing = "SELECT id FROM tables_table WHERE status = 'PLAYING' ORDER BY id"
    steps = [_postpone(row[0], by_ms) for row in _rows(playing)]
    return [step for step in steps if step is not None]


def _postpone(table_id: int, by_ms: int) -> Step | None:
    table = lock_table(table_id)
    if table is None or table.state is None or not _is_playing(table):
        return None
    game = get_game(table.game)
    before = game.load(table.state)
    after = game.postpone(before, by_ms=by_ms)
    Table.objects.filter(pk=table_id, last_deal_at__isnull=False).update(
        last_deal_at=F("last_deal_at") + timedelta(milliseconds=by_ms)
    )
    table.state = game.dump(after)
    version = table.next_version()
    table.deadline = game.deadline(after)
    step = Step(
        table_id=table.id,
        version=version,
        kind=ChangeKind.POSTPONED,
        at=table.now,
        match_id=table.match_id,
        move={"by_ms": by_ms},
        events=[{"kind": "postponed", "by_ms": by_ms}],
        patch={"game": difference(game.public_view(before), game.public_view(after))},
    )
    save_step(table, step)
    return step


def _rows(statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[Any] = cursor.fetchall()
        return rows
