"""Changing the fee of one stake, and finding the stakes at which a format has no fee."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from core.refusals import Refusal
from wallet.cash import cash_is_on
from wallet.fees.formats import list_charged_formats
from wallet.fees.services import NextFee, database_time, refuse_wrong_terms
from wallet.models import FeeSchedule
from wallet.money import Currency
from wallet.refusals import FEE_TOO_EARLY

_LEAST_STAKE = 1


@dataclass(frozen=True, slots=True)
class StakeFee:
    """A fee for one stake (chips or paise) of a format. The other stakes keep theirs."""

    game: str
    format: str
    currency: Currency
    stake: int
    fee: NextFee

    def rows(self) -> QuerySet[FeeSchedule]:
        return FeeSchedule.objects.filter(
            game=self.game, format=self.format, currency=self.currency
        )


@dataclass(frozen=True, slots=True)
class Split:
    """The rows of a format before and after the moment at which one stake gets another fee.

    `old` is the row that is replaced, or None if the stake had no fee. The rows in `new` are not saved yet:
    the stake's own row, and what remains of the old row's stakes below and above it.
    """

    begins: datetime
    before: Sequence[FeeSchedule]
    old: FeeSchedule | None
    new: Sequence[FeeSchedule]

    @property
    def after(self) -> list[FeeSchedule]:
        kept = [row for row in self.before if row is not self.old]
        return sorted([*kept, *self.new], key=lambda row: row.stake_from)


def plan_stake_fee(asked: StakeFee, *, now: datetime) -> Split:
    """Plan the rows that give one stake another fee, without saving them.

    The fee is valid until the row that it replaces ends. If it closes a gap, it is valid until the next row
    for this stake begins. Raises FEE_TERMS_WRONG or FEE_TOO_EARLY.
    """
    refuse_wrong_terms(asked.fee)
    begins = asked.fee.valid_from or now
    if begins < now:
        raise Refusal(FEE_TOO_EARLY)
    rows = asked.rows().filter(Q(valid_until=None) | Q(valid_until__gt=begins))
    before = list(rows.filter(valid_from__lte=begins).order_by("stake_from"))
    old = next((row for row in before if _covers(row, asked.stake)), None)
    if old is not None:
        ends = old.valid_until
    else:
        later = rows.filter(valid_from__gt=begins).order_by("valid_from")
        ends = next((row.valid_from for row in later if _covers(row, asked.stake)), None)

    def part(low: int, high: int | None, bps: int, cap: int | None) -> FeeSchedule:
        return FeeSchedule(
            game=asked.game,
            format=asked.format,
            currency=asked.currency,
            stake_from=low,
            stake_to=high,
            rake_bps=bps,
            rake_cap=cap,
            valid_from=begins,
            valid_until=ends,
        )

    new = [part(asked.stake, asked.stake, asked.fee.rake_bps, asked.fee.rake_cap)]
    if old is not None and old.stake_from < asked.stake:
        new.insert(0, part(old.stake_from, asked.stake - 1, old.rake_bps, old.rake_cap))
    if old is not None and old.stake_to != asked.stake:
        new.append(part(asked.stake + 1, old.stake_to, old.rake_bps, old.rake_cap))
    return Split(begins, before, old, new)


@transaction.atomic
def set_stake_fee(asked: StakeFee) -> Split:
    """Give one stake another fee, so that each stake that had a fee still has exactly one at any time.

    The row that covers the stake ends when the new fee begins, and new rows take over its other stakes. If
    the old row began at that same moment, it is deleted instead of ended. Raises FEE_TERMS_WRONG or
    FEE_TOO_EARLY.
    """
    list(asked.rows().select_for_update(no_key=True).order_by("pk").values_list("pk"))
    split = plan_stake_fee(asked, now=database_time())
    old = split.old
    if old is not None and old.valid_from == split.begins:
        FeeSchedule.objects.filter(pk=old.pk).delete()
    elif old is not None:
        FeeSchedule.objects.filter(pk=old.pk).update(valid_until=split.begins)
    for row in split.new:
        row.save(force_insert=True)
    return split


def _covers(row: FeeSchedule, stake: int) -> bool:
    return row.stake_from <= stake and (row.stake_to is None or stake <= row.stake_to)


@dataclass(frozen=True, slots=True)
class FeeGap:
    """Stakes (chips or paise) at which a format has no fee.

    `stake_to` is included in the gap; it is None if the gap has no upper end.
    """

    game: str
    format: str
    currency: Currency
    stake_from: int
    stake_to: int | None


def find_fee_gaps(at: datetime) -> list[FeeGap]:
    """Return the gaps of every charged format in each currency that the site plays for."""
    found = defaultdict(list)
    in_effect = FeeSchedule.objects.filter(
        Q(valid_until=None) | Q(valid_until__gt=at), valid_from__lte=at
    ).order_by("stake_from")
    for game, format, currency, low, high in in_effect.values_list(
        "game", "format", "currency", "stake_from", "stake_to"
    ):
        found[game, format, currency].append((low, high))
    currencies = (Currency.CHIPS, Currency.INR) if cash_is_on() else (Currency.CHIPS,)
    return [
        FeeGap(charged.game, charged.format, currency, low, high)
        for charged in list_charged_formats()
        for currency in currencies
        for low, high in _find_gaps(found[charged.game, charged.format, currency])
    ]


def _find_gaps(ranges: Sequence[tuple[int, int | None]]) -> list[tuple[int, int | None]]:
    """Return the ranges of stakes that none of `ranges` covers. `ranges` must be ascending and must not overlap."""
    gaps: list[tuple[int, int | None]] = []
    free_from = _LEAST_STAKE
    for low, high in ranges:
        if low > free_from:
            gaps.append((free_from, low - 1))
        if high is None:
            return gaps
        free_from = max(free_from, high + 1)
    return [*gaps, (free_from, None)]
