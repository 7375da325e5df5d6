"""The refunds of a cancelled match."""

from wallet.ledger.chart import AccountKind, AccountRef, Line, Reason, pot
from wallet.ledger.posting import Posting, post_in_transaction, refusals
from wallet.models import Transfer
from wallet.money import Currency


def refund_entries(*, match_id: int, currency: Currency, key: str) -> Posting | None:
    """Everything that was paid into the pot back to where it came from; None if nothing was.

    The lines are those of the payments, so nothing has to be counted again. A repeated key changes
    nothing. The caller has locked the table; a pot that has paid already is a bug and ends the
    caller's transaction.
    """
    the_pot = pot(match_id, currency)
    payments = (
        Transfer.objects.filter(
            destination__kind=the_pot.kind,
            destination__owner_id=the_pot.owner_id,
            destination__currency=currency,
            source__currency=currency,
        )
        .order_by("id")
        .values_list("source__kind", "source__owner_id", "source__shard", "amount")
    )
    lines = [
        Line(
            the_pot,
            AccountRef(AccountKind(kind), owner_id, currency, shard),
            amount,
            Reason.REFUND,
        )
        for kind, owner_id, shard, amount in payments
    ]
    if not lines:
        return None
    with refusals(savepoint=False):
        return post_in_transaction(key=key, lines=lines, subject=f"match:{match_id}")
