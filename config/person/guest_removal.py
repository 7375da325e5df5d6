"""Guests who did not register are made unknown a day after they began."""

import logging
from datetime import datetime

from django.db import transaction

from accounts.people.closing import make_unknown, name_of_closed
from accounts.people.guests import LASTS, guests_before, lock_guest
from tables.chat.forgetting import forget_player, sits_somewhere
from tables.refusals import Refusal
from tables.seating.selectors import tables_of
from tables.seating.sitting import leave_table

logger = logging.getLogger(__name__)

REMOVED_AT_ONCE = 400


def remove_guests(*, now: datetime) -> int:
    """Remove old guests. Returns how many are gone.

    A guest in the middle of a deal is dropped from it, and goes next time. Their chips lapse as
    those of every closed account do: they stay in the ledger, where nobody can use them.
    """
    removed = 0
    for user_id in guests_before(now - LASTS)[:REMOVED_AT_ONCE]:
        try:
            removed += _remove(user_id)
        except Exception:  # one that is wrong keeps no other waiting
            logger.exception("guest %s could not be removed", user_id)
    return removed


def _remove(user_id: int) -> bool:
    for table_id in tables_of(user_id):
        try:
            leave_table(table_id=table_id, user_id=user_id)
        except Refusal:  # they leave already
            continue
    with transaction.atomic():
        # Who registers at this moment is no guest any more.
        if not lock_guest(user_id) or sits_somewhere(user_id):
            return False
        forget_player(user_id=user_id, name=name_of_closed(user_id))
        make_unknown(user_id=user_id, keep_identity=False)
    return True
