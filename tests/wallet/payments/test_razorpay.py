"""Razorpay over real HTTP, both ways: a stand-in answers orders and reports to the running site."""

import json
import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from django.core.checks import run_checks
from django.utils import timezone

from core.refusals import Refusal
from tests.barring import exclude
from tests.given import reload
from tests.programs import ROOT
from tests.wallet.cash_players import may_withdraw, read_cash
from tests.wallet.payments.razorpay_stand_in import (
    KEY_SECRET,
    LOST,
    SECRETS,
    SLOW,
    event,
    razorpay_answers,
    report,
    signature,
)
from tests.wallet.withdrawals.asking import approve_for, read_winnings
from tests.workers import environment
from wallet.deposits import refunds
from wallet.deposits.refunds import send_refunds
from wallet.deposits.services import compute_payment_deadline, find_payment_page, start_deposit
from wallet.ledger.checks import reconcile
from wallet.models import (
    Deposit,
    Journal,
    PaymentCase,
    PaymentWebhook,
    PayoutWebhook,
    ProviderChoice,
)
from wallet.payments import razorpay as calls
from wallet.payments.providers import get_payment_provider, get_provider
from wallet.refusals import PROVIDER_AWAY
from wallet.withdrawals import payouts
from wallet.withdrawals.payouts import send_payouts

AMOUNT = 25_000
RAZORPAY = "wallet.payments.razorpay.RazorpayProvider"
SANDBOX = "wallet.payments.sandbox.SandboxProvider"
FOR_PAYOUTS = SECRETS[1]


@pytest.fixture
def razorpay(settings, monkeypatch, transactional_db):
    monkeypatch.setattr(calls, "SECONDS_TO_ANSWER", 1)
    with razorpay_answers() as answering:
        settings.PAYMENT_PROVIDERS = [RAZORPAY, SANDBOX]
        settings.PAYMENT_OPTIONS = answering.options
        yield answering


def begin(user, amount=AMOUNT):
    deposit = start_deposit(user_id=user.pk, amount=amount)
    find_payment_page(deposit)
    return deposit


def state(row):
    return reload(row).state


def cash(user):
    return read_cash(user).deposit


