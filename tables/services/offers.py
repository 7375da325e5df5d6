"""Offers that the table makes by itself between two deals (R8.4), asked for by a Celery tick.

`Table.offer_at` says when; a tick that comes twice, late or never changes nothing else: whoever
wants to may ask himself, and the break ends by its own deadline.
"""

from django.db import transaction
from django.db.models.functions import Now

from tables.games.registry import get_game
from tables.locks import LockedTable, Step, lock_table
from tables.models import ChangeKind, Table, TableStatus
from tables.positions import position_of
from tables.services.steps import Cause, take_step

# Tables that one tick asks.
_AT_ONCE = 200


def due_offers() -> list[int]:
    """Tables whose time to ask has come."""
    due = Table.objects.filter(offer_at__lte=Now()).order_by("offer_at")
    return list(due.values_list("pk", flat=True)[:_AT_ONCE])


@transaction.atomic
def open_offer(table_id: int) -> Step | None:
    """Ask everybody who is left; None if the moment has passed or another worker is at it."""
    table = lock_table(table_id, skip_locked=True)
    if table is None:
        return None
    # Looked at again under the lock: a second worker finds nothing due.
    due = Table.objects.filter(pk=table_id, offer_at__lte=Now())
    if not due.update(offer_at=None):
        return None
    return _propose(table)


def _propose(table: LockedTable) -> Step | None:
    if table.state is None or table.status is not TableStatus.PLAYING:
        return None
    if table.deadline is not None and table.deadline <= table.now:
        return None  # the break is over
    game = get_game(table.game)
    position = position_of(game, table.id, table.state)
    proposed = game.propose(position.state, now=table.now)
    if proposed is None:
        return None
    return take_step(table, position, *proposed, Cause(ChangeKind.OFFERED))
