"""The tables of a closed club: a job closes them, each in a transaction of its own.

What has to be done is read from the rows, so a run that dies is made up by the next one. A table at which nobody
plays closes at once, and everybody gets their chips back; one that plays closes with the end of its match.
"""

from typing import Final

from tables.models import Table, TableStatus
from tables.refusals import Refusal
from tables.seating.closing import close_after_match

AT_ONCE: Final = 200


def wind_up_clubs() -> int:
    """Close the tables of closed clubs, or have them close after their match. Return the number of tables changed.

    A table out of order waits for staff.
    """
    left = Table.objects.filter(club__closed_at__isnull=False, closing_at=None, broken_at=None)
    left = left.exclude(status=TableStatus.CLOSED).order_by("pk")
    return sum(_wind_up(pk) for pk in list(left.values_list("pk", flat=True)[:AT_ONCE]))


def _wind_up(table_id: int) -> bool:
    try:
        close_after_match(table_id=table_id, staff_id=None)
    except Refusal:  # closed at this moment
        return False
    return True