class TestPayment:
    def test_a_deposit_opens_a_link_for_its_full_amount(self, client, razorpay, asha):
        client.force_login(asha)
        form = client.get("/wallet/deposits/")
        assert f"form-action 'self' {razorpay.address}" in form.headers["Content-Security-Policy"]
        answer = client.post("/wallet/deposits/", {"amount": "250"})
        deposit = Deposit.objects.get()
        link = razorpay.links[deposit.reference]
        assert answer.url == link["short_url"]
        assert (link["amount"], link["currency"], link["accept_partial"]) == (AMOUNT, "INR", False)
        assert link["expire_by"] == int(compute_payment_deadline(deposit).timestamp())
        back = f"https://play.example.com/wallet/deposits/{deposit.reference}/"
        assert (link["callback_url"], link["callback_method"]) == (back, "get")

    @pytest.mark.parametrize("fault", [500, 502, 429, 401, LOST, SLOW])
    def test_a_deposit_without_a_page_is_refused_with_a_sentence(
        self, client, razorpay, asha, fault
    ):
        razorpay.faults.append(fault)
        client.force_login(asha)
        answer = client.post("/wallet/deposits/", {"amount": "250"})
        assert answer.status_code == 200
        assert str(Refusal(PROVIDER_AWAY)) in answer.text
        assert Deposit.objects.get().state == "WAITING"
        assert client.post("/wallet/deposits/", {"amount": "250"}).status_code == 302
        assert Journal.objects.count() == 0

    def test_a_payment_is_credited_once_for_any_number_of_events(self, live_site, razorpay, asha):
        deposit = begin(asha)
        paid = razorpay.pay_link(deposit.reference, id="pay_1")
        assert report(live_site, paid) == (200, "CREDITED")
        assert report(live_site, paid) == (200, "REPEATED")
        # The event id is not signed, so the payment itself must be credited only once.
        assert report(live_site, paid, event_id="evt_2") == (200, "IGNORED")
        assert (state(deposit), deposit.payment_id, cash(asha)) == ("PAID", "pay_1", AMOUNT)
        assert reconcile().findings == ()

    def test_a_payment_must_be_signed_with_one_of_two_secrets(self, live_site, razorpay, asha):
        deposit = begin(asha)
        paid = razorpay.pay_link(deposit.reference)
        wrong = {"secret": KEY_SECRET}, {"signed": "0" * 64}, {"signed": signature(paid + b" ")}
        for way in wrong:
            assert report(live_site, paid, **way) == (400, "bad_signature")
        assert (state(deposit), cash(asha)) == ("WAITING", 0)
        assert not PaymentWebhook.objects.exists()
        assert report(live_site, paid, secret=SECRETS[1]) == (200, "CREDITED")

    def test_a_payment_counts_after_its_link_was_reported_expired(self, live_site, razorpay, asha):
        deposit = begin(asha)
        over, paid = razorpay.over(deposit.reference), razorpay.pay_link(deposit.reference)
        assert report(live_site, over, event_id="evt_9") == (200, "FAILED")
        assert state(deposit) == "FAILED"
        assert report(live_site, paid, event_id="evt_8") == (200, "CREDITED")
        assert (state(deposit), cash(asha)) == ("PAID", AMOUNT)
        assert report(live_site, over, event_id="evt_7") == (200, "IGNORED")
        assert state(deposit) == "PAID"

    def test_a_payment_of_another_shop_is_acknowledged_and_ignored(self, live_site, razorpay, asha):
        payment = {"payment": {"entity": {"id": "pay_1", "amount": 1, "status": "failed"}}}
        assert report(live_site, event("payment.failed", payment)) == (200, "IGNORED")
        unknown = json.loads(razorpay.pay_link(begin(asha).reference))
        unknown["payload"]["payment_link"]["entity"]["reference_id"] = "another-shop"
        assert report(live_site, json.dumps(unknown).encode()) == (404, "UNKNOWN")

    @pytest.mark.parametrize(
        "change",
        [
            {"amount": "25000"},
            {"amount": -1},
            {"amount": 1.5},
            {"currency": "USD"},
            {"id": None},
            {"id": "pay_\u0967"},
        ],
    )
    def test_a_malformed_payment_is_refused(self, live_site, razorpay, asha, change):
        deposit = begin(asha)
        told = razorpay.pay_link(deposit.reference, **change)
        assert report(live_site, told) == (400, "malformed_webhook")
        assert report(live_site, b"[1]") == (400, "malformed_webhook")
        unnumbered = report(live_site, razorpay.pay_link(deposit.reference), event_id="")
        assert unnumbered == (400, "malformed_webhook")
        assert (state(deposit), cash(asha)) == ("WAITING", 0)


class TestRefund:
    @pytest.fixture
    def refused(self, live_site, razorpay, asha):
        """A paid deposit that may not be credited and must be refunded."""
        deposit = begin(asha)
        exclude(asha)
        told = razorpay.pay_link(deposit.reference, id="pay_back")
        assert report(live_site, told) == (200, "REFUNDED")
        return deposit

    def test_a_refund_is_sent_back_by_the_payment(self, razorpay, refused):
        assert send_refunds(now=timezone.now()) == 1
        ((refund_id, refund),) = razorpay.refunds.items()
        assert (refund["payment_id"], refund["amount"]) == ("pay_back", AMOUNT)
        assert (state(refused), refused.refund_id) == ("REFUNDED", refund_id)
        assert Journal.objects.count() == 0

    @pytest.mark.parametrize("fault", [500, 409, 429, LOST, SLOW])
    def test_a_refund_without_an_answer_is_retried_and_paid_once(self, razorpay, refused, fault):
        razorpay.faults.append(fault)
        now = timezone.now()
        assert send_refunds(now=now) == 0
        assert state(refused) == "REFUNDING"
        assert send_refunds(now=now + timedelta(seconds=59)) == 0
        assert send_refunds(now=now + refunds.TRIED_AGAIN_AFTER) == 1
        (refund_id,) = razorpay.refunds
        assert (state(refused), refused.refund_id) == ("REFUNDED", refund_id)
        assert [path for path, _body in razorpay.asked].count("/v1/payments/pay_back/refund") == 2

    def test_a_refund_declined_by_razorpay_waits_for_staff(self, razorpay, refused):
        razorpay.declined["/refund"] = "payment_already_refunded"
        assert send_refunds(now=timezone.now()) == 0
        assert (state(refused), razorpay.refunds) == ("REFUND_REFUSED", {})

    def test_a_refund_that_fails_after_it_was_accepted_waits_for_staff(
        self, live_site, razorpay, refused
    ):
        send_refunds(now=timezone.now())
        ((refund_id, refund),) = razorpay.refunds.items()
        about = {"payment_id": "pay_back", "number": refund_id, "receipt": refund["receipt"]}
        made, failed = (razorpay.of_refund(how, **about) for how in ("processed", "failed"))
        assert report(live_site, made, event_id="evt_2") == (200, "IGNORED")
        assert state(refused) == "REFUNDED"
        assert report(live_site, failed, event_id="evt_3") == (200, "REFUND_FAILED")
        assert (state(refused), refused.refund_id) == ("REFUND_REFUSED", refund_id)
        assert report(live_site, failed, event_id="evt_3") == (200, "REPEATED")
        # A repeated order needs a new reference, because the refund under the old one stays failed.
        refunds.decide_refund(deposit_id=refused.pk, was_paid_back=False)
        assert send_refunds(now=timezone.now()) == 1
        again = set(razorpay.refunds) - {refund_id}
        assert {(state(refused), refused.refund_id)} == {("REFUNDED", one) for one in again}
        # The old failure, reported again under another event id, does not affect the new order.
        assert report(live_site, failed, event_id="evt_4") == (200, "IGNORED")
        assert state(refused) == "REFUNDED"
        assert not PaymentCase.objects.exists()
        assert Journal.objects.count() == 0

    def test_a_failure_that_comes_before_the_answer_counts(self, live_site, razorpay, refused):
        def fail():
            failed = razorpay.of_refund(
                "failed", payment_id="pay_back", number="rfnd_9", receipt=refused.reference
            )
            assert report(live_site, failed, event_id="evt_5") == (200, "REFUND_FAILED")

        razorpay.faults.append(fail)
        send_refunds(now=timezone.now())
        assert state(refused) == "REFUND_REFUSED"


