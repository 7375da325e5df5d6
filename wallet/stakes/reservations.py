"""A stack put aside while a chair is kept for somebody: a hold that is never captured."""

from datetime import datetime

from django.conf import settings

from wallet.ledger.balances import player_balances
from wallet.ledger.chart import Line, Reason, bonus, house, player, winnings
from wallet.ledger.holds import Held, hold
from wallet.limits.services import refuse_if_barred
from wallet.money import Currency, spend
from wallet.refusals import InsufficientFunds


def reserve_stack(
    *,
    user_id: int,
    amount: int,
    currency: Currency,
    key: str,
    expires_at: datetime,
    subject: str = "",
) -> Held:
    """Put `amount` aside, from the buckets that a buy-in would take it from, until it is released.

    Raises InsufficientFunds, AccountFrozen or SelfExcluded; then nothing is put aside.
    """
    refuse_if_barred(user_id)
    if currency is Currency.CHIPS:
        parts = {player(user_id, currency): amount}
    else:
        balances = player_balances(user_id)
        taken = spend(amount, of=balances.cash, bonus_bps=settings.CASH_BONUS_BPS)
        if taken is None:
            raise InsufficientFunds
        parts = {
            bonus(user_id): taken.bonus,
            player(user_id, currency): taken.deposit,
            winnings(user_id): taken.winnings,
        }
    lines = [
        Line(source, house(currency), part, Reason.BUY_IN) for source, part in parts.items() if part
    ]
    return hold(key=key, lines=lines, expires_at=expires_at, actor_id=user_id, subject=subject)
