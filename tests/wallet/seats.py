"""Money that players bring to seats and take back, posted with the keys that tables use."""

from wallet import api as wallet
from wallet.money import Currency

CHIPS, INR = Currency.CHIPS, Currency.INR


def buy_in(user_id, amount, seat_id=7, *, currency=CHIPS, key="", **more):
    """Move `amount` from a wallet to a seat. A bot (`user_id` None) gets it from the mint."""
    return wallet.buy_in(
        user_id=user_id,
        seat_id=seat_id,
        amount=amount,
        currency=currency,
        key=key or f"seat:{seat_id}:in",
        **more,
    )


def cash_out(user_id, seat_id=7, *, currency=CHIPS, key=""):
    """Move the whole stack of a seat back to its player. Return the amount."""
    key = key or f"seat:{seat_id}:out"
    return wallet.cash_out(seat_id=seat_id, user_id=user_id, currency=currency, key=key)
