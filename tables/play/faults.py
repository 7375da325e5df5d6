"""When a game fails, the site goes on: a table at which it fails is out of order, no other.

A fault is stored beside the table and not in it, so it can be stored while a thread that does not
come back still holds the table's row. The clock leaves a table with an open fault alone.
"""

import logging
import traceback

from django.db import transaction
from django.db.models.functions import Now

from tables.models import LONGEST_TRACEBACK, Doing, Table, TableFault, TableStatus
from tables.play.locks import CommittedChange, LockedTable, lock_table
from tables.play.occupancy import save_seating
from tables.play.outages import move_back
from tables.refusals import NotOutOfOrder

logger = logging.getLogger(__name__)


def report_fault(*, table_id: int, doing: Doing, error: BaseException) -> CommittedChange | None:
    """Put a table out of order, for staff to look at; returns what the table is told of it.

    One that is out of order already keeps its first fault. To be called outside of the transaction
    that has failed.
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
def put_out_of_order(table_id: int) -> CommittedChange | None:
    """Tell the table of its open fault; None if it knows, has none, or its row is held now."""
    table = lock_table(table_id, skip_locked=True)
    if table is None or table.is_broken:
        return None
    row = Table.objects.get(pk=table_id)
    if not row.faults.filter(resolved_at=None).exists():
        return None
    Table.objects.filter(pk=table_id).update(broken_at=Now())
    row.refresh_from_db(fields=["broken_at"])
    return save_seating(table, row, [{"kind": "out_of_order"}])


def untold_faults() -> list[int]:
    """Tables with an open fault whose row was held when it was found."""
    open_faults = TableFault.objects.filter(resolved_at=None, table__broken_at=None)
    return list(open_faults.values_list("table_id", flat=True))


@transaction.atomic
def try_again(*, fault_id: int, staff_id: int) -> CommittedChange:
    """Put the table back into service as it stands; nobody has lost the time in between.

    Raises NotOutOfOrder, or GameFault if the game fails at once; then nothing has changed.
    """
    fault = TableFault.objects.get(pk=fault_id)
    table = lock_table(fault.table_id)
    row = Table.objects.get(pk=fault.table_id)
    if table is None or not row.faults.filter(pk=fault_id, resolved_at=None).exists():
        raise NotOutOfOrder
    resolve_faults(table, row, staff_id=staff_id)
    lost = table.now - round(fault.happened_at.timestamp() * 1000)
    if table.status is TableStatus.PLAYING:
        move_back(table, lost)
        row.refresh_from_db()
    return save_seating(table, row, [{"kind": "in_order"}])


def resolve_faults(table: LockedTable, row: Table, *, staff_id: int | None = None) -> None:
    """The table is in service again. The caller has locked it and tells it."""
    row.faults.filter(resolved_at=None).update(resolved_at=Now(), resolved_by=staff_id)
    Table.objects.filter(pk=row.pk).update(broken_at=None)
    row.broken_at, table.is_broken = None, False
