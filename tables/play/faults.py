"""Interruptions of play: tables out of order because their game failed, and outages of all clocks.

A fault is stored in a row of its own, so that it can be stored while a stuck thread still holds the table's row. The
clock skips a table with an open fault.

An outage is stored as a row, too. A table gets the lost time back when it is next acted on, under its own lock, before
any deadline that has meanwhile passed can take effect. A table that is locked, or whose game fails, delays no other
table. If a clock dies before it has reached every table, the remaining tables still get their time back later.
"""

import logging
import traceback
from collections.abc import Sequence
from datetime import timedelta

from django.db import connection, transaction
from django.db.models import F, Subquery
from django.db.models.functions import Coalesce, Now

from core.refusals import Refusal
from games.engine.base import Instant
from games.engine.core import Outcome
from games.registry import get_game
from tables.models import (
    LONGEST_TRACEBACK,
    ChangeKind,
    ClockOutage,
    Doing,
    Table,
    TableFault,
    TableStatus,
)
from tables.models import Change as StoredChange
from tables.play.change import TableChange, save_change
from tables.play.lock import LockedTable, lock_table, milliseconds
from tables.play.seat_view import View, cache_position, compute_difference, load_position
from tables.play.seats import save_seating
from tables.refusals import NOT_OUT_OF_ORDER

logger = logging.getLogger(__name__)

# A longer gap between two heartbeats of the clock is an outage.
LONGEST_SILENCE_SECONDS = 5

_BEAT = """
WITH before AS (
  SELECT beat_at FROM tables_clockbeat WHERE id = 1 FOR UPDATE),
outage AS (
  INSERT INTO tables_clockoutage (began_at, ended_at)
  SELECT beat_at, clock_timestamp() FROM before
   WHERE beat_at < clock_timestamp() - %s * interval '1 second'
  RETURNING id),
beat AS (
  INSERT INTO tables_clockbeat (id, beat_at) VALUES (1, clock_timestamp())
      ON CONFLICT (id) DO UPDATE SET beat_at = clock_timestamp())
SELECT greatest((SELECT max(id) FROM outage), (SELECT max(id) FROM tables_clockoutage), 0)"""


def store_heartbeat() -> int:
    """Record a clock's heartbeat. Return the number of the latest outage, 0 if there was none.

    If several clocks come back at the same time, the first one records the outage.
    """
    with connection.cursor() as cursor:
        cursor.execute(_BEAT, [LONGEST_SILENCE_SECONDS])
        return int(cursor.fetchone()[0])


def build_latest_outage() -> Coalesce:
    """Return a query expression for the latest outage's number, or 0.

    Play that begins now stores it, because it has lost no time in earlier outages.
    """
    latest = ClockOutage.objects.order_by("-pk").values("pk")[:1]
    return Coalesce(Subquery(latest), 0)


def list_owed_tables(outage_id: int) -> list[int]:
    """Return running tables that have not been compensated for this outage or an earlier one.

    Slow tables are left out. Their turns may last a day, so a few lost seconds matter only at the deadline, when these
    tables are compensated.
    """
    playing = Table.objects.filter(
        status=TableStatus.PLAYING, outage_id__lt=outage_id, broken_at=None, is_slow=False
    )
    return list(playing.order_by("deadline_at").values_list("pk", flat=True))


@transaction.atomic
def give_time_back(table_id: int) -> TableChange | None:
    """Compensate a table for outages.

    Return None if it has lost no time, or if another transaction has locked the table and will compensate it.
    """
    table = lock_table(table_id, skip_locked=True)
    return None if table is None else take_time_back(table)


def take_time_back(table: LockedTable) -> TableChange | None:
    """Postpone the running deadlines of a locked table by the time lost in outages.

    Return the change to announce; None if no time was lost.
    """
    if table.status is not TableStatus.PLAYING or table.is_broken:
        return None
    outages = list(ClockOutage.objects.filter(pk__gt=table.outage_id).order_by("pk"))
    if not outages:
        return None
    table.outage_id = outages[-1].pk
    Table.objects.filter(pk=table.id).update(outage_id=table.outage_id)
    lost = _compute_lost_time(table, outages)
    return move_back(table, lost) if lost > 0 else None


def _compute_lost_time(table: LockedTable, outages: Sequence[ClockOutage]) -> Instant:
    """Return the milliseconds of outages since the running deadline was set."""
    if table.deadline is None:
        return 0
    began = StoredChange.objects.filter(table_id=table.id, version=table.turn_version)
    began_ms = began.values_list("at_ms", flat=True).first() or 0
    return sum(
        max(0, milliseconds(outage.ended_at) - max(milliseconds(outage.began_at), began_ms))
        for outage in outages
    )


