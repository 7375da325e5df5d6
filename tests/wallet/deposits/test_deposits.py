"""Deposits: a provider's webhooks in any order, and repeated."""

import re

import pytest
from django.core import signing
from django.urls import reverse

from accounts.people.bot_accounts import become_bot
from accounts.refusals import NoBotAccount
from tests.given import reload
from tests.refusals import refused
from tests.wallet.cash_players import make_player, read_cash
from tests.wallet.deposit_webhooks import begin, build_payment_page
from tests.wallet.webhooks import WEBHOOK, post_webhook, read_effect, write_webhook
from wallet.deposits.services import start_deposit
from wallet.ledger.balances import balance
from wallet.ledger.chart import deposits
from wallet.ledger.checks import reconcile
from wallet.limits.services import set_deposit_limit
from wallet.models import Deposit, Journal, LimitPeriod, PaymentWebhook
from wallet.money import Buckets
from wallet.payments.base import PaymentOutcome
from wallet.payments.sandbox import provider as sandbox
from wallet.payments.sandbox.provider import send_webhook
from wallet.refusals import BOTS_HAVE_NO_CASH, CASH_IS_OFF

pytestmark = pytest.mark.django_db

Effect = PaymentWebhook.Effect


@pytest.fixture
def begun(asha):
    return begin(asha)


class TestWebhooks:
    def test_a_payment_is_credited_once(self, client, asha, begun, ledger):
        assert read_effect(client, begun) == Effect.CREDITED
        assert read_cash(asha) == Buckets(bonus=0, deposit=25_000, winnings=0)
        assert balance(deposits()) == -25_000
        journal = Journal.objects.get()
        assert journal.key == f"deposit:sandbox:{begun.reference}"
        assert journal.subject == f"deposit:{begun.pk}"
        assert read_effect(client, begun) == Effect.REPEATED
        assert read_effect(client, begun, event="e2") == Effect.IGNORED
        assert read_effect(client, begun, PaymentOutcome.FAILED, event="e0") == Effect.IGNORED
        assert balance(deposits()) == -25_000
        assert (begun.state, PaymentWebhook.objects.count()) == ("PAID", 3)
        assert reconcile().findings == ()

    @pytest.mark.parametrize("change", [{"amount": 25_001}, {"currency": "CHIPS"}])
    def test_another_amount_or_chips_are_credited_to_nobody(self, client, begun, caplog, change):
        assert read_effect(client, begun, **change) == Effect.MISMATCH
        assert (begun.state, Journal.objects.count()) == ("IN_DISPUTE", 0)
        assert f"asked 25000, paid {change.get('amount', 25_000)}" in caplog.text

    def test_a_second_payment_of_one_deposit_is_left_to_staff(self, client, begun, ledger):
        read_effect(client, begun)
        before = ledger()
        assert read_effect(client, begun, event="e2", payment="sb_other") == Effect.MISMATCH
        assert ledger() == before
        assert begun.state == "PAID"

    def test_a_webhook_with_an_unknown_reference_is_not_found(self, client, begun, ledger):
        before = ledger()
        answer = post_webhook(client, write_webhook(begun, reference="nobody-knows-it"))
        assert (answer.status_code, answer.json()) == (404, {"effect": "UNKNOWN"})
        assert ledger() == before

    @pytest.mark.parametrize("signature", ["", "0" * 64, "é", sandbox.sign(b"another notice")])
    def test_a_forged_webhook_is_refused(self, client, begun, signature, ledger):
        before = ledger()
        answer = post_webhook(client, write_webhook(begun), signature)
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
    def test_a_malformed_webhook_is_refused(self, client, begun, change, ledger):
        before = ledger()
        answer = post_webhook(client, write_webhook(begun, **change))
        assert (answer.status_code, answer.json()) == (400, {"code": "malformed_webhook"})
        for content in (b"", b"[]", b"{}", b"\xff", b"9" * 5_000):
            assert post_webhook(client, content).json() == {"code": "malformed_webhook"}
        assert ledger() == before


