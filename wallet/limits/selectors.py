"""A player's own limits and self-exclusions, and how much of a limit is used."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Now

from accounts.models import User
from wallet.cash import cash_is_on
from wallet.models import Deposit, DepositLimit, LimitPeriod, LossLimit, SelfExclusion


@dataclass(frozen=True, slots=True)
class LimitState:
    """A player's limit for one period. `amount` is in paise, or None for no limit.

    A pending raise to `coming` takes effect at `coming_from`, which is None if no raise is pending.
    """

    period: LimitPeriod
    amount: int | None
    coming: int | None = None
    coming_from: datetime | None = None


@dataclass(frozen=True, slots=True)
class OwnLimits:
    """The limits that a player has set. While cash is off, only `exclusion` is filled.

    `lost` is the net loss of each period in paise, below zero for a gain.
    """

    exclusion: SelfExclusion | None
    deposits: Sequence[LimitState]
    losses: Sequence[LimitState]
    lost: Mapping[LimitPeriod, int]


def get_own_limits(user_id: int, *, at: datetime) -> OwnLimits:
    """Return all limits of a player at this moment, including pending raises."""
    exclusion = find_exclusion(user_id)
    if not cash_is_on():
        return OwnLimits(exclusion, (), (), {})
    return OwnLimits(
        exclusion,
        limit_states(DepositLimit, user_id),
        limit_states(LossLimit, user_id),
        compute_net_losses(user_id, at=at),
    )


def find_exclusion(user_id: int) -> SelfExclusion | None:
    """Return the running self-exclusion that ends last, or None."""
    return (
        _filter_running_exclusions()
        .filter(user_id=user_id)
        .order_by(F("until").desc(nulls_first=True))
        .first()
    )


def filter_barred(user_ids: Iterable[int], *, lock: bool = False) -> frozenset[int]:
    """Return those of the given players who may not play now because they are frozen or self-excluded.

    With `lock`, none of the others can be frozen or excluded until the caller's transaction ends.
    """
    ids = sorted(user_ids)
    if not ids:
        return frozenset()
    if lock:
        people = User.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
        ids = list(people.values_list("pk", flat=True))
    excluded = Exists(_filter_running_exclusions().filter(user=OuterRef("pk")))
    barred = User.objects.filter(Q(is_active=False) | Q(excluded), pk__in=ids)
    return frozenset(barred.values_list("pk", flat=True))


def is_of_barred() -> Q:
    """Return a filter for rows whose `user` may not play now because they are frozen or self-excluded."""
    excluded = Exists(_filter_running_exclusions().filter(user=OuterRef("user")))
    return Q(user__is_active=False) | Q(excluded)


def has_own_limits(user_id: int) -> bool:
    """Return whether the player has a limit or a self-exclusion in effect."""
    if _filter_running_exclusions().filter(user_id=user_id).exists():
        return True
    limits = [*deposit_limits(user_id).values(), *get_loss_limits(user_id).values()]
    return any(amount is not None for amount in limits)


def _filter_running_exclusions() -> QuerySet[SelfExclusion]:
    return SelfExclusion.objects.filter(Q(until=None) | Q(until__gt=Now()))


LENGTHS: Mapping[LimitPeriod, timedelta] = {
    LimitPeriod.DAY: timedelta(days=1),
    LimitPeriod.WEEK: timedelta(days=7),
    LimitPeriod.MONTH: timedelta(days=30),
}
# The provider accepts the payment of a deposit for this long. After that an unpaid deposit no longer
# counts towards a limit.
ORDER_LASTS = timedelta(hours=1)
# How far back the history is read. If a player sits at a table for longer, earlier payments to it are ignored.
_LOOKED_BACK = 2 * LENGTHS[LimitPeriod.MONTH]
# The seats, pots and prize pools to which a player brought own cash: the amount that has not come back,
# whether any of it is still there, and the time of the last entry.
_PLACES = """
WITH flow AS (
  SELECT CASE WHEN e.amount < 0 THEN t.destination_id ELSE t.source_id END AS place_id, e.amount
  FROM wallet_entry e JOIN wallet_transfer t ON t.id = e.transfer_id
  WHERE e.account_id IN (
    SELECT id FROM wallet_account
    WHERE kind IN ('PLAYER', 'WINNINGS') AND owner_id = %s AND currency = 'INR' AND shard = 0)
    AND e.happened_at > %s
)
SELECT -sum(flow.amount), place.balance > 0, (
  SELECT e.happened_at FROM wallet_entry e
  WHERE e.account_id = place.id ORDER BY e.seq DESC LIMIT 1)
