"""Refunds of payments that were not credited, over real HTTP, each exactly once."""

import pytest
from django.urls import reverse
from django.utils import timezone

from core.models import OutgoingEmail
from tests.accounts.staff import decide
from tests.barring import exclude
from tests.refusals import refused
from tests.together import run_at_once
from tests.wallet.deposit_webhooks import AMOUNT, begin, read_state, report
from tests.wallet.webhooks import expect_order_refused
from wallet.deposits.refunds import TRIED_AGAIN_AFTER, decide_refund
from wallet.deposits.refunds import send_refunds as send_due_refunds
from wallet.models import Deposit, Journal, PaymentWebhook
from wallet.payments.base import RefundOrder, RefundRefused
from wallet.payments.providers import get_payment_provider
from wallet.payments.sandbox import provider as sandbox
from wallet.refusals import REFUND_DECIDED
from wallet.tasks import send_refunds

State = Deposit.State
Effect = PaymentWebhook.Effect
Why = Deposit.RefusedFor


@pytest.fixture
def refused_deposit(site, asha):
    """A deposit that was paid but refused, so that it must be refunded."""
    deposit = begin(asha)
    exclude(asha)
    report(deposit)
    return deposit


def test_a_refused_payment_is_refunded_once(refused_deposit):
    assert send_refunds() == 1
    assert read_state(refused_deposit) == (State.REFUNDED, Why.EXCLUDED)
    assert (refused_deposit.refund_id, refused_deposit.refund_at) == (
        f"rf_{refused_deposit.reference}",
        None,
    )
    assert send_refunds() == 0
    assert report(refused_deposit, event="late") == Effect.IGNORED
    assert not Journal.objects.exists()


def test_a_refund_whose_worker_died_is_ordered_again_under_its_reference(
    refused_deposit, monkeypatch
):
    """The provider's answer was never stored, so the same order is sent again with the same reference."""
    provider = type(get_payment_provider())
    really, ordered = provider.refund_payment, []

    def order_and_die(self, order):
        ordered.append((order, really(self, order)))
        raise SystemExit

    monkeypatch.setattr(provider, "refund_payment", order_and_die)
    now = timezone.now()
    with pytest.raises(SystemExit):
        send_due_refunds(now=now)
    assert read_state(refused_deposit) == (State.REFUNDING, Why.EXCLUDED)
    monkeypatch.setattr(provider, "refund_payment", really)
    assert send_due_refunds(now=now) == 0
    assert send_due_refunds(now=now + TRIED_AGAIN_AFTER) == 1
    ((order, refund_id),) = ordered
    assert order == RefundOrder(
        refused_deposit.reference, f"sb_{refused_deposit.reference}", AMOUNT
    )
    assert (read_state(refused_deposit)[0], refused_deposit.refund_id) == (
        State.REFUNDED,
        refund_id,
    )


def test_two_workers_order_a_refund_once(refused_deposit, monkeypatch):
    provider = type(get_payment_provider())
    really, ordered = provider.refund_payment, []

    def order_and_note(self, order):
        ordered.append(order.reference)
        return really(self, order)

    monkeypatch.setattr(provider, "refund_payment", order_and_note)
    now = timezone.now()
    assert sum(run_at_once(*6 * [lambda: send_due_refunds(now=now)])) == 1
    assert ordered == [refused_deposit.reference]


def test_staff_decide_about_a_refund_that_the_provider_refuses(site, asha, boss, client):
    deposit = begin(asha, 25_013)
    exclude(asha)
    report(deposit)
    assert send_refunds() == 0
    assert read_state(deposit) == (State.REFUND_REFUSED, Why.EXCLUDED)
    assert send_refunds() == 0
    client.force_login(boss)
    page = reverse("admin:wallet_deposit_change", args=[deposit.pk])
    assert "Order the refund again" in client.get(page).text
    decide(client, deposit, "refund_again", "The bank says it works now.")
    assert read_state(deposit)[0] == State.REFUNDING
    assert send_refunds() == 0
    decide(client, deposit, "refunded", "By cheque 12.")
    assert read_state(deposit) == (State.REFUNDED, Why.EXCLUDED)
    with refused(REFUND_DECIDED):
        decide_refund(deposit_id=deposit.pk, was_paid_back=False)
    assert read_state(deposit)[0] == State.REFUNDED
    client.get(page)  # shows the message about the decision once
    assert "Order the refund again" not in client.get(page).text


def test_no_refund_is_sent_while_cash_is_off(refused_deposit, settings):
    settings.CASH_PLAY = "off"
    assert send_refunds() == 0
    assert read_state(refused_deposit)[0] == State.REFUNDING


def test_the_sandbox_refuses_refund_orders_that_it_did_not_sign(site):
    provider = get_payment_provider()
    order = RefundOrder("r1", "sb_r1", AMOUNT)
    assert provider.refund_payment(order) == provider.refund_payment(order) == "rf_r1"
    with pytest.raises(RefundRefused):
        provider.refund_payment(RefundOrder("r2", "sb_r2", 113))
    body = b'{"reference": "r1", "payment_id": "sb_r1", "amount": "7"}'
    for signature in (
        "0" * 64,
        sandbox.sign(body, sandbox.Channel.PAYOUT_ORDER),
        sandbox.sign(body, sandbox.Channel.REFUND_ORDER),
    ):
        expect_order_refused(site, "/sandbox/refunds/", body, signature)


def test_the_player_reads_why_a_deposit_was_not_credited(refused_deposit, asha, client):
    email = OutgoingEmail.objects.get(user=asha)
    assert email.subject == "Your deposit of ₹250.00 was not credited"
    assert "You have excluded yourself from playing for now." in email.text
    client.force_login(asha)
    page = reverse("wallet:deposit_state", args=[refused_deposit.reference])
    content = client.get(page).text
    assert "not credited, being paid back" in content
    assert "You have excluded yourself from playing for now." in content
    send_refunds()
    assert "not credited, paid back" in client.get(page).text
