"""Deposits: a provider's webhooks in any order, and repeated."""

import json
import re

import pytest
from django.core import signing
from django.urls import reverse

from accounts.models import User
from accounts.people.bot_accounts import become_bot
from accounts.refusals import NoBotAccount
from tests.wallet.deposit_webhooks import page_of
from wallet.deposits.services import start_deposit
from wallet.ledger.balances import balance, get_player_balances
from wallet.ledger.chart import deposits
from wallet.ledger.checks import reconcile
from wallet.limits.services import set_deposit_limit
from wallet.models import Deposit, Journal, LimitPeriod, PaymentWebhook
from wallet.money import Buckets, Currency
from wallet.payments.base import About, Outcome
from wallet.payments.sandbox import provider as sandbox
from wallet.payments.sandbox.provider import send_webhook
from wallet.refusals import BotsHaveNoCash, CashIsOff

pytestmark = pytest.mark.django_db

WEBHOOK = "/wallet/webhooks/sandbox/"
Effect = PaymentWebhook.Effect


@pytest.fixture
def begun(asha):
    return start_deposit(user_id=asha.pk, amount=25_000)


def body(begun, outcome=Outcome.PAID, event="e1", amount=None):
    return sandbox.write_webhook(
        about=About.PAYMENT,
        event_id=event,
        reference=begun.reference,
        outcome=outcome,
        amount=amount or begun.amount,
    )


def send(client, content, signature=None):
    return client.post(
        WEBHOOK,
        content,
        content_type="application/json",
        headers={"X-Signature": sandbox.sign(content) if signature is None else signature},
    )


def effect(client, *args, **kwargs):
    answer = send(client, body(*args, **kwargs))
    assert answer.status_code == 200
    return answer.json()["effect"]


def cash(user):
    return get_player_balances(user.pk).cash


def state(deposit):
    return Deposit.objects.get(pk=deposit.pk).state


class TestWebhooks:
    def test_a_payment_is_credited_once(self, client, asha, begun, ledger):
        assert effect(client, begun) == Effect.CREDITED
        assert cash(asha) == Buckets(bonus=0, deposit=25_000, winnings=0)
        assert balance(deposits()) == -25_000
        journal = Journal.objects.get()
        assert journal.key == f"deposit:sandbox:{begun.reference}"
        assert journal.subject == f"deposit:{begun.pk}"
        assert effect(client, begun) == Effect.REPEATED
        assert effect(client, begun, event="e2") == Effect.IGNORED
        assert effect(client, begun, Outcome.FAILED, event="e0") == Effect.IGNORED
        assert balance(deposits()) == -25_000
        assert (state(begun), PaymentWebhook.objects.count()) == ("PAID", 3)
        assert reconcile().findings == ()

    def test_a_late_success_after_a_failure_counts(self, client, asha, begun):
        assert effect(client, begun, Outcome.FAILED) == Effect.FAILED
        assert (state(begun), cash(asha).total) == ("FAILED", 0)
        assert effect(client, begun, event="e2") == Effect.CREDITED
        assert (state(begun), cash(asha).deposit) == ("PAID", 25_000)

    @pytest.mark.parametrize("change", [{"amount": 25_001}, {"currency": "CHIPS"}])
    def test_another_amount_or_chips_are_credited_to_nobody(self, client, begun, caplog, change):
        content = json.dumps({**json.loads(body(begun)), **change}).encode()
        assert send(client, content).json() == {"effect": "MISMATCH"}
        assert (state(begun), Journal.objects.count()) == ("IN_DISPUTE", 0)
        assert f"asked 25000, paid {change.get('amount', 25_000)}" in caplog.text

    def test_a_second_payment_of_one_deposit_is_left_to_people(self, client, begun, ledger):
        effect(client, begun)
        before = ledger()
        other = json.loads(body(begun, event="e2"))
        other["payment"] = "sb_other"
        answer = send(client, json.dumps(other).encode())
        assert answer.json() == {"effect": "MISMATCH"}
        assert ledger() == before
        assert state(begun) == "PAID"

    def test_an_unknown_reference(self, client, begun, ledger):
        before = ledger()
        begun.reference = "nobody-knows-it"
        answer = send(client, body(begun))
        assert (answer.status_code, answer.json()) == (404, {"effect": "UNKNOWN"})
        assert ledger() == before

    @pytest.mark.parametrize("signature", ["", "0" * 64, "é", sandbox.sign(b"another notice")])
    def test_a_forged_notice(self, client, begun, signature, ledger):
        before = ledger()
        answer = send(client, body(begun), signature)
        assert (answer.status_code, answer.json()) == (400, {"code": "bad_signature"})
        assert ledger() == before
        assert not PaymentWebhook.objects.exists()

    @pytest.mark.parametrize(
        "change",
        [
            {"amount": "25000"},
            {"amount": 25000.0},
            {"amount": True},
            {"amount": 0},
            {"amount": -1},
            {"amount": 10**30},
            {"currency": "EUR"},
            {"outcome": "MAYBE"},
            {"event": 7},
            {"payment": "२"},
            {"reference": None},
        ],
    )
    def test_a_signed_notice_that_makes_no_sense(self, client, begun, change, ledger):
        before = ledger()
        content = json.dumps({**json.loads(body(begun)), **change}).encode()
        answer = send(client, content)
        assert (answer.status_code, answer.json()) == (400, {"code": "malformed_webhook"})
        for content in (b"", b"[]", b"{}", b"\xff", b"9" * 5_000):
            assert send(client, content).json() == {"code": "malformed_webhook"}
        assert ledger() == before


