"""Reading deposits."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from wallet.limits.selectors import deposit_left
from wallet.models import Deposit

# What can be paid in with one press, in paise, where the bounds allow it.
QUICK_AMOUNTS = (10_000, 50_000, 100_000, 200_000, 500_000)


@dataclass(frozen=True, slots=True)
class DepositOffer:
    """The amounts that a player can deposit now, in paise. `left` is under their own limits, None without one."""

    least: int
    most: int
    left: int | None
    quick: Sequence[int]


def deposit_of(user_id: int, *, reference: str) -> Deposit | None:
    """None if it is not this player's, or if there is none."""
    return Deposit.objects.filter(user_id=user_id, reference=reference).first()


def deposit_offer(user_id: int) -> DepositOffer:
    least, most, left = settings.DEPOSIT_LEAST, settings.DEPOSIT_MOST, deposit_left(user_id)
    largest = most if left is None else min(most, left)
    quick = [amount for amount in QUICK_AMOUNTS if least <= amount <= largest]
    return DepositOffer(least, most, left, quick)