class TestPages:
    def test_a_player_pays_in_by_the_pages(self, client, asha, django_capture_on_commit_callbacks):
        client.force_login(asha)
        assert "Add cash" in client.get("/wallet/").text
        answer = client.post("/wallet/deposits/", {"amount": "250.50"})
        page = client.get(answer.url)
        assert "Amount to pay: ₹250.50" in page.text
        answer = client.post(answer.url, {"outcome": "pay"})
        begun = Deposit.objects.get()
        assert answer.url == reverse("wallet:deposit_state", args=[begun.reference])
        assert "waiting for the payment" in client.get(answer.url).text
        post_webhook(client, write_webhook(begun))
        page = client.get(answer.url).text
        assert re.search(r'data-region="deposit-state">\s*paid', page)
        assert "₹250.50" in client.get("/wallet/").text

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("0", "more than zero"),
            ("-5", "Enter an amount in digits"),
            ("1५5", "Enter an amount in digits"),
            ("1e3", "Enter an amount in digits"),
            ("100.555", "two digits after the decimal point"),
            ("9" * 15, "too large"),
            ("49.99", "too small or too large for a single deposit"),
            ("10000.01", "too small or too large for a single deposit"),
            ("", "required"),
        ],
    )
    def test_a_bad_amount_is_refused_with_a_sentence(self, client, asha, text, sentence):
        client.force_login(asha)
        answer = client.post("/wallet/deposits/", {"amount": text})
        assert answer.status_code == 200
        assert sentence in answer.text
        assert not Deposit.objects.exists()

    def test_a_deposit_is_shown_only_to_its_player(self, client, begun):
        page = reverse("wallet:deposit_state", args=[begun.reference])
        assert client.get(page).status_code == 302
        client.force_login(make_player("Bela"))
        assert client.get(page).status_code == 404

    def test_an_order_cannot_be_altered(self, client, begun):
        order = build_payment_page(begun, 1)
        assert client.get(order).status_code == 200
        assert client.get(order[:-3] + "xx/").status_code == 404
        assert client.get(reverse("sandbox:pay", args=[signing.dumps({})])).status_code == 404

    def test_the_sandbox_calls_the_configured_address_whatever_the_host_header(
        self, client, begun, settings, monkeypatch
    ):
        """The address does not come from the request, so a browser cannot redirect the webhook to another port."""
        sent = []
        monkeypatch.setattr(send_webhook, "delay", lambda *arguments: sent.append(arguments))
        settings.PAYMENT_OPTIONS = {"SANDBOX_URL": "http://127.0.0.1:8000"}
        order = build_payment_page(begun)
        answer = client.post(order, {"outcome": "pay"}, headers={"Host": "127.0.0.1:6379"})
        assert answer.status_code == 302
        assert sandbox.webhook_address() == f"http://127.0.0.1:8000{WEBHOOK}"
        [(told, signature)] = sent
        assert "127.0.0.1:6379" not in told
        assert signature == sandbox.sign(told.encode())

    def test_staff_see_deposits_and_add_none(self, client, begun, boss):
        client.force_login(boss)
        post_webhook(client, write_webhook(begun, amount=1))
        page = client.get(reverse("admin:wallet_deposit_change", args=[begun.pk]))
        assert "the amount differs" in page.text
        assert client.get(reverse("admin:wallet_deposit_add")).status_code == 403

    def test_live_cash_without_a_provider_is_refused(self, settings, asha):
        settings.CASH_PLAY, settings.PAYMENT_PROVIDERS = "live", []
        with refused(CASH_IS_OFF):
            start_deposit(user_id=asha.pk, amount=25_000)
        settings.PAYMENT_PROVIDERS = ["wallet.payments.sandbox.provider.SandboxProvider"]
        assert start_deposit(user_id=asha.pk, amount=25_000).provider == "sandbox"


def test_the_page_shows_limits_and_usual_amounts(client, asha, settings):
    settings.DEPOSIT_LEAST, settings.DEPOSIT_MOST = 5_000, 200_000
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    page = " ".join(client.get(reverse("wallet:deposit")).text.split())
    assert "From ₹50.00 to ₹2,000.00 at a time. You have set no limit of your own." in page
    assert re.findall(r'name="quick" value="(\d+)"', page) == ["10000", "50000", "100000", "200000"]
    set_deposit_limit(user_id=asha.pk, period=LimitPeriod.WEEK, amount=60_000)
    start_deposit(user_id=asha.pk, amount=5_000)
    page = " ".join(client.get(reverse("wallet:deposit")).text.split())
    assert "Your own limits let you deposit ₹550.00 now." in page
    assert re.findall(r'name="quick" value="(\d+)"', page) == ["10000", "50000"]


def test_one_press_pays_only_a_usual_amount(client, asha):
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    for wrong in ({"quick": "12345"}, {"quick": "x"}, {"amount": ""}, {}):
        assert client.post(reverse("wallet:deposit"), wrong).status_code == 200
    assert not Deposit.objects.exists()
    pressed = client.post(reverse("wallet:deposit"), {"amount": "", "quick": "50000"})
    assert pressed.status_code == 302
    assert Deposit.objects.get().amount == 50_000


def test_a_bot_account_cannot_deposit(asha):
    become_bot(user_id=asha.pk)
    with refused(BOTS_HAVE_NO_CASH):
        start_deposit(user_id=asha.pk, amount=25_000)
    assert not Deposit.objects.exists()


def test_a_player_with_a_begun_deposit_cannot_become_a_bot_account(begun, asha):
    with pytest.raises(NoBotAccount):
        become_bot(user_id=asha.pk)
    assert not reload(asha).is_bot_account