class TestPages:
    def test_a_browser_walks_through(self, client, asha, django_capture_on_commit_callbacks):
        client.force_login(asha)
        assert "Add cash" in client.get("/wallet/").text
        answer = client.post("/wallet/deposits/", {"amount": "250.50"})
        page = client.get(answer.url)
        assert "₹250.50 are to be paid" in page.text
        answer = client.post(answer.url, {"outcome": "pay"})
        begun = Deposit.objects.get()
        assert answer.url == reverse("wallet:deposit_state", args=[begun.reference])
        assert "waiting for the payment" in client.get(answer.url).text
        send(client, body(begun))
        page = client.get(answer.url).text
        assert re.search(r'data-region="deposit-state">\s*paid', page)
        assert "₹250.50" in client.get("/wallet/").text

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("0", "more than zero"),
            ("-5", "Write an amount in digits"),
            ("१००", "Write an amount in digits"),
            ("1e3", "Write an amount in digits"),
            ("100.555", "two digits after the point"),
            ("9" * 15, "too large"),
            ("49.99", "this small or this large"),
            ("10000.01", "this small or this large"),
            ("", "required"),
        ],
    )
    def test_a_bad_amount_is_refused_with_a_sentence(self, client, asha, text, sentence):
        client.force_login(asha)
        answer = client.post("/wallet/deposits/", {"amount": text})
        assert answer.status_code == 200
        assert sentence in answer.text
        assert not Deposit.objects.exists()

    def test_a_deposit_is_shown_to_its_player_alone(self, client, begun):
        page = reverse("wallet:deposit_state", args=[begun.reference])
        assert client.get(page).status_code == 302
        client.force_login(User.objects.create_user("b@example.com", player_name="Bela"))
        assert client.get(page).status_code == 404

    def test_an_order_cannot_be_altered(self, client, begun):
        order = page_of(begun, 1)
        assert client.get(order).status_code == 200
        assert client.get(order[:-3] + "xx/").status_code == 404
        assert client.get(reverse("sandbox:pay", args=[signing.dumps({})])).status_code == 404

    def test_the_sandbox_calls_back_at_the_site_s_own_address(
        self, client, begun, settings, monkeypatch
    ):
        """Whatever port the browser says that the site has."""
        sent = []
        monkeypatch.setattr(send_webhook, "delay", lambda *arguments: sent.append(arguments))
        settings.PAYMENT_OPTIONS = {"SANDBOX_URL": "http://127.0.0.1:8000"}
        order = page_of(begun)
        answer = client.post(order, {"outcome": "pay"}, headers={"Host": "127.0.0.1:6379"})
        assert answer.status_code == 302
        assert sandbox.webhook_address() == f"http://127.0.0.1:8000{WEBHOOK}"
        [(told, signature)] = sent
        assert "6379" not in told
        assert signature == sandbox.sign(told.encode())

    def test_the_administration_looks_and_does_not_touch(self, client, begun):
        boss = User.objects.create_superuser("boss@example.com", "x", player_name="Boss")
        client.force_login(boss)
        send(client, body(begun, amount=1))
        page = client.get(reverse("admin:wallet_deposit_change", args=[begun.pk]))
        assert "another amount" in page.text
        assert client.get(reverse("admin:wallet_deposit_add")).status_code == 403

    def test_live_cash_without_a_provider_is_refused(self, settings, asha):
        settings.CASH_PLAY, settings.PAYMENT_PROVIDERS = "live", []
        with pytest.raises(CashIsOff):
            start_deposit(user_id=asha.pk, amount=25_000)
        settings.PAYMENT_PROVIDERS = ["wallet.payments.sandbox.provider.SandboxProvider"]
        assert start_deposit(user_id=asha.pk, amount=25_000).provider == "sandbox"


