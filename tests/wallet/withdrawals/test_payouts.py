"""Payouts over real HTTP: the sandbox takes orders and calls back."""

from datetime import timedelta
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.utils import timezone

from accounts.models import User
from tests.given import reload
from tests.wallet.withdrawals.asking import ask
from wallet.ledger.balances import get_player_balances
from wallet.ledger.checks import reconcile
from wallet.models import Withdrawal
from wallet.payments.base import PayoutOrder, PayoutRefused
from wallet.payments.providers import get_payment_provider
from wallet.payments.sandbox import provider as sandbox
from wallet.payments.sandbox import views as sandbox_payouts
from wallet.payments.sandbox.provider import send_webhook
from wallet.tasks import send_payouts
from wallet.withdrawals.payouts import TRIED_AGAIN_AFTER
from wallet.withdrawals.payouts import send_payouts as send_due_payouts
from wallet.withdrawals.steps import approve_withdrawal

State = Withdrawal.State


@pytest.fixture
def asha(site, asha):
    return asha


def approve_for(user, pay_to="asha@upi"):
    withdrawal = ask(user, 100_000, pay_to=pay_to)
    boss = User.objects.get(player_name="Boss")
    return approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk)


def call_back(site, withdrawal):
    """Send the webhooks of a payout, as the sandbox's worker does."""
    order = {
        "reference": withdrawal.reference,
        "amount": withdrawal.net,
        "pay_to": withdrawal.pay_to,
    }
    for body in sandbox_payouts.webhooks(order):
        send_webhook(body.decode(), sandbox.sign(body))
    withdrawal.refresh_from_db()


def test_a_payout_goes_out_and_comes_back_paid(site, asha):
    withdrawal = approve_for(asha)
    assert send_payouts() == 1
    assert (reload(withdrawal).state, withdrawal.payout_id) == (State.SENT, "sb_w1")
    assert withdrawal.send_at is None
    assert send_payouts() == 0
    call_back(site, withdrawal)
    assert withdrawal.state == State.PAID
    call_back(site, withdrawal)
    assert get_player_balances(asha.pk).cash.winnings == 100_000
    assert reconcile().findings == ()


@pytest.mark.parametrize(
    ("pay_to", "state", "left"),
    [
        ("fail@sandbox", State.FAILED, 200_000),
        ("late@sandbox", State.PAID, 100_000),
        ("short@sandbox", State.IN_DISPUTE, 100_000),
    ],
)
def test_the_address_says_what_becomes_of_it(site, asha, pay_to, state, left):
    withdrawal = approve_for(asha, pay_to)
    assert send_payouts() == 1
    call_back(site, withdrawal)
    assert withdrawal.state == state
    assert get_player_balances(asha.pk).cash.winnings == left


def test_an_address_that_the_provider_refuses(site, asha):
    withdrawal = approve_for(asha, "reject@sandbox")
    assert send_payouts() == 0
    assert (reload(withdrawal).state, withdrawal.reason) == (
        State.FAILED,
        "The bank did not accept the payment.",
    )
    assert get_player_balances(asha.pk).cash.winnings == 200_000


def test_a_provider_that_does_not_answer_is_asked_again(site, asha, settings, caplog):
    withdrawal = approve_for(asha)
    settings.PAYMENT_OPTIONS = {"SANDBOX_URL": "http://127.0.0.1:1"}
    now = timezone.now()
    assert send_due_payouts(now=now) == 0
    assert (reload(withdrawal).state, withdrawal.send_at) == (
        State.APPROVED,
        now + TRIED_AGAIN_AFTER,
    )
    settings.PAYMENT_OPTIONS = {"SANDBOX_URL": site}
    assert send_due_payouts(now=now + timedelta(seconds=59)) == 0
    assert send_due_payouts(now=now + TRIED_AGAIN_AFTER) == 1
    assert reload(withdrawal).state == State.SENT


def test_a_notice_that_is_faster_than_the_answer(site, asha, monkeypatch):
    withdrawal = approve_for(asha)
    provider = type(get_payment_provider())
    really = provider.send_payout

    def send_and_hear(self, order):
        payout_id = really(self, order)
        call_back(site, withdrawal)
        return payout_id

    monkeypatch.setattr(provider, "send_payout", send_and_hear)
    send_payouts()
    assert reload(withdrawal).state == State.PAID


def test_an_order_that_comes_again_is_the_same_payout(site):
    order = PayoutOrder("w1", 70_000, "asha@upi", "Asha Rao")
    provider = get_payment_provider()
    assert provider.send_payout(order) == provider.send_payout(order) == "sb_w1"
    with pytest.raises(PayoutRefused):
        provider.send_payout(PayoutOrder("w2", 1, "reject@sandbox", "Asha Rao"))


@pytest.mark.parametrize("body", [b"{}", b"[]", b"x", b'{"reference": "w1", "amount": "7"}'])
def test_the_sandbox_takes_orders_of_ours_alone(site, body):
    for signature in ("0" * 64, sandbox.sign(body, sandbox.Channel.PAYOUT_ORDER)):
        address = f"{site}/sandbox/payouts/"
        request = Request(address, data=body, headers={"X-Signature": signature})  # noqa: S310
        with pytest.raises(HTTPError) as refusal, urlopen(request, timeout=10):  # noqa: S310
            pass
        assert refusal.value.code == 400
        refusal.value.close()
