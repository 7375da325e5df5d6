"""Reading the wallet."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from wallet.chart import AccountKind, AccountRef, Reason
from wallet.models import Entry, FeeSchedule, LedgerAccount, LedgerCheck, SelfExclusion
from wallet.money import Buckets, Currency
from wallet.refusals import NoFeeSchedule, WithdrawalsFrozen

PAGE_LENGTH = 25
_BUCKETS = (AccountKind.BONUS, AccountKind.PLAYER, AccountKind.WINNINGS)


@dataclass(frozen=True, slots=True)
class PlayerBalances:
    """What a player may spend now: balances less what is held."""

    chips: int
    cash: Buckets


@dataclass(frozen=True, slots=True)
class StatementPage:
    """Entries, newest first; `older` is the `before` of the next page."""

    entries: tuple[Entry, ...]
    older: int | None


@dataclass(frozen=True, slots=True)
class FeeTerms:
    schedule_id: int
    rake_bps: int
    rake_cap: int | None


def balance(ref: AccountRef) -> int:
    """What the account has, held or not; 0 for an account that had no transfer yet."""
    found = _account(ref).values_list("balance", flat=True).first()
    return found or 0


def player_balances(user_id: int) -> PlayerBalances:
    free = {
        (kind, currency): amount
        for kind, currency, amount in LedgerAccount.objects.filter(
            kind__in=_BUCKETS, owner_id=user_id, shard=0
        ).values_list("kind", "currency", F("balance") - F("held"))
    }
    bonus, deposit, winnings = (free.get((kind, Currency.INR), 0) for kind in _BUCKETS)
    return PlayerBalances(
        chips=free.get((AccountKind.PLAYER, Currency.CHIPS), 0),
        cash=Buckets(bonus=bonus, deposit=deposit, winnings=winnings),
    )


def seat_balances(
    seat_ids: Iterable[int], *, currency: Currency = Currency.CHIPS
) -> dict[int, int]:
    """The stack of every seat asked for."""
    stacks = dict.fromkeys(seat_ids, 0)
    stacks.update(
        LedgerAccount.objects.filter(
            kind=AccountKind.SEAT, owner_id__in=list(stacks), currency=currency, shard=0
        ).values_list("owner_id", "balance")
    )
    return stacks


def statement_page(
    ref: AccountRef,
    *,
    before: int | None = None,
    length: int = PAGE_LENGTH,
    reasons: Collection[Reason] = (),
) -> StatementPage:
    """Pages by the account's own numbering, so new entries never shift an older page.

    `reasons`: only entries of these; empty for all.
    """
    # First the account's id alone: knowing it, the planner sees that a long statement is read from
    # the end of the entries' primary key; joined or as a subquery it would sort all of it.
    account_id = _account(ref).values_list("id", flat=True).first()
    if account_id is None:
        return StatementPage(entries=(), older=None)
    entries = Entry.objects.filter(account_id=account_id)
    if before is not None:
        entries = entries.filter(seq__lt=before)
    if reasons:
        entries = entries.filter(transfer__reason__in=reasons)
    found = list(entries.select_related("transfer__journal").order_by("-seq")[: length + 1])
    page = tuple(found[:length])
    return StatementPage(entries=page, older=page[-1].seq if len(found) > length else None)


def fee_for(*, variant: str, currency: Currency, stake: int, at: datetime) -> FeeTerms:
    """The house's share for a stake. Raises NoFeeSchedule where the operator has set none."""
    terms = (
        FeeSchedule.objects.filter(
            Q(stake_to=None) | Q(stake_to__gte=stake),
            Q(valid_until=None) | Q(valid_until__gt=at),
            variant=variant,
            currency=currency,
            stake_from__lte=stake,
            valid_from__lte=at,
        )
        .values_list("id", "rake_bps", "rake_cap")
        .first()
    )
    if terms is None:
        raise NoFeeSchedule(f"{variant} {currency} {stake}")
    return FeeTerms(*terms)


def exclusion_of(user_id: int) -> SelfExclusion | None:
    """The one that ends last of those that run."""
    return (
        SelfExclusion.objects.filter(Q(until=None) | Q(until__gt=Now()), user_id=user_id)
        .order_by(F("until").desc(nulls_first=True))
        .first()
    )


def ledger_is_sound() -> bool:
    """Whether the last check of the ledger found nothing; so does one that was never checked."""
    found = LedgerCheck.objects.order_by("-checked_at", "-pk").values_list("found", flat=True)
    return not found.first()


def refuse_while_frozen() -> None:
    """Raises WithdrawalsFrozen while the ledger is off: nothing leaves before it is mended."""
    if not ledger_is_sound():
        raise WithdrawalsFrozen


def _account(ref: AccountRef) -> QuerySet[LedgerAccount]:
    return LedgerAccount.objects.filter(
        kind=ref.kind, owner_id=ref.owner_id, currency=ref.currency, shard=ref.shard
    )
