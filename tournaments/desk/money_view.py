"""Every movement of a tournament's prize pool, for the administration."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from tables.play.wording import amount_text
from tournaments.models import Tournament
from wallet.ledger import chart
from wallet.models import Entry, LedgerAccount
from wallet.money import Currency


@dataclass(frozen=True, slots=True)
class Movement:
    """`amount` is what the pool gained or lost; `other` is the account at the other end."""

    happened_at: datetime
    key: str
    reason: str
    other: str
    amount: int
    balance_after: int


@dataclass(frozen=True, slots=True)
class Movements:
    """Newest first, cut to a page; the sums are of all of them."""

    shown: list[Movement]
    number: int
    came_in: int
    went_out: int

    @property
    def balance(self) -> int:
        return self.came_in - self.went_out


def movements_of(tournament: Tournament, *, length: int) -> Movements:
    pool = chart.prize_pool(tournament.pk, Currency(tournament.currency))
    account_id = (
        LedgerAccount.objects.filter(
            kind=pool.kind, owner_id=pool.owner_id, currency=pool.currency, shard=0
        )
        .values_list("pk", flat=True)
        .first()
    )
    entries = Entry.objects.filter(account_id=account_id).order_by("-seq")
    amounts = list(entries.values_list("amount", flat=True))
    newest = entries.select_related(
        "transfer__journal", "transfer__source", "transfer__destination"
    )[:length]
    return Movements(
        shown=[_movement(entry) for entry in newest],
        number=len(amounts),
        came_in=sum(amount for amount in amounts if amount > 0),
        went_out=-sum(amount for amount in amounts if amount < 0),
    )


def settlement_in_words(tournament: Tournament) -> str:
    """What the end moved; "-" before it."""
    labels = {
        "paid_in": _("paid in"),
        "rake": _("service fee"),
        "overlay": _("from the house"),
        "prizes": _("prizes"),
    }
    moved = tournament.settlement or {}
    parts = (
        f"{label}: {amount_text(moved[name], tournament.currency)}"
        for name, label in labels.items()
        if isinstance(moved.get(name), int)
    )
    return ", ".join(parts) or "-"


def _movement(entry: Entry) -> Movement:
    transfer = entry.transfer
    other = transfer.source if entry.amount > 0 else transfer.destination
    return Movement(
        happened_at=entry.happened_at,
        key=transfer.journal.key,
        reason=transfer.reason,
        other=f"{other.kind} {other.owner_id}",
        amount=entry.amount,
        balance_after=entry.balance_after,
    )
