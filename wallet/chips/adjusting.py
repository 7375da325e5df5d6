"""Chips that staff give to a player, or take from one."""

from typing import Final

from django.db import transaction

from wallet.ledger.balances import player_balances
from wallet.ledger.chart import Line, mint, player
from wallet.ledger.posting import Posting, post_transfers
from wallet.limits.services import lock_player
from wallet.models import Reason
from wallet.money import Currency
from wallet.refusals import (
    AccountClosed,
    ChipsNotForOneself,
    InsufficientFunds,
    MalformedPosting,
    TooFewChipsToTake,
)

# A number with a digit too many stays below this.
MOST_CHIPS: Final = 10_000_000


@transaction.atomic
def adjust_chips(*, user_id: int, amount: int, reference: str, staff_id: int) -> Posting:
    """Give a player this many chips, or take them where `amount` is negative. The same `reference`
    moves them once.

    Raises ChipsNotForOneself, AccountClosed, TooFewChipsToTake or MalformedPosting.
    """
    if user_id == staff_id:
        raise ChipsNotForOneself
    user = lock_player(user_id)
    if user.closed_at is not None:
        raise AccountClosed
    if user.is_bot or not 0 < abs(amount) <= MOST_CHIPS:
        raise MalformedPosting(f"{amount} chips")
    purse, source = player(user_id, Currency.CHIPS), mint(Currency.CHIPS)
    ends = (source, purse) if amount > 0 else (purse, source)
    line = Line(*ends, abs(amount), Reason.ADJUSTMENT)
    try:
        return post_transfers(
            key=f"adjustment:{user_id}:{reference}",
            lines=[line],
            actor_id=staff_id,
            subject=f"player:{user_id}",
        )
    except InsufficientFunds as refused:
        raise TooFewChipsToTake(free=player_balances(user_id).chips) from refused
