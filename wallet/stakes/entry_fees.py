"""Entry fees of a match and what becomes of its pot (R8.7, R9.1)."""

from collections.abc import Mapping, Sequence

from wallet.ledger.chart import Line, Reason, mint, pot, rake, seat
from wallet.ledger.posting import Posting, post_in_transaction, post_transfers, refusals
from wallet.limits.services import refuse_if_barred
from wallet.money import Currency
from wallet.stakes.buckets import pay_from_wallet


def take_entry_fees(
    *, match_id: int, seat_ids: Sequence[int], amount: int, currency: Currency, key: str
) -> Posting:
    """Every seat's entry fee into the pot, all or none: a match begins."""
    lines = [
        Line(seat(seat_id, currency), pot(match_id, currency), amount, Reason.ENTRY_FEE)
        for seat_id in sorted(seat_ids)
    ]
    return post_transfers(key=key, lines=lines, subject=f"match:{match_id}")


def take_rejoin_fee(
    *, match_id: int, user_id: int | None, amount: int, currency: Currency, key: str
) -> Posting:
    """An eliminated player's entry fee once more, from the wallet (R8.2); a bot's from the mint.

    Raises InsufficientFunds, AccountFrozen, SelfExcluded, LossLimitReached or CashIsOff.
    """
    the_pot, subject = pot(match_id, currency), f"match:{match_id}"
    if user_id is None:
        line = Line(mint(currency), the_pot, amount, Reason.ENTRY_FEE)
        return post_transfers(key=key, lines=[line], subject=subject)
    refuse_if_barred(user_id)
    return pay_from_wallet(
        user_id=user_id,
        destination=the_pot,
        amount=amount,
        reason=Reason.ENTRY_FEE,
        key=key,
        subject=subject,
    )


def settle_pot(
    *,
    match_id: int,
    table_id: int,
    currency: Currency,
    shares: Mapping[int, int],
    house_share: int,
    key: str,
) -> None:
    """The whole pot to the winners' seats and the house.

    `shares` by the id of the seat; with the house's share they are the pot to the last unit. A
    refusal is a bug: it is raised without a savepoint and ends the caller's transaction.
    """
    the_pot = pot(match_id, currency)
    lines = [
        Line(the_pot, seat(seat_id, currency), share, Reason.WINNINGS)
        for seat_id, share in shares.items()
        if share
    ]
    if house_share:
        lines.append(Line(the_pot, rake(table_id, currency), house_share, Reason.RAKE))
    if lines:
        with refusals(savepoint=False):
            post_in_transaction(key=key, lines=lines, subject=f"match:{match_id}")
