"""Reading about withdrawals."""

from datetime import datetime, timedelta

from django.db.models import QuerySet, Sum

from wallet.models import GIVEN_BACK, Withdrawal, WithdrawalPolicy
from wallet.refusals import WithdrawalsNotOpen

_DAY = timedelta(hours=24)


def withdrawal_policy(at: datetime) -> WithdrawalPolicy:
    """Raises WithdrawalsNotOpen where the operator has set none."""
    policy = WithdrawalPolicy.objects.filter(valid_from__lte=at).order_by("-valid_from").first()
    if policy is None:
        raise WithdrawalsNotOpen
    return policy


def left_today(user_id: int, policy: WithdrawalPolicy, *, at: datetime) -> int:
    """What may still be withdrawn within these 24 hours, in paise."""
    asked = (
        Withdrawal.objects.filter(user_id=user_id, requested_at__gt=at - _DAY)
        .exclude(state__in=GIVEN_BACK)
        .aggregate(total=Sum("amount"))["total"]
    )
    return max(policy.most_a_day - (asked or 0), 0)


def withdrawals_of(user_id: int) -> QuerySet[Withdrawal]:
    """Newest first."""
    return Withdrawal.objects.filter(user_id=user_id).order_by("-requested_at", "-pk")


def withdrawal_of(user_id: int, *, reference: str) -> Withdrawal | None:
    """None if it is not this player's, or if there is none."""
    return withdrawals_of(user_id).filter(reference=reference).first()
