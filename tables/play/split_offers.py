"""Split offers: between two deals, a pool table asks its remaining players whether to share the pot (R8.4)."""

import logging

from django.db import transaction
from django.db.models.functions import Now

from games.registry import get_game
from tables.models import ChangeKind, Doing, Table, TableStatus
from tables.play.apply import Cause, take_step
from tables.play.change import TableChange
from tables.play.faults import report_fault
from tables.play.lock import DATABASE_FAILED, LockedTable, lock_table
from tables.play.seat_view import load_position

logger = logging.getLogger(__name__)

# Tables that one tick handles.
_OFFERS_AT_ONCE = 200


def list_due_split_offers() -> list[int]:
    """Return the ids of the tables whose split offer is due."""
    due = Table.objects.filter(split_offer_at__lte=Now()).order_by("split_offer_at")
    return list(due.values_list("pk", flat=True)[:_OFFERS_AT_ONCE])


def open_split_offers() -> int:
    """Make every due split offer (R8.4). Return the number of tables at which something has changed.

    `Table.split_offer_at` holds the time. A repeated, late or lost tick does no harm: players may ask for a split
    themselves, and the break ends by its own deadline. A table whose game fails is put out of order, and the others
    continue.
    """
    return sum(_open_or_report(table_id) is not None for table_id in list_due_split_offers())


def _open_or_report(table_id: int) -> TableChange | None:
    try:
        return open_split_offer(table_id)
    except DATABASE_FAILED:  # nothing is wrong with the table
        logger.exception("table %s: its question waits for the next tick", table_id)
        return None
    except Exception as error:  # noqa: BLE001 - a game may fail in any way
        return report_fault(table_id=table_id, doing=Doing.SPLIT_OFFER, error=error)


@transaction.atomic
def open_split_offer(table_id: int) -> TableChange | None:
    """Ask every remaining player whether to split the pot.

    Return None if the offer is no longer due or another worker makes it.
    """
    table = lock_table(table_id, skip_locked=True)
    if table is None:
        return None
    # Check again under the lock: a second worker finds nothing due.
    due = Table.objects.filter(pk=table_id, split_offer_at__lte=Now())
    if not due.update(split_offer_at=None):
        return None
    return _propose(table)


def _propose(table: LockedTable) -> TableChange | None:
    if table.state is None or table.status is not TableStatus.PLAYING or table.is_broken:
        return None
    if table.deadline is not None and table.deadline <= table.now:
        return None  # the break is over
    game = get_game(table.game)
    position = load_position(game, table.id, table.state)
    proposed = game.core.offer_split(position.state, now=table.now)
    if proposed is None:
        return None
    return take_step(table, position, proposed, Cause(ChangeKind.SPLIT_OFFERED))
