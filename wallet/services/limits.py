"""What players forbid themselves."""

from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import Q, Sum
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from wallet.limit_selectors import (
    LENGTHS,
    deposit_limits,
    limits_in_effect,
    loss_limits,
    net_losses,
)
from wallet.models import Deposit, DepositLimit, LimitPeriod, LossLimit, SelfExclusion
from wallet.money import MAX_AMOUNT
from wallet.refusals import (
    DepositLimitReached,
    ExclusionTooShort,
    LossLimitReached,
    MalformedPosting,
    SelfExcluded,
)
from wallet.selectors import exclusion_of

_Limit = TypeVar("_Limit", DepositLimit, LossLimit)
RAISED_AFTER = timedelta(hours=72)
SHORTEST_EXCLUSION = timedelta(hours=24)
# A deposit that nobody has paid by then no longer counts towards a limit.
_WAITING_COUNTS = timedelta(hours=1)


def set_deposit_limit(*, user_id: int, period: LimitPeriod, amount: int | None) -> DepositLimit:
    """A lower limit counts at once, a higher one or None (no limit) RAISED_AFTER from now.

    Until then the old one counts; a limit that was to be raised is replaced. Raises
    MalformedPosting for a senseless amount.
    """
    return _set_limit(DepositLimit, user_id, period, amount)


def set_loss_limit(*, user_id: int, period: LimitPeriod, amount: int | None) -> LossLimit:
    """As set_deposit_limit."""
    return _set_limit(LossLimit, user_id, period, amount)


def _set_limit(
    model: type[_Limit], user_id: int, period: LimitPeriod, amount: int | None
) -> _Limit:
    if amount is not None and not 0 < amount <= MAX_AMOUNT:
        raise MalformedPosting(str(amount))
    with transaction.atomic():
        lock_player(user_id)
        now = timezone.now()
        model.objects.filter(user_id=user_id, period=period, effective_from__gt=now).delete()
        current = limits_in_effect(model, user_id).get(period)
        is_lower = amount is not None and (current is None or amount <= current)
        return model.objects.create(
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


def refuse_beyond_deposit_limits(user_id: int, amount: int) -> None:
    for period, limit in deposit_limits(user_id).items():
        if limit is not None and _deposited(user_id, LENGTHS[period]) + amount > limit:
            raise DepositLimitReached(f"{period}: {limit}")


def refuse_beyond_loss_limits(user_id: int, amount: int) -> None:
    """What is lost within the period, at stake already, and at stake from now on may not be more
    than the limit; the caller is in a transaction and puts `amount` at stake in it."""
    limits = {period: limit for period, limit in loss_limits(user_id).items() if limit is not None}
    if not limits:
        return
    lock_player(user_id)
    lost = net_losses(user_id, at=timezone.now())
    for period, limit in limits.items():
        if lost[period] + amount > limit:
            raise LossLimitReached(f"{period}: {limit}")


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
