"""A job that closes the tables of closed clubs, each in its own transaction.

It finds its work in the rows, so the next run makes up for a run that died. A table without a match closes at once, and
everybody gets their chips back. A table in play closes after its match.
"""

from typing import Final

from core.database.each import act_on_each
from core.refusals import Refusal
from tables.models import Table, TableStatus
from tables.seating.closing import close_after_match

AT_ONCE: Final = 200


def wind_up_clubs() -> int:
    """Close the tables of closed clubs, at once or after their match. Return the number of changed tables.

    Broken tables wait for staff.
    """
    left = Table.objects.filter(club__closed_at__isnull=False, closing_at=None, broken_at=None)
    left = left.exclude(status=TableStatus.CLOSED).order_by("pk")
    ids = list(left.values_list("pk", flat=True)[:AT_ONCE])
    return act_on_each(ids, _wind_up, doing="closing a club's table")


def _wind_up(table_id: int) -> bool:
    try:
        close_after_match(table_id=table_id, staff_id=None)
    except Refusal:  # closed concurrently
        return False
    return True