@pytest.mark.django_db(transaction=True)
def test_the_sandbox_calls_back_over_http(live_site, settings, asha, begun):
    settings.PAYMENT_OPTIONS = {"SANDBOX_URL": live_site}
    told = body(begun)
    send_webhook(told.decode(), sandbox.sign(told))
    assert (state(begun), cash(asha)) == ("PAID", Buckets(0, 25_000, 0))
    assert PaymentWebhook.objects.get().currency == Currency.INR


def test_the_page_says_what_can_be_paid_in_and_offers_usual_amounts(client, asha, settings):
    settings.DEPOSIT_LEAST, settings.DEPOSIT_MOST = 5_000, 200_000
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    page = " ".join(client.get(reverse("wallet:deposit")).text.split())
    assert "From ₹50.00 to ₹2,000.00 at a time. You have set no limit of your own." in page
    assert re.findall(r'name="quick" value="(\d+)"', page) == ["10000", "50000", "100000", "200000"]
    set_deposit_limit(user_id=asha.pk, period=LimitPeriod.WEEK, amount=60_000)
    start_deposit(user_id=asha.pk, amount=5_000)
    page = " ".join(client.get(reverse("wallet:deposit")).text.split())
    assert "Your own limits leave ₹550.00 now." in page
    assert re.findall(r'name="quick" value="(\d+)"', page) == ["10000", "50000"]


def test_a_usual_amount_is_paid_with_one_press_and_no_other(client, asha):
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    for refused in ({"quick": "12345"}, {"quick": "x"}, {"amount": ""}, {}):
        assert client.post(reverse("wallet:deposit"), refused).status_code == 200
    assert not Deposit.objects.exists()
    assert (
        client.post(reverse("wallet:deposit"), {"amount": "", "quick": "50000"}).status_code == 302
    )
    assert Deposit.objects.get().amount == 50_000


def test_a_bot_account_pays_nothing_in(asha):
    become_bot(user_id=asha.pk)
    with pytest.raises(BotsHaveNoCash):
        start_deposit(user_id=asha.pk, amount=25_000)
    assert not Deposit.objects.exists()


def test_who_has_begun_a_deposit_becomes_no_bot_account(begun, asha):
    with pytest.raises(NoBotAccount):
        become_bot(user_id=asha.pk)
    asha.refresh_from_db()
    assert not asha.is_bot_account