def move_back(
    table: LockedTable, by_ms: Instant, *, patch: View | None = None
) -> TableChange | None:
    """Store the running match with all its times shifted by this many milliseconds. Return the change to announce.

    Return None if no match is running. `patch` is a change of the table that accompanies the shift.
    """
    if table.state is None:
        return None
    game = get_game(table.game)
    before = load_position(game, table.id, table.state)
    state = game.core.postpone(before.state, by_ms=by_ms)
    after = cache_position(game, table.id, Outcome(state, (), game.core.status(state)))
    # Null values stay null.
    later = timedelta(milliseconds=by_ms)
    Table.objects.filter(pk=table.id).exclude(last_deal_at=None, overtime_at=None).update(
        last_deal_at=F("last_deal_at") + later,
        overtime_at=F("overtime_at") + later,
        count_at=F("count_at") + later,
    )
    table.state = after.stored
    version = table.advance_version()
    table.set_deadline(after.status.deadline)
    change = TableChange(
        table_id=table.id,
        version=version,
        kind=ChangeKind.POSTPONED,
        at=table.now,
        match_id=table.match_id,
        move={"by_ms": by_ms},
        events=[{"kind": "postponed", "by_ms": by_ms}],
        patch={**(patch or {}), "game": compute_difference(before.public, after.public)},
    )
    save_change(table, change)
    return change


def report_fault(*, table_id: int, doing: Doing, error: BaseException) -> TableChange | None:
    """Put a table out of order until staff have looked at it. Return the change to announce.

    Return None if the fault cannot be announced now (`put_out_of_order`). A table that is already out of order keeps
    its first fault. Call this outside the failed transaction.
    """
    logger.error("table %s is out of order", table_id, exc_info=error)
    text = "".join(traceback.format_exception(error))
    match_id = Table.objects.values_list("match_id", flat=True).get(pk=table_id)
    TableFault.objects.get_or_create(
        table_id=table_id,
        resolved_at=None,
        defaults={
            "match_id": match_id,
            "doing": doing,
            "error": f"{type(error).__name__}: {error}"[:300],
            "traceback": text[-LONGEST_TRACEBACK:],
        },
    )
    return put_out_of_order(table_id)


@transaction.atomic
def put_out_of_order(table_id: int) -> TableChange | None:
    """Announce a table's open fault at the table.

    Return None if the fault is already announced, if no fault is open, or if the table's row is locked.
    """
    table = lock_table(table_id, skip_locked=True)
    if table is None or table.is_broken:
        return None
    row = Table.objects.get(pk=table_id)
    if not row.faults.filter(resolved_at=None).exists():
        return None
    Table.objects.filter(pk=table_id).update(broken_at=Now())
    row.refresh_from_db(fields=["broken_at"])
    return save_seating(table, row, [{"kind": "out_of_order"}])


def list_untold_faults() -> list[int]:
    """Return the ids of tables with an open fault that could not be announced because the row was locked."""
    open_faults = TableFault.objects.filter(resolved_at=None, table__broken_at=None)
    return list(open_faults.values_list("table_id", flat=True))


@transaction.atomic
def try_again(*, fault_id: int, staff_id: int) -> TableChange:
    """Put the table back into service in its current state. Players do not lose the time that it was out of order.

    Raises NOT_OUT_OF_ORDER, or GameFault if the game fails again at once; then nothing has changed.
    """
    fault = TableFault.objects.get(pk=fault_id)
    table = lock_table(fault.table_id)
    row = Table.objects.get(pk=fault.table_id)
    if table is None or not row.faults.filter(pk=fault_id, resolved_at=None).exists():
        raise Refusal(NOT_OUT_OF_ORDER)
    resolve_faults(table, row, staff_id=staff_id)
    lost = table.now - round(fault.happened_at.timestamp() * 1000)
    if table.status is TableStatus.PLAYING:
        move_back(table, lost)
        row.refresh_from_db()
    return save_seating(table, row, [{"kind": "in_order"}])


def resolve_faults(table: LockedTable, row: Table, *, staff_id: int | None = None) -> None:
    """Close the table's faults. The caller has locked the table, and announces the change."""
    row.faults.filter(resolved_at=None).update(resolved_at=Now(), resolved_by=staff_id)
    Table.objects.filter(pk=row.pk).update(broken_at=None)
    row.broken_at, table.is_broken = None, False
