"""A payment from a player's wallet: cash comes from three buckets and goes back to them."""

from django.conf import settings
from django.db.models import Sum

from wallet.cash import require_cash
from wallet.ledger.balances import balance, get_player_balances
from wallet.ledger.chart import AccountRef, PostingLine, bonus, player, seat, winnings
from wallet.ledger.posting import Posting, post_transfers, spend_cash, translate_refusals
from wallet.limits.services import (
    refuse_beyond_loss_limits,
    refuse_by_region,
    refuse_unless_confirmed,
)
from wallet.models import AccountKind, Journal, Reason, Transfer
from wallet.money import Buckets, Currency, give_back, spend
from wallet.refusals import InsufficientFunds


def pay_from_wallet(
    *, user_id: int, destination: AccountRef, amount: int, reason: Reason, key: str, subject: str
) -> Posting:
    """Pay from a player's wallet.

    Chips come from the player's account for chips. Cash comes from the bonus, up to CASH_BONUS_BPS of the amount,
    then from deposits, then from winnings. Raises InsufficientFunds; for cash also LOSS_LIMIT_REACHED,
    ADDRESS_NOT_CONFIRMED, CASH_IS_OFF, or what refuse_by_region raises.
    """
    currency = destination.currency
    line = PostingLine(player(user_id, currency), destination, amount, reason)
    if currency is Currency.CHIPS:
        return post_transfers(key=key, lines=[line], actor_id=user_id, subject=subject)
    require_cash()
    with translate_refusals(savepoint=True):
        # A repeated payment is already part of the losses.
        if not Journal.objects.filter(key=key).exists():
            refuse_unless_confirmed(user_id)
            refuse_by_region(user_id)
            refuse_beyond_loss_limits(user_id, amount)
        return spend_cash(
            key=key,
            line=line,
            bonus_bps=settings.CASH_BONUS_BPS,
            actor_id=user_id,
            subject=subject,
        )


def cash_back(*, seat_id: int, user_id: int, key: str, subject: str = "") -> int:
    """Move a seat's whole cash back to its player.

    The cash that was brought returns to the buckets it came from, in the same proportion. Cash won above it
    goes to the winnings. Return the amount; for a repeated key, the amount that moved the first time. An
    empty seat posts nothing. The caller has locked the table.
    """
    earlier = Transfer.objects.filter(journal__key=key).aggregate(amount=Sum("amount"))["amount"]
    if earlier is not None:
        return int(earlier)
    source = seat(seat_id, Currency.INR)
    stack = balance(source)
    if stack == 0:
        return 0
    brought = _sum_brought(source, user_id)
    stake = min(stack, brought.total)
    parts = give_back(stake, paid=brought)
    amounts = {
        bonus(user_id): parts.bonus,
        player(user_id, Currency.INR): parts.deposit,
        winnings(user_id): parts.winnings + stack - stake,
    }
    lines = [
        PostingLine(source, to, amount, Reason.CASH_OUT) for to, amount in amounts.items() if amount
    ]
    post_transfers(key=key, lines=lines, actor_id=user_id, subject=subject)
    return stack


def parts_to_reserve(user_id: int, amount: int, currency: Currency) -> dict[AccountRef, int]:
    """Return a mapping from each of the player's accounts to the part of `amount` that it would pay now.

    Raises InsufficientFunds.
    """
    if currency is Currency.CHIPS:
        return {player(user_id, currency): amount}
    cash = get_player_balances(user_id).cash
    taken = spend(amount, of=cash, bonus_bps=settings.CASH_BONUS_BPS)
    if taken is None:
        raise InsufficientFunds
    return {
        bonus(user_id): taken.bonus,
        player(user_id, currency): taken.deposit,
        winnings(user_id): taken.winnings,
    }


def _sum_brought(seat_account: AccountRef, user_id: int) -> Buckets:
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
