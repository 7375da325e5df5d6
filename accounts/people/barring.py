"""Players who may not play (frozen, or excluded by themselves): telling what is built on accounts.

The row is the truth: code that lets somebody play looks at it under its own locks. The signal only
saves waiting for the tick that finds what a lost signal leaves behind.
"""

from functools import partial

from django.db import transaction
from django.dispatch import Signal

# Sent after the commit that barred the player: `user_id`.
player_barred = Signal()


def tell_of_barred(user_id: int) -> None:
    """Once this transaction is committed; a receiver that fails is logged and stops no other."""
    send = partial(player_barred.send_robust, sender=None, user_id=user_id)
    transaction.on_commit(send, robust=True)
