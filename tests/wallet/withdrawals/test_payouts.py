"""Payouts over real HTTP: the sandbox takes the orders and calls back."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.given import reload
from tests.wallet.cash_players import read_cash
from tests.wallet.webhooks import deliver, expect_order_refused
from tests.wallet.withdrawals.asking import approve_for
from wallet.ledger.checks import reconcile
from wallet.models import Withdrawal
from wallet.payments.base import PayoutOrder, PayoutRefused
from wallet.payments.providers import get_payment_provider
from wallet.payments.sandbox import provider as sandbox
from wallet.payments.sandbox import views as sandbox_payouts
from wallet.tasks import send_payouts
from wallet.withdrawals.payouts import TRIED_AGAIN_AFTER
from wallet.withdrawals.payouts import send_payouts as send_due_payouts

State = Withdrawal.State


@pytest.fixture
def approve(site, asha, boss):
    """Request and approve a withdrawal of 1,000 rupees, so that its payout is due."""

    def ask_and_approve(pay_to="asha@upi"):
        return approve_for(asha, boss, amount=100_000, pay_to=pay_to)

    return ask_and_approve


def call_back(withdrawal):
    """Post all webhooks of a payout, as the sandbox's worker does."""
    order = {"reference": withdrawal.reference, "amount": withdrawal.net}
    order |= {"pay_to": withdrawal.pay_to}
    for body in sandbox_payouts.webhooks(order):
        deliver(body)
    withdrawal.refresh_from_db()


def test_a_payout_goes_out_and_comes_back_paid(asha, approve):
    withdrawal = approve()
    assert send_payouts() == 1
    assert (reload(withdrawal).state, withdrawal.payout_id) == (State.SENT, "sb_w1")
    assert withdrawal.send_at is None
    assert send_payouts() == 0
    call_back(withdrawal)
    assert withdrawal.state == State.PAID
    call_back(withdrawal)
    assert read_cash(asha).winnings == 100_000
    assert reconcile().findings == ()


@pytest.mark.parametrize(
    ("pay_to", "state", "left"),
    [
        ("fail@sandbox", State.FAILED, 200_000),
        ("late@sandbox", State.PAID, 100_000),
        ("short@sandbox", State.IN_DISPUTE, 100_000),
    ],
)
def test_each_outcome_of_a_payout_reaches_its_state(asha, approve, pay_to, state, left):
    withdrawal = approve(pay_to)
    assert send_payouts() == 1
    call_back(withdrawal)
    assert withdrawal.state == state
    assert read_cash(asha).winnings == left


def test_a_payout_is_retried_when_the_provider_does_not_answer(site, approve, settings, caplog):
    withdrawal = approve()
    settings.PAYMENT_OPTIONS = {"SANDBOX_URL": "http://127.0.0.1:1"}
    now = timezone.now()
    assert send_due_payouts(now=now) == 0
    due_at = now + TRIED_AGAIN_AFTER
    assert (reload(withdrawal).state, withdrawal.send_at) == (State.APPROVED, due_at)
    settings.PAYMENT_OPTIONS = {"SANDBOX_URL": site}
    assert send_due_payouts(now=now + timedelta(seconds=59)) == 0
    assert send_due_payouts(now=now + TRIED_AGAIN_AFTER) == 1
    assert reload(withdrawal).state == State.SENT


def test_a_webhook_may_overtake_the_answer_to_its_order(approve, monkeypatch):
    withdrawal = approve()
    provider = type(get_payment_provider())
    really = provider.send_payout

    def send_and_hear(self, order):
        payout_id = really(self, order)
        call_back(withdrawal)
        return payout_id

    monkeypatch.setattr(provider, "send_payout", send_and_hear)
    send_payouts()
    assert reload(withdrawal).state == State.PAID


def test_a_repeated_order_is_the_same_payout(site):
    order = PayoutOrder("w1", 70_000, "asha@upi", "Asha Rao")
    provider = get_payment_provider()
    assert provider.send_payout(order) == provider.send_payout(order) == "sb_w1"
    with pytest.raises(PayoutRefused):
        provider.send_payout(PayoutOrder("w2", 1, "reject@sandbox", "Asha Rao"))


@pytest.mark.parametrize("body", [b"{}", b"[]", b"x", b'{"reference": "w1", "amount": "7"}'])
def test_the_sandbox_refuses_malformed_and_forged_payout_orders(site, body):
    for signature in ("0" * 64, sandbox.sign(body, sandbox.Channel.PAYOUT_ORDER)):
        expect_order_refused(site, "/sandbox/payouts/", body, signature)