class TestPayout:
    @pytest.fixture
    def withdrawal(self, razorpay, asha, boss):
        return approve_for(may_withdraw(asha, boss), boss, amount=100_000, reference="5f0c1d4e8a")

    def send(self, razorpay):
        assert send_payouts(now=timezone.now()) == 1
        (payout_id,) = razorpay.payouts
        return payout_id

    def test_a_payout_is_paid_when_razorpay_reports_it(self, live_site, razorpay, withdrawal):
        payout_id = self.send(razorpay)
        sent = razorpay.payouts[payout_id]
        assert (sent["amount"], sent["mode"], sent["reference_id"]) == (70_000, "UPI", "5f0c1d4e8a")
        account = sent["fund_account"]
        assert (account["vpa"], account["contact"]["name"]) == ({"address": "asha@upi"}, "Asha Rao")
        assert (state(withdrawal), withdrawal.payout_id) == ("SENT", payout_id)
        done = razorpay.of_payout(payout_id)
        assert report(live_site, done, secret=FOR_PAYOUTS) == (200, "PAID")
        assert report(live_site, done, secret=FOR_PAYOUTS) == (200, "REPEATED")
        assert state(withdrawal) == "PAID"
        assert reconcile().findings == ()

    @pytest.mark.parametrize("fault", [500, 409, 429, LOST, SLOW])
    def test_a_payout_without_an_answer_is_retried_and_paid_once(self, razorpay, withdrawal, fault):
        razorpay.faults.append(fault)
        now = timezone.now()
        assert send_payouts(now=now) == 0
        assert state(withdrawal) == "APPROVED"
        assert send_payouts(now=now + payouts.TRIED_AGAIN_AFTER) == 1
        (payout_id,) = razorpay.payouts
        assert (state(withdrawal), withdrawal.payout_id) == ("SENT", payout_id)

    def test_a_payout_whose_sender_was_killed_is_paid_once(self, live_site, razorpay, withdrawal):
        """The sender dies after sending the order. The next sender repeats the same order, which is paid once."""
        sender = subprocess.Popen(
            [sys.executable, "-c", _SEND_PAYOUTS],
            cwd=ROOT,
            env={
                **environment(),
                **{f"PAYMENT_{name}": value for name, value in razorpay.options.items()},
                "PAYMENT_PROVIDERS": RAZORPAY,
            },
        )
        razorpay.faults.append(lambda: os.kill(sender.pid, signal.SIGKILL))
        assert sender.wait(60) == -signal.SIGKILL
        (payout_id,) = razorpay.payouts
        assert (state(withdrawal), withdrawal.payout_id) == ("APPROVED", "")
        # The payout's webhook arrives before the next attempt.
        done = razorpay.of_payout(payout_id)
        assert report(live_site, done, secret=FOR_PAYOUTS) == (200, "PAID")
        later = timezone.now() + payouts.TRIED_AGAIN_AFTER
        assert send_payouts(now=later) == 0
        assert (state(withdrawal), withdrawal.payout_id) == ("PAID", payout_id)
        assert list(razorpay.payouts) == [payout_id]
        assert reconcile().findings == ()

    def test_a_payout_declined_by_razorpay_goes_back_to_the_player(
        self, razorpay, asha, withdrawal
    ):
        razorpay.declined["/payouts"] = "invalid_vpa"
        assert send_payouts(now=timezone.now()) == 0
        assert state(withdrawal) == "FAILED"
        assert withdrawal.reason == "The bank did not accept the payment."
        assert read_winnings(asha) == 200_000

    @pytest.mark.parametrize("how", ["failed", "rejected"])
    def test_a_payout_that_succeeds_after_failing_is_taken_again(
        self, live_site, razorpay, asha, withdrawal, how
    ):
        payout_id = self.send(razorpay)
        failed = razorpay.of_payout(payout_id, how)
        assert report(live_site, failed, event_id="evt_1", secret=FOR_PAYOUTS) == (200, "FAILED")
        assert read_winnings(asha) == 200_000
        done = razorpay.of_payout(payout_id)
        assert report(live_site, done, event_id="evt_2", secret=FOR_PAYOUTS) == (200, "PAID")
        assert (state(withdrawal), read_winnings(asha)) == ("PAID", 100_000)

    def test_a_payout_reversed_after_success_is_shown_to_staff(
        self, live_site, razorpay, withdrawal
    ):
        payout_id = self.send(razorpay)
        done, back = (razorpay.of_payout(payout_id, how) for how in ("processed", "reversed"))
        assert report(live_site, done, event_id="evt_1", secret=FOR_PAYOUTS) == (200, "PAID")
        assert report(live_site, back, event_id="evt_2", secret=FOR_PAYOUTS) == (200, "MISMATCH")
        assert state(withdrawal) == "PAID"
        effects = [webhook.effect for webhook in PayoutWebhook.objects.order_by("pk")]
        assert effects == ["PAID", "MISMATCH"]
        case = PaymentCase.objects.get()
        assert (case.kind, case.state, case.withdrawal) == ("MISMATCH", "OPEN", withdrawal)


