"""The movements of a tournament's prize pool, for the administration."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from tables.catalog import amount_text
from tournaments.models import Tournament
from wallet.models import AccountKind, Entry, LedgerAccount, Reason

_REASONS: Final[Mapping[str, Promise]] = {
    Reason.ENTRY_FEE: gettext_lazy("Entry fee"),
    Reason.REFUND: gettext_lazy("Refund"),
    Reason.OVERLAY: gettext_lazy("From the house"),
    Reason.RAKE: gettext_lazy("Service fee"),
    Reason.PRIZE: gettext_lazy("Prize"),
}
_OF_A_PLAYER: Final = {AccountKind.PLAYER, AccountKind.WINNINGS, AccountKind.BONUS}
_ACCOUNTS: Final[Mapping[str, Promise]] = {
    AccountKind.MINT: gettext_lazy("a practice bot"),
    AccountKind.OVERLAY: gettext_lazy("the house"),
    AccountKind.HOUSE: gettext_lazy("the house"),
    AccountKind.PRIZE_POOL: gettext_lazy("Tournament %(number)s"),
}


@dataclass(frozen=True, slots=True)
class Movement:
    """A movement of the prize pool, with the other party as text."""

    happened_at: datetime
    key: str
    reason: str
    other: str
    amount: int
    balance_after: int


@dataclass(frozen=True, slots=True)
class Movements:
    """A page of movements, newest first. The sums cover all movements."""

    shown: list[Movement]
    number: int
    came_in: int
    went_out: int

    @property
    def balance(self) -> int:
        return self.came_in - self.went_out


def list_movements(tournament: Tournament, *, length: int) -> Movements:
    account_id = (
        LedgerAccount.objects.filter(
            kind=AccountKind.PRIZE_POOL, owner_id=tournament.pk, currency=tournament.currency
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
        shown=_describe_entries(list(newest)),
        number=len(amounts),
        came_in=sum(amount for amount in amounts if amount > 0),
        went_out=-sum(amount for amount in amounts if amount < 0),
    )


def describe_settlement(tournament: Tournament) -> str:
    """Describe the payments at the tournament's end; "-" while it is not settled."""
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


def _describe_entries(entries: list[Entry]) -> list[Movement]:
    others = [_get_other_account(entry) for entry in entries]
    players = {other.owner_id for other in others if other.kind in _OF_A_PLAYER}
    names = dict(User.objects.filter(pk__in=players).values_list("pk", "player_name"))
    return [
        Movement(
            happened_at=entry.happened_at,
            key=entry.transfer.journal.key,
            reason=str(_REASONS.get(entry.transfer.reason, entry.transfer.reason)),
            other=_name(other, names),
            amount=entry.amount,
            balance_after=entry.balance_after,
        )
        for entry, other in zip(entries, others, strict=True)
    ]


def _get_other_account(entry: Entry) -> LedgerAccount:
    return entry.transfer.source if entry.amount > 0 else entry.transfer.destination


def _name(account: LedgerAccount, names: Mapping[int, str]) -> str:
    if account.kind in _OF_A_PLAYER:
        return names.get(account.owner_id, str(account))
    words = _ACCOUNTS.get(account.kind)
    return str(words) % {"number": account.owner_id} if words else str(account)
