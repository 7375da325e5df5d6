"""The posting lines that refund entry fees. They mirror the original payments, so no amount is computed again."""

from collections.abc import Sequence

from wallet.ledger.balances import read_account_rows
from wallet.ledger.chart import AccountRef, PostingLine, pot
from wallet.models import AccountKind, Entry, Journal, Reason, Transfer
from wallet.money import Currency


def build_refund_lines(match_id: int, currency: Currency) -> list[PostingLine]:
    """Return the posting lines that undo every payment into a match's pot."""
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
    return [
        PostingLine(
            the_pot, AccountRef(AccountKind(kind), owner_id, currency, shard), amount, Reason.REFUND
        )
        for kind, owner_id, shard, amount in payments
    ]


def build_lines_back(keys: Sequence[str]) -> dict[str, list[PostingLine]]:
    """Return the posting lines that undo payments, as a mapping from a payment's key to its lines."""
    fields = [
        f"{end}__{part}"
        for end in ("source", "destination")
        for part in ("kind", "owner_id", "shard")
    ]
    lines: dict[str, list[PostingLine]] = {}
    rows = (
        Transfer.objects.filter(journal__key__in=keys)
        .order_by("journal_id", "line")
        .values_list("journal__key", "currency", "amount", *fields)
    )
    for key, currency, amount, *accounts in rows:
        source, destination = (
            AccountRef(AccountKind(kind), owner, Currency(currency), shard)
            for kind, owner, shard in (accounts[:3], accounts[3:])
        )
        lines.setdefault(key, []).append(PostingLine(destination, source, amount, Reason.REFUND))
    return lines


def list_fees_to_refund(pool: AccountRef, *, at_most: int) -> list[str]:
    """Return the keys of fees paid into a prize pool and not refunded yet, the oldest first."""
    account_id = read_account_rows(pool).values_list("pk", flat=True).first()
    # By the entries of the pool's account: transfers have no index by account.
    paid = Entry.objects.filter(
        account_id=account_id, amount__gt=0, transfer__reason=Reason.ENTRY_FEE
    ).order_by("seq")
    keys = list(dict.fromkeys(paid.values_list("transfer__journal__key", flat=True)))
    refunds = [refund_key(key) for key in keys]
    done = set(Journal.objects.filter(key__in=refunds).values_list("key", flat=True))
    return [key for key in keys if refund_key(key) not in done][:at_most]


def refund_key(paid_key: str) -> str:
    """Return the key under which a payment is refunded."""
    return f"{paid_key}:refund"
