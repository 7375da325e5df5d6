"""Offers that the table makes by itself between two deals (R8.4), asked for by a Celery tick.

`Table.offer_at` says when; a tick that comes twice, late or never changes nothing else: players
may ask, and the break ends by its own deadline.
"""

import logging

from django.db import transaction
from django.db.models.functions import Now

from games.registry import get_game
from tables.models import ChangeKind, Doing, Table, TableStatus
from tables.play.database_errors import DATABASE_FAILED
from tables.play.faults import report_fault
from tables.play.locks import CommittedChange, LockedTable, lock_table
from tables.play.state_cache import position_of
from tables.play.steps import Cause, take_step

logger = logging.getLogger(__name__)

# Tables that one tick asks.
_AT_ONCE = 200


def due_offers() -> list[int]:
    """Tables whose time to ask has come."""
    due = Table.objects.filter(offer_at__lte=Now()).order_by("offer_at")
    return list(due.values_list("pk", flat=True)[:_AT_ONCE])


def open_offers() -> list[CommittedChange]:
    """Ask at every table whose time has come; returns what the tables are told.

    One at which the game fails is out of order then, and the others are asked all the same.
    """
    return [step for table_id in due_offers() if (step := _open_or_report(table_id)) is not None]


def _open_or_report(table_id: int) -> CommittedChange | None:
    try:
        return open_offer(table_id)
    except DATABASE_FAILED:  # nothing is wrong with the table
        logger.exception("table %s: its question waits for the next tick", table_id)
        return None
    except Exception as error:  # noqa: BLE001 - a game may fail in any way
        return report_fault(table_id=table_id, doing=Doing.OFFER, error=error)


@transaction.atomic
def open_offer(table_id: int) -> CommittedChange | None:
    """Ask everybody who is left; None if the moment has passed or another worker is at it."""
    table = lock_table(table_id, skip_locked=True)
    if table is None:
        return None
    # Looked at again under the lock: a second worker finds nothing due.
    due = Table.objects.filter(pk=table_id, offer_at__lte=Now())
    if not due.update(offer_at=None):
        return None
    return _propose(table)


def _propose(table: LockedTable) -> CommittedChange | None:
    if table.state is None or table.status is not TableStatus.PLAYING or table.is_broken:
        return None
    if table.deadline is not None and table.deadline <= table.now:
        return None  # the break is over
    game = get_game(table.game)
    position = position_of(game, table.id, table.state)
    proposed = game.core.propose(position.state, now=table.now)
    if proposed is None:
        return None
    return take_step(table, position, proposed, Cause(ChangeKind.OFFERED))
