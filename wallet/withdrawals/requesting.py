"""Withdrawal requests: policy, quote, request and cancellation."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Min, Q, QuerySet, Sum
from django.utils import timezone

from accounts.identity.services import identity_is_approved
from core.refusals import Refusal
from wallet.cash import require_cash
from wallet.ledger.balances import get_player_balances
from wallet.ledger.checks import refuse_while_frozen
from wallet.limits.services import lock_player, refuse_unless_confirmed
from wallet.models import GIVEN_BACK, Withdrawal, WithdrawalPolicy
from wallet.payments.cases import refuse_while_owing
from wallet.payments.providers import get_payment_provider
from wallet.refusals import (
    IDENTITY_NOT_APPROVED,
    WITHDRAWAL_CHANGED,
    WITHDRAWAL_LIMIT_REACHED,
    WITHDRAWAL_TOO_SMALL,
    YEAR_NOT_SETTLED,
    InsufficientFunds,
    WithdrawalsNotOpen,
)
from wallet.rules import TaxedWithdrawal, compute_financial_year, tax_withdrawal
from wallet.tax.figures import Rule, compute_figures, get_tax_rule, last_year_is_settled
from wallet.withdrawals.steps import hold_amount, lock_withdrawal, take_step

_DAY = timedelta(hours=24)


def get_withdrawal_policy(at: datetime) -> WithdrawalPolicy:
    """Return the policy in effect. Raises WithdrawalsNotOpen if the operator has set none."""
    policy = WithdrawalPolicy.objects.filter(valid_from__lte=at).order_by("-valid_from").first()
    if policy is None:
        raise WithdrawalsNotOpen
    return policy


def find_strictest_until(moment: datetime, *, now: datetime, but: int | None = None) -> int | None:
    """Return the lowest threshold for a second approval from now until `moment`, in paise.

    It considers the policy in effect now and those that begin by `moment`. Return None if there is no policy.
    `but` is the id of a policy to leave out, because it is being changed.
    """
    policies = WithdrawalPolicy.objects.exclude(pk=but) if but else WithdrawalPolicy.objects.all()
    current = policies.filter(valid_from__lte=now).order_by("-valid_from").values("pk")[:1]
    coming = Q(valid_from__gt=now, valid_from__lte=moment)
    bounds = policies.filter(coming | Q(pk__in=current))
    lowest: int | None = bounds.aggregate(lowest=Min("second_approval_above"))["lowest"]
    return lowest


def compute_amount_left_today(user_id: int, policy: WithdrawalPolicy, *, at: datetime) -> int:
    """Return the amount that may still be withdrawn now, in paise.

    It is the policy's daily amount less what the player has requested in the last 24 hours.
    """
    asked = (
        Withdrawal.objects.filter(user_id=user_id, requested_at__gt=at - _DAY)
        .exclude(state__in=GIVEN_BACK)
        .aggregate(total=Sum("amount"))["total"]
    )
    return max(policy.most_a_day - (asked or 0), 0)


def list_withdrawals(user_id: int) -> QuerySet[Withdrawal]:
    """Return a player's withdrawals, newest first."""
    return Withdrawal.objects.filter(user_id=user_id).order_by("-requested_at", "-pk")


def find_withdrawal(user_id: int, *, reference: str) -> Withdrawal | None:
    """Return the player's withdrawal with this reference, or None."""
    return list_withdrawals(user_id).filter(reference=reference).first()


@dataclass(frozen=True, slots=True)
class WithdrawalQuote:
    """The tax, net amount and rules of a withdrawal, if it were requested now."""

    taxed: TaxedWithdrawal
    rule: Rule
    policy: WithdrawalPolicy


@dataclass(frozen=True, slots=True)
class WithdrawalRequest:
    """A request as the player confirmed it. `net` is the amount shown; `reference` is the idempotency key."""

    reference: str
    amount: int
    net: int
    pay_to: str


def quote_withdrawal(*, user_id: int, amount: int, now: datetime) -> WithdrawalQuote:
    """Return the tax and net amount of a withdrawal of `amount` paise.

    Raises CASH_IS_OFF, WithdrawalsFrozen, ADDRESS_NOT_CONFIRMED, WithdrawalsNotOpen, NoTaxRule,
    PAYMENT_DISPUTED, IDENTITY_NOT_APPROVED, YEAR_NOT_SETTLED, WITHDRAWAL_TOO_SMALL, WITHDRAWAL_LIMIT_REACHED
    or InsufficientFunds.
    """
    require_cash()
    refuse_while_frozen()
    refuse_unless_confirmed(user_id)
    policy = get_withdrawal_policy(now)
    today = timezone.localdate(now)
    rule = get_tax_rule(today)
    refuse_while_owing(user_id)
    if not identity_is_approved(user_id):
        raise Refusal(IDENTITY_NOT_APPROVED)
    if amount < policy.least:
        raise Refusal(WITHDRAWAL_TOO_SMALL)
    if amount > compute_amount_left_today(user_id, policy, at=now):
        raise Refusal(WITHDRAWAL_LIMIT_REACHED)
    if amount > get_player_balances(user_id).cash.winnings:
        raise InsufficientFunds
    year = compute_financial_year(today)
    if not last_year_is_settled(user_id, year):
        raise Refusal(YEAR_NOT_SETTLED)
    taxed = tax_withdrawal(amount, figures=compute_figures(user_id, year), terms=rule.terms)
    return WithdrawalQuote(taxed, rule, policy)


def request_withdrawal(*, user_id: int, wanted: WithdrawalRequest, now: datetime) -> Withdrawal:
    """Hold the amount until the withdrawal is decided. Tax and net are fixed now.

    The same reference again returns the same withdrawal. Raises what quote_withdrawal raises, and
    WITHDRAWAL_CHANGED if the net amount is no longer `wanted.net`.
    """
    require_cash()
    provider = get_payment_provider().code
    with transaction.atomic():
        lock_player(user_id)
        earlier = Withdrawal.objects.filter(user_id=user_id, reference=wanted.reference).first()
        if earlier is not None:
            return earlier
        quote = quote_withdrawal(user_id=user_id, amount=wanted.amount, now=now)
        if quote.taxed.net != wanted.net:
            raise Refusal(WITHDRAWAL_CHANGED)
        withdrawal = Withdrawal(
            user_id=user_id,
            reference=wanted.reference,
            amount=wanted.amount,
            net_winnings=quote.taxed.net_winnings,
            tax=quote.taxed.tax,
            net=quote.taxed.net,
            rule_id=quote.rule.rule_id,
            policy=quote.policy,
            pay_to=wanted.pay_to,
            provider=provider,
            requested_at=now,
        )
        withdrawal.hold_id = hold_amount(withdrawal)
        withdrawal.save(force_insert=True)
    return withdrawal


def cancel_withdrawal(*, user_id: int, reference: str) -> Withdrawal:
    """Cancel the player's own withdrawal before its final approval.

    Raises CASH_IS_OFF, WITHDRAWAL_DECIDED or Withdrawal.DoesNotExist.
    """
    require_cash()
    with lock_withdrawal(user_id=user_id, reference=reference) as withdrawal:
        take_step(withdrawal, Withdrawal.State.CANCELLED, ended_by_id=user_id)
    return withdrawal
