"""Reading the wallet."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts.models import User
from wallet.chart import AccountKind, AccountRef, Reason
from wallet.models import (
    Entry,
    FeeSchedule,
    HoldLine,
    LedgerAccount,
    LedgerCheck,
    SelfExclusion,
)
from wallet.money import Buckets, Currency, most_to_spend
from wallet.refusals import NoFeeSchedule, WithdrawalsFrozen

PAGE_LENGTH = 25
POINTS_OF_A_CHART = 200
_FIRST_NUMBER = """
WITH RECURSIVE search (before, found) AS (
  SELECT 0::bigint, %(last)s::bigint + 1
  UNION ALL
  SELECT CASE WHEN e.happened_at < %(at)s THEN e.seq ELSE before END,
         CASE WHEN e.happened_at < %(at)s THEN found ELSE e.seq END
  FROM search JOIN wallet_entry e
    ON e.account_id = %(account)s AND e.seq = (before + found) / 2
  WHERE found - before > 1
)
SELECT min(found) FROM search
"""
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
    return _player_balances(user_id, hold_id=None)


def spendable(user_id: int, currency: Currency, *, hold_id: int | None = None) -> int:
    """The most that a player can bring to a table of this currency in one payment.

    Cash is counted as it is spent: a bonus pays no more than its share. What the hold sets aside
    counts as free: it was set aside for this payment.
    """
    free = _player_balances(user_id, hold_id=hold_id)
    if currency is Currency.CHIPS:
        return free.chips
    return most_to_spend(free.cash, bonus_bps=settings.CASH_BONUS_BPS)


def _player_balances(user_id: int, *, hold_id: int | None) -> PlayerBalances:
    free = {
        (kind, currency): amount
        for kind, currency, amount in LedgerAccount.objects.filter(
            kind__in=_BUCKETS, owner_id=user_id, shard=0
        ).values_list("kind", "currency", F("balance") - F("held"))
    }
    if hold_id is not None:
        set_aside = HoldLine.objects.filter(
            hold_id=hold_id, hold__resolution=None, source__owner_id=user_id
        )
        for kind, currency, amount in set_aside.values_list("source__kind", "currency", "amount"):
            free[kind, currency] = free.get((kind, currency), 0) + amount
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
    numbers: range | None = None,
) -> StatementPage:
    """Pages by the account's own numbering, so new entries never shift an older page.

    `reasons`: only entries of these; empty for all. `numbers`: only entries with these numbers.
    """
    # First the account's id alone: knowing it, the planner sees that a long statement is read from
    # the end of the entries' primary key; joined or as a subquery it would sort all of it.
    account_id = _account(ref).values_list("id", flat=True).first()
    if account_id is None:
        return StatementPage(entries=(), older=None)
    entries = Entry.objects.filter(account_id=account_id)
    if numbers is not None:
        entries = entries.filter(seq__gte=numbers.start, seq__lt=numbers.stop)
    if before is not None:
        entries = entries.filter(seq__lt=before)
    if reasons:
        entries = entries.filter(transfer__reason__in=reasons)
    found = list(entries.select_related("transfer__journal").order_by("-seq")[: length + 1])
    page = tuple(found[:length])
    return StatementPage(entries=page, older=page[-1].seq if len(found) > length else None)


def numbers_between(
    ref: AccountRef, *, since: datetime | None = None, until: datetime | None = None
) -> range:
    """The numbers of an account's entries from `since` until before `until`."""
    found = _account(ref).values_list("id", "seq").first()
    if found is None:
        return range(1, 1)
    account_id, last = found
    first = 1 if since is None else _first_number(account_id, last, at=since)
    stop = last + 1 if until is None else _first_number(account_id, last, at=until)
    return range(first, max(first, stop))


def balance_points(ref: AccountRef, numbers: range) -> list[tuple[datetime, int]]:
    """Balances after entries of these numbers, in their order, at most POINTS_OF_A_CHART; the first
    and the last one are among them."""
    step = -(-len(numbers) // (POINTS_OF_A_CHART - 1)) or 1
    wanted = sorted({*numbers[::step], *numbers[-1:]})
    account_id = _account(ref).values_list("id", flat=True).first()
    entries = Entry.objects.filter(account_id=account_id, seq__in=wanted).order_by("seq")
    return list(entries.values_list("happened_at", "balance_after"))


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
        _running_exclusions()
        .filter(user_id=user_id)
        .order_by(F("until").desc(nulls_first=True))
        .first()
    )


def barred_among(user_ids: Iterable[int]) -> frozenset[int]:
    """Those who may not play now: frozen, or excluded by themselves."""
    excluded = Exists(_running_exclusions().filter(user=OuterRef("pk")))
    people = User.objects.filter(Q(is_active=False) | Q(excluded), pk__in=list(user_ids))
    return frozenset(people.values_list("pk", flat=True))


def is_of_barred() -> Q:
    """The rows, of a model with a `user`, of those who may not play now."""
    excluded = Exists(_running_exclusions().filter(user=OuterRef("user")))
    return Q(user__is_active=False) | Q(excluded)


def _running_exclusions() -> QuerySet[SelfExclusion]:
    return SelfExclusion.objects.filter(Q(until=None) | Q(until__gt=Now()))


def last_ledger_check() -> LedgerCheck | None:
    return LedgerCheck.objects.order_by("-checked_at", "-pk").first()


def ledger_is_sound() -> bool:
    """Whether the last check of the ledger found nothing; so does one that was never checked."""
    last = last_ledger_check()
    return last is None or not last.found


def refuse_while_frozen() -> None:
    """Raises WithdrawalsFrozen while the ledger is off: nothing leaves before it is mended."""
    if not ledger_is_sound():
        raise WithdrawalsFrozen


def _first_number(account_id: int, last: int, *, at: datetime) -> int:
    """The number of the first entry at `at` or later, `last` + 1 if there is none.

    An account's entries are numbered without a gap in the order of their times, so halving finds
    it in as many steps as `last` has bits, without an index by time.
    """
    with connection.cursor() as cursor:
        cursor.execute(_FIRST_NUMBER, {"account": account_id, "last": last, "at": at})
        (number,) = cursor.fetchone()
    return int(number)


def _account(ref: AccountRef) -> QuerySet[LedgerAccount]:
    return LedgerAccount.objects.filter(
        kind=ref.kind, owner_id=ref.owner_id, currency=ref.currency, shard=ref.shard
    )
