"""Reading about withdrawals."""

from datetime import datetime, timedelta

from django.db.models import Min, Q, QuerySet, Sum

from wallet.models import GIVEN_BACK, Withdrawal, WithdrawalPolicy
from wallet.refusals import WithdrawalsNotOpen

_DAY = timedelta(hours=24)


def withdrawal_policy(at: datetime) -> WithdrawalPolicy:
    """Raises WithdrawalsNotOpen where the operator has set none."""
    policy = WithdrawalPolicy.objects.filter(valid_from__lte=at).order_by("-valid_from").first()
    if policy is None:
        raise WithdrawalsNotOpen
    return policy


def strictest_until(moment: datetime, *, now: datetime, but: int | None = None) -> int | None:
    """Return the lowest bound of the second approval that counts from now until then, in paise.

    None where no policy does. `but`: the policy that is being changed.
    """
    policies = WithdrawalPolicy.objects.exclude(pk=but) if but else WithdrawalPolicy.objects.all()
    current = policies.filter(valid_from__lte=now).order_by("-valid_from").values("pk")[:1]
    coming = Q(valid_from__gt=now, valid_from__lte=moment)
    bounds = policies.filter(coming | Q(pk__in=current))
    lowest: int | None = bounds.aggregate(lowest=Min("second_approval_above"))["lowest"]
    return lowest


def left_today(user_id: int, policy: WithdrawalPolicy, *, at: datetime) -> int:
    """Return the amount that may still be withdrawn within these 24 hours, in paise."""
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
