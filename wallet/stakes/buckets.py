"""Cash comes from three buckets and goes back to them."""

from django.conf import settings
from django.db.models import Sum

from wallet.cash import require_cash
from wallet.ledger.balance_notices import hint_players
from wallet.ledger.balances import balance
from wallet.ledger.chart import AccountKind, AccountRef, Line, Reason, bonus, player, seat, winnings
from wallet.ledger.posting import Posting, call, line_literal, post_transfers, refusals
from wallet.limits.services import (
    refuse_beyond_loss_limits,
    refuse_by_region,
    refuse_unless_confirmed,
)
from wallet.models import Journal, Transfer
from wallet.money import Buckets, Currency, give_back


def pay_from_wallet(
    *, user_id: int, destination: AccountRef, amount: int, reason: Reason, key: str, subject: str
) -> Posting:
    """Pay from a player's wallet: chips from their account; cash from the bonus, up to CASH_BONUS_BPS
    of the amount, then from deposits, then from winnings.

    Raises InsufficientFunds; for cash also LossLimitReached, AddressNotConfirmed, and CashIsOff
    where none is played for.
    """
    currency = destination.currency
    line = Line(player(user_id, currency), destination, amount, reason)
    if currency is Currency.CHIPS:
        return post_transfers(key=key, lines=[line], actor_id=user_id, subject=subject)
    require_cash()
    with refusals(savepoint=True):
        # A payment that is asked for again is in the losses already.
        if not Journal.objects.filter(key=key).exists():
            refuse_unless_confirmed(user_id)
            refuse_by_region(user_id)
            refuse_beyond_loss_limits(user_id, amount)
        posting = Posting(
            *call(
                "SELECT journal_id, replayed FROM ledger_spend(%s, %s::wallet_line, %s, %s, %s)",
                [key, line_literal(line), settings.CASH_BONUS_BPS, user_id, subject],
            )
        )
    hint_players({user_id})
    return posting


def cash_back(*, seat_id: int, user_id: int, key: str, subject: str = "") -> int:
    """A seat's whole cash to its player: what was brought to the buckets that it came from, in the
    same proportion, and what was won above it to the winnings.

    Returns the amount, for a repeated key that of the first time; an empty seat posts nothing. The
    caller has locked the table. Works where cash is off too: money always finds its way back.
    """
    earlier = Transfer.objects.filter(journal__key=key).aggregate(amount=Sum("amount"))["amount"]
    if earlier is not None:
        return int(earlier)
    source = seat(seat_id, Currency.INR)
    stack = balance(source)
    if stack == 0:
        return 0
    brought = _brought(source, user_id)
    stake = min(stack, brought.total)
    parts = give_back(stake, paid=brought)
    amounts = {
        bonus(user_id): parts.bonus,
        player(user_id, Currency.INR): parts.deposit,
        winnings(user_id): parts.winnings + stack - stake,
    }
    lines = [Line(source, to, amount, Reason.CASH_OUT) for to, amount in amounts.items() if amount]
    post_transfers(key=key, lines=lines, actor_id=user_id, subject=subject)
    return stack


def _brought(seat_account: AccountRef, user_id: int) -> Buckets:
    paid: dict[str, int] = dict(
        Transfer.objects.filter(
            destination__kind=seat_account.kind,
            destination__owner_id=seat_account.owner_id,
            destination__currency=seat_account.currency,
            source__owner_id=user_id,
            reason__in=[Reason.BUY_IN, Reason.TOP_UP],
        )
        .values_list("source__kind")
        .annotate(Sum("amount"))
    )
    return Buckets(
        bonus=paid.get(AccountKind.BONUS, 0),
        deposit=paid.get(AccountKind.PLAYER, 0),
        winnings=paid.get(AccountKind.WINNINGS, 0),
    )
