"""Money between players and their seats at a table."""

from wallet.ledger.chart import AccountRef, Line, Reason, mint, player, seat
from wallet.ledger.posting import Posting, post_transfers, sweep
from wallet.limits.services import refuse_if_barred
from wallet.money import Currency
from wallet.stakes.buckets import cash_back, pay_from_wallet


def buy_in(
    *, user_id: int, seat_id: int, amount: int, currency: Currency, key: str, subject: str = ""
) -> Posting:
    """From the player's wallet to the seat. Raises InsufficientFunds, AccountFrozen,
    SelfExcluded or CashIsOff."""
    refuse_if_barred(user_id)
    return pay_from_wallet(
        user_id=user_id,
        destination=seat(seat_id, currency),
        amount=amount,
        reason=Reason.BUY_IN,
        key=key,
        subject=subject,
    )


def top_up(
    *, user_id: int, seat_id: int, amount: int, currency: Currency, key: str, subject: str = ""
) -> Posting:
    """More for a seat that is taken already. Raises InsufficientFunds, AccountFrozen,
    SelfExcluded or CashIsOff."""
    refuse_if_barred(user_id)
    return pay_from_wallet(
        user_id=user_id,
        destination=seat(seat_id, currency),
        amount=amount,
        reason=Reason.TOP_UP,
        key=key,
        subject=subject,
    )


def fund_bot(*, seat_id: int, amount: int, currency: Currency, key: str) -> Posting:
    """New chips for a practice bot's seat. Bots never play for cash: ValueError for INR."""
    line = Line(mint(currency), seat(seat_id, currency), amount, Reason.PRACTICE_CHIPS)
    return post_transfers(key=key, lines=[line])


def cash_out(
    *, seat_id: int, user_id: int | None, currency: Currency, key: str, subject: str = ""
) -> int:
    """The whole seat back to its player, or to the mint where a bot sat (`user_id` None).

    Returns the amount; an empty seat posts nothing. Cash goes back as cash_back says.
    """
    if currency is Currency.INR and user_id is not None:
        return cash_back(seat_id=seat_id, user_id=user_id, key=key, subject=subject)
    owner: AccountRef = mint(currency) if user_id is None else player(user_id, currency)
    return sweep(
        key=key,
        source=seat(seat_id, currency),
        destination=owner,
        reason=Reason.CASH_OUT,
        actor_id=user_id,
        subject=subject,
    ).amount