_SEND_PAYOUTS = """
import django; django.setup()
from django.utils import timezone
from wallet.withdrawals.payouts import send_payouts
send_payouts(now=timezone.now())
"""


class TestChoice:
    def test_the_administration_chooses_the_provider_of_new_payments(self, razorpay, asha):
        before = begin(asha)
        ProviderChoice.objects.create(provider="sandbox")
        assert get_payment_provider().code == "sandbox"
        after = start_deposit(user_id=asha.pk, amount=AMOUNT)
        assert (before.provider, after.provider) == ("razorpay", "sandbox")
        assert get_provider(before.provider).code == "razorpay"

    def test_an_unlisted_or_future_choice_is_ignored(self, razorpay, settings):
        ProviderChoice.objects.create(provider="gone")
        assert get_payment_provider().code == "razorpay"
        later = timezone.now() + timedelta(days=1)
        ProviderChoice.objects.create(provider="sandbox", valid_from=later)
        assert get_payment_provider().code == "razorpay"

    def test_staff_choose_with_a_reason(self, client, razorpay, boss):
        client.force_login(boss)
        sent = {"provider": "sandbox", "valid_from_0": f"{timezone.localdate():%Y-%m-%d}"}
        sent["valid_from_1"] = "00:00:00"
        page = "/admin/wallet/providerchoice/add/"
        assert client.post(page, sent).status_code == 200
        assert not ProviderChoice.objects.exists()
        assert client.post(page, {**sent, "provider": "gone", **_REASON}).status_code == 200
        assert not ProviderChoice.objects.exists()
        assert client.post(page, {**sent, **_REASON}).status_code == 302
        assert get_payment_provider().code == "sandbox"


_REASON = {"reason_for_audit": "Razorpay has a day off."}


def test_a_provider_without_its_keys_is_found_before_anything_starts(settings):
    settings.PAYMENT_PROVIDERS = [RAZORPAY]
    settings.PAYMENT_OPTIONS = {"RAZORPAY_KEY_ID": "rzp"}
    (found,) = [error for error in run_checks() if error.id == "wallet.E004"]
    assert "PAYMENT_RAZORPAY_KEY_SECRET" in found.msg
    assert "PAYMENT_RAZORPAY_KEY_ID" not in found.msg
