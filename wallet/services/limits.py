"""What players forbid themselves."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, Sum
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from wallet.models import Deposit, DepositLimit, SelfExclusion
from wallet.money import MAX_AMOUNT
from wallet.refusals import (
    DepositLimitReached,
    ExclusionTooShort,
    MalformedPosting,
    SelfExcluded,
)
from wallet.selectors import deposit_limits, exclusion_of

RAISED_AFTER = timedelta(hours=72)
SHORTEST_EXCLUSION = timedelta(hours=24)
# A deposit that nobody has paid by then no longer counts towards a limit.
_WAITING_COUNTS = timedelta(hours=1)
_LENGTHS = {
    DepositLimit.Period.DAY: timedelta(days=1),
    DepositLimit.Period.WEEK: timedelta(days=7),
    DepositLimit.Period.MONTH: timedelta(days=30),
}


def set_deposit_limit(
    *, user_id: int, period: DepositLimit.Period, amount: int | None
) -> DepositLimit:
    """A lower limit counts at once, a higher one or None (no limit) RAISED_AFTER from now.

    Until then the old one counts; a limit that was to be raised is replaced.
    """
    if amount is not None and not 0 < amount <= MAX_AMOUNT:
        raise MalformedPosting(str(amount))
    with transaction.atomic():
        lock_player(user_id)
        now = timezone.now()
        limits = DepositLimit.objects.filter(user_id=user_id, period=period)
        limits.filter(effective_from__gt=now).delete()
        current = deposit_limits(user_id).get(period)
        is_lower = amount is not None and (current is None or amount <= current)
        return DepositLimit.objects.create(
            user_id=user_id,
            period=period,
            amount=amount,
            effective_from=now if is_lower or current is None else now + RAISED_AFTER,
        )


def exclude_oneself(*, user_id: int, until: datetime | None) -> SelfExclusion:
    """No playing and no deposits until then, or for good. Raises ExclusionTooShort: it takes
    SHORTEST_EXCLUSION at least, and there is no way back before the end."""
    with transaction.atomic():
        lock_player(user_id)
        running = exclusion_of(user_id)
        if until is not None:
            is_shorter = running is not None and (running.until is None or until < running.until)
            if is_shorter or until < timezone.now() + SHORTEST_EXCLUSION:
                raise ExclusionTooShort
        return SelfExclusion.objects.create(user_id=user_id, until=until)


def refuse_if_excluded(user_id: int) -> None:
    if exclusion_of(user_id) is not None:
        raise SelfExcluded


def refuse_beyond_limits(user_id: int, amount: int) -> None:
    for period, limit in deposit_limits(user_id).items():
        if limit is not None and _deposited(user_id, _LENGTHS[period]) + amount > limit:
            raise DepositLimitReached(f"{period}: {limit}")


def lock_player(user_id: int) -> None:
    """Two decisions about one player's limits are taken one after the other."""
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)


def _deposited(user_id: int, within: timedelta) -> int:
    counted = Deposit.objects.filter(
        Q(state=Deposit.State.PAID)
        | Q(state=Deposit.State.WAITING, started_at__gt=Now() - _WAITING_COUNTS),
        user_id=user_id,
        started_at__gt=Now() - within,
    )
    return counted.aggregate(total=Sum("amount"))["total"] or 0
