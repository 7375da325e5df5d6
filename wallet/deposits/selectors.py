"""Reading deposits."""

from wallet.models import Deposit


def deposit_of(user_id: int, *, reference: str) -> Deposit | None:
    """None if it is not this player's, or if there is none."""
    return Deposit.objects.filter(user_id=user_id, reference=reference).first()
