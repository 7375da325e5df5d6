"""Balances of accounts."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db.models import F, QuerySet

from wallet.ledger.chart import AccountRef
from wallet.models import AccountKind, HoldLine, LedgerAccount
from wallet.money import Buckets, Currency, compute_most_to_spend


def read_account_rows(ref: AccountRef) -> QuerySet[LedgerAccount]:
    return LedgerAccount.objects.filter(
        kind=ref.kind, owner_id=ref.owner_id, currency=ref.currency, shard=ref.shard
    )


_BUCKETS = (AccountKind.BONUS, AccountKind.PLAYER, AccountKind.WINNINGS)


@dataclass(frozen=True, slots=True)
class PlayerBalances:
    """The amounts that a player may spend now: balances less holds, in chips and paise."""

    chips: int
    cash: Buckets


def balance(ref: AccountRef) -> int:
    """Return the balance of an account, holds included; 0 before its first transfer."""
    amount = read_account_rows(ref).values_list("balance", flat=True).first()
    return amount or 0


def get_player_balances(user_id: int) -> PlayerBalances:
    """Return the amounts that a player may spend now, in chips and paise."""
    return _player_balances(user_id, hold_id=None)


def compute_spendable(user_id: int, currency: Currency, *, hold_id: int | None = None) -> int:
    """Return the largest amount that a player can bring to a table of this currency in one payment.

    A bonus is included only up to the share that it may pay. The amount held by `hold_id` counts as available.
    """
    free = _player_balances(user_id, hold_id=hold_id)
    if currency is Currency.CHIPS:
        return free.chips
    return compute_most_to_spend(free.cash, bonus_bps=settings.CASH_BONUS_BPS)


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


def get_prize_pool_balances(tournament_ids: Iterable[int]) -> dict[int, int]:
    """Return the amounts in prize pools, as a mapping from tournament id to amount.

    A tournament has one currency. A tournament whose pool has no account yet is left out.
    """
    pools = LedgerAccount.objects.filter(
        kind=AccountKind.PRIZE_POOL, owner_id__in=list(tournament_ids)
    )
    return dict(pools.values_list("owner_id", "balance"))


def get_seat_balances(
    seat_ids: Iterable[int], *, currency: Currency = Currency.CHIPS
) -> dict[int, int]:
    """Return the stacks of these seats, as a mapping from seat id to the stack in the smallest unit.

    The stack of a seat without an account is 0.
    """
    stacks = dict.fromkeys(seat_ids, 0)
    stacks.update(
        LedgerAccount.objects.filter(
            kind=AccountKind.SEAT, owner_id__in=list(stacks), currency=currency, shard=0
        ).values_list("owner_id", "balance")
    )
    return stacks
