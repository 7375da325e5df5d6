"""The end of a table: everybody goes home with their stack. The caller has locked it."""

from django.db.models.functions import Now

from tables.models import Table, TableStatus
from tables.play.locks import LockedTable
from tables.play.occupancy import cash_out_sitting, in_lock_order, note_bot_seats


def close_row(table: LockedTable, row: Table) -> None:
    """No match runs at it, and nobody waits for a chair any more."""
    for sitting in in_lock_order(row.sittings.filter(left_at__isnull=True)):
        cash_out_sitting(row, sitting)
    note_bot_seats(table, row)
    row.status = table.status = TableStatus.CLOSED
    Table.objects.filter(pk=row.pk).update(status=TableStatus.CLOSED, closed_at=Now())
    table.set_deadline(None)
    table.bot_due = None