FROM flow JOIN wallet_account place ON place.id = flow.place_id
WHERE place.kind IN ('SEAT', 'POT', 'PRIZE_POOL')
GROUP BY place.id HAVING bool_or(flow.amount < 0)
"""


def deposit_limits(user_id: int) -> dict[LimitPeriod, int | None]:
    """Return a mapping from period to the deposit limit in effect, in paise. A limit that was removed is None."""
    return get_limits_in_effect(DepositLimit, user_id)


def get_loss_limits(user_id: int) -> dict[LimitPeriod, int | None]:
    """Return a mapping from period to the loss limit in effect, in paise. A limit that was removed is None."""
    return get_limits_in_effect(LossLimit, user_id)


def get_limits_in_effect(
    model: type[DepositLimit] | type[LossLimit], user_id: int
) -> dict[LimitPeriod, int | None]:
    rows = (
        model.objects.filter(user_id=user_id, effective_from__lte=Now())
        .order_by("period", "-effective_from", "-id")
        .distinct("period")
    )
    return {LimitPeriod(row.period): row.amount for row in rows}


def limit_states(model: type[DepositLimit] | type[LossLimit], user_id: int) -> list[LimitState]:
    """Return the limit of each period, with its pending raise if there is one."""
    amounts = get_limits_in_effect(model, user_id)
    coming = {
        row.period: row for row in model.objects.filter(user_id=user_id, effective_from__gt=Now())
    }
    return [
        LimitState(
            period,
            amounts.get(period),
            coming=coming[period].amount if period in coming else None,
            coming_from=coming[period].effective_from if period in coming else None,
        )
        for period in LimitPeriod
    ]


def compute_net_losses(user_id: int, *, at: datetime) -> dict[LimitPeriod, int]:
    """Return a mapping from period to the net loss of own cash, in paise; below zero for a gain.

    Cash brought to a table, match or tournament counts as lost while some of it is still there. Once the
    play there is over, its result counts for the length of the period.
    """
    with connection.cursor() as cursor:
        cursor.execute(_PLACES, [user_id, at - _LOOKED_BACK])
        places: list[tuple[int, bool, datetime]] = cursor.fetchall()
    return {
        period: sum(
            int(lost) for lost, is_open, over_at in places if is_open or over_at > at - length
        )
        for period, length in LENGTHS.items()
    }


def sum_of_deposits(user_id: int, within: timedelta, *, waiting: bool) -> int:
    """Return the sum of deposits in the last `within`, in paise.

    With `waiting`, deposits that can still be paid are included.
    """
    counted = Q(state=Deposit.State.PAID, decided_at__gt=Now() - within)
    if waiting:
        counted |= Q(state=Deposit.State.WAITING, started_at__gt=Now() - ORDER_LASTS)
    deposits = Deposit.objects.filter(counted, user_id=user_id)
    return deposits.aggregate(total=Sum("amount"))["total"] or 0


def deposit_left(user_id: int) -> int | None:
    """Return how much the player's own limits still allow them to deposit, in paise; None without a limit."""
    left = [
        limit - sum_of_deposits(user_id, LENGTHS[period], waiting=True)
        for period, limit in deposit_limits(user_id).items()
        if limit is not None
    ]
    return max(0, min(left)) if left else None
