"""Withdrawals that are requested and approved."""

from django.utils import timezone

from tests.wallet.cash_players import read_cash
from wallet.models import PayoutWebhook, Withdrawal
from wallet.withdrawals.requesting import WithdrawalRequest, quote_withdrawal, request_withdrawal
from wallet.withdrawals.steps import approve_withdrawal

FORM = {"amount": "1500", "pay_to": "asha@upi"}
Effect = PayoutWebhook.Effect
State = Withdrawal.State


def ask(user, amount=50_000, reference="w1", net=None, now=None, pay_to="asha@upi"):
    now = now or timezone.now()
    if net is None:
        net = quote_withdrawal(user_id=user.pk, amount=amount, now=now).taxed.net
    wanted = WithdrawalRequest(reference, amount, net, pay_to)
    return request_withdrawal(user_id=user.pk, wanted=wanted, now=now)


def approve_for(user, boss, **facts):
    return approve_withdrawal(withdrawal_id=ask(user, **facts).pk, staff_id=boss.pk)


def mark_paid(withdrawal, boss):
    Withdrawal.objects.filter(pk=withdrawal.pk).update(
        state="PAID", ended_at=timezone.now(), approved_by=boss, send_at=None
    )


def read_withdrawals(ledger):
    """Return all rows of the ledger and all withdrawals, for comparison before and after."""
    return ledger(), list(Withdrawal.objects.order_by("pk").values_list())


def read_winnings(user):
    return read_cash(user).winnings
