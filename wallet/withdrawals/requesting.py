"""Asking for winnings, and changing one's mind."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.identity.selectors import identity_is_approved
from wallet.cash import require_cash
from wallet.ledger.balances import player_balances
from wallet.ledger.health import refuse_while_frozen
from wallet.limits.services import lock_player, refuse_unless_confirmed
from wallet.models import Withdrawal, WithdrawalPolicy
from wallet.payments.providers import payment_provider
from wallet.refusals import (
    IdentityNotApproved,
    InsufficientFunds,
    WithdrawalChanged,
    WithdrawalLimitReached,
    WithdrawalTooSmall,
    YearNotSettled,
)
from wallet.rules.tax import TaxedWithdrawal, financial_year, tax_withdrawal
from wallet.tax.figures import Rule, figures_of, last_year_is_settled, tax_rule_on
from wallet.withdrawals.money import ending, put_aside, step
from wallet.withdrawals.selectors import left_today, withdrawal_policy


@dataclass(frozen=True, slots=True)
class WithdrawalQuote:
    """The result of a withdrawal if it was requested now."""

    taxed: TaxedWithdrawal
    rule: Rule
    policy: WithdrawalPolicy


@dataclass(frozen=True, slots=True)
class WithdrawalRequest:
    """`net` is what the player was shown to get; `reference` is made once for what was shown."""

    reference: str
    amount: int
    net: int
    pay_to: str


def quote_withdrawal(*, user_id: int, amount: int, now: datetime) -> WithdrawalQuote:
    """Amount, tax and net of a withdrawal of `amount` paise.

    Raises CashIsOff, WithdrawalsFrozen, AddressNotConfirmed, WithdrawalsNotOpen, NoTaxRule,
    IdentityNotApproved, YearNotSettled, WithdrawalTooSmall, WithdrawalLimitReached or InsufficientFunds.
    """
    require_cash()
    refuse_while_frozen()
    refuse_unless_confirmed(user_id)
    policy = withdrawal_policy(now)
    today = timezone.localdate(now)
    rule = tax_rule_on(today)
    if not identity_is_approved(user_id):
        raise IdentityNotApproved
    if amount < policy.least:
        raise WithdrawalTooSmall
    if amount > left_today(user_id, policy, at=now):
        raise WithdrawalLimitReached
    if amount > player_balances(user_id).cash.winnings:
        raise InsufficientFunds
    year = financial_year(today)
    if not last_year_is_settled(user_id, year):
        raise YearNotSettled
    taxed = tax_withdrawal(amount, figures=figures_of(user_id, year), terms=rule.terms)
    return WithdrawalQuote(taxed, rule, policy)


def request_withdrawal(*, user_id: int, wanted: WithdrawalRequest, now: datetime) -> Withdrawal:
    """Puts the amount aside until it is decided; tax and net are fixed now.

    The same reference again is the same withdrawal. Raises what quote_withdrawal raises, and
    WithdrawalChanged if it would not bring `wanted.net` any more.
    """
    require_cash()
    provider = payment_provider().code
    with transaction.atomic():
        lock_player(user_id)
        earlier = Withdrawal.objects.filter(user_id=user_id, reference=wanted.reference).first()
        if earlier is not None:
            return earlier
        quote = quote_withdrawal(user_id=user_id, amount=wanted.amount, now=now)
        if quote.taxed.net != wanted.net:
            raise WithdrawalChanged
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
        withdrawal.hold_id = put_aside(withdrawal)
        withdrawal.save(force_insert=True)
    return withdrawal


def cancel_withdrawal(*, user_id: int, reference: str) -> Withdrawal:
    """The player's own, while nobody has approved it for good. Raises CashIsOff or
    WithdrawalDecided."""
    require_cash()
    with ending(user_id=user_id, reference=reference) as withdrawal:
        step(withdrawal, Withdrawal.State.CANCELLED, ended_by_id=user_id)
    return withdrawal
