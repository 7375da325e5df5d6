"""Withdrawals that are requested, approved and reported on by the sandbox."""

import json

from django.utils import timezone

from wallet.ledger.balances import get_player_balances
from wallet.models import PayoutWebhook, Withdrawal
from wallet.payments.base import About, Outcome
from wallet.payments.sandbox import provider as sandbox
from wallet.withdrawals.requesting import WithdrawalRequest, quote_withdrawal, request_withdrawal
from wallet.withdrawals.steps import approve_withdrawal

WEBHOOK = "/wallet/webhooks/sandbox/"
FORM = {"amount": "1500", "pay_to": "asha@upi"}


Effect = PayoutWebhook.Effect


State = Withdrawal.State


def ask(user, amount=50_000, reference="w1", net=None, now=None, pay_to="asha@upi"):
    now = now or timezone.now()
    if net is None:
        net = quote_withdrawal(user_id=user.pk, amount=amount, now=now).taxed.net
    wanted = WithdrawalRequest(reference, amount, net, pay_to)
    return request_withdrawal(user_id=user.pk, wanted=wanted, now=now)


def read_everything(ledger):
    return ledger(), list(Withdrawal.objects.order_by("pk").values_list())


def winnings(user):
    return get_player_balances(user.pk).cash.winnings


def approve_for(user, boss, **facts):
    return approve_withdrawal(withdrawal_id=ask(user, **facts).pk, staff_id=boss.pk)


def webhook(withdrawal, outcome=Outcome.PAID, event="e1", amount=None, payment=None):
    body = json.loads(
        sandbox.write_webhook(
            about=About.PAYOUT,
            event_id=event,
            reference=withdrawal.reference,
            outcome=outcome,
            amount=amount or withdrawal.net,
        )
    )
    return json.dumps({**body, "payment": payment or body["payment"]}).encode()


def send(client, content, channel=sandbox.Channel.WEBHOOK):
    return client.post(
        WEBHOOK,
        content,
        content_type="application/json",
        headers={"X-Signature": sandbox.sign(content, channel)},
    )


def effect(client, withdrawal, *args, **facts):
    answer = send(client, webhook(withdrawal, *args, **facts))
    assert answer.status_code == 200
    withdrawal.refresh_from_db()
    return answer.json()["effect"]
