"""Several payment providers at once: the first is current, and each row stays with its own provider."""

import json
import re
from typing import Any

import pytest
from django.utils import timezone

from tests.barring import exclude
from tests.given import reload
from tests.programs import ROOT
from tests.wallet.cash_players import may_withdraw, read_cash
from tests.wallet.withdrawals.asking import approve_for
from wallet.deposits.refunds import send_refunds
from wallet.deposits.services import start_deposit
from wallet.ledger.checks import reconcile
from wallet.models import Deposit, Withdrawal
from wallet.money import Currency
from wallet.payments.base import About, PaymentOutcome, SignedWebhook, WebhookRefused
from wallet.payments.providers import get_payment_provider, get_provider
from wallet.withdrawals.payouts import send_payouts

pytestmark = pytest.mark.django_db

AMOUNT = 25_000
SECRET = "two leaves and a bud"


class TeaBank:
    """Payment provider that records its orders and gives the answers that a test sets."""

    code = "teabank"
    moves_money = False
    urlconf = None
    needs = ()
    page_origins = ("https://teabank.example",)

    def __init__(self):
        self.refunds, self.payouts = [], []

    def payment_page(self, *, reference, amount, return_path, expires_at):
        return f"https://teabank.example/{reference}"

    def refund_payment(self, order):
        self.refunds.append(order.reference)
        return f"tea-refund-{order.reference}"

    def send_payout(self, order):
        self.payouts.append(order.reference)
        return f"tea-{order.reference}"

    def read_webhook(self, headers, body):
        if headers.get("X-Tea") != SECRET:
            raise WebhookRefused("bad_signature")
        told = json.loads(body)
        return SignedWebhook(
            about=About(told["about"]),
            provider=told.get("provider", self.code),
            event_id=told["event"],
            reference=told["reference"],
            payment_id=f"tea-{told['reference']}",
            outcome=PaymentOutcome.PAID,
            amount=told["amount"],
            currency=Currency.INR,
        )


TEA_BANK = f"{__name__}.{TeaBank.__name__}"


@pytest.fixture
def sandbox(settings):
    (listed,) = settings.PAYMENT_PROVIDERS
    return listed


@pytest.fixture
def tea_bank(settings, sandbox):
    """The current provider. The sandbox is listed after it."""
    settings.PAYMENT_PROVIDERS = [TEA_BANK, sandbox]
    bank: Any = get_provider("teabank")
    bank.refunds, bank.payouts = [], []
    return bank


def call(client, about, row, amount, signature=SECRET, **more):
    told = {
        "about": about,
        "event": f"tea-{row.reference}",
        "reference": row.reference,
        "amount": amount,
        **more,
    }
    return client.post(
        "/wallet/webhooks/teabank/",
        json.dumps(told),
        content_type="application/json",
        headers={"X-Tea": signature},
    )


def test_the_first_listed_one_takes_new_payments(client, tea_bank, asha):
    client.force_login(asha)
    answer = client.post("/wallet/deposits/", {"amount": "250"})
    deposit = Deposit.objects.get()
    assert deposit.provider == "teabank"
    assert answer.url == f"https://teabank.example/{deposit.reference}"


def test_webhooks_of_a_former_provider_are_taken(client, tea_bank, asha, settings, sandbox):
    deposit = start_deposit(user_id=asha.pk, amount=AMOUNT)
    settings.PAYMENT_PROVIDERS = [sandbox, TEA_BANK]
    assert get_payment_provider().code == "sandbox"
    assert call(client, "PAYMENT", deposit, AMOUNT, signature="forged").status_code == 400
    assert call(client, "PAYMENT", deposit, AMOUNT).status_code == 200
    assert (reload(deposit).state, deposit.payment_id) == ("PAID", f"tea-{deposit.reference}")
    assert read_cash(asha).deposit == AMOUNT
    assert reconcile().findings == ()


def test_a_provider_reports_only_its_own_payments(client, tea_bank, asha, settings, sandbox):
    settings.PAYMENT_PROVIDERS = [sandbox, TEA_BANK]
    deposit = start_deposit(user_id=asha.pk, amount=AMOUNT)
    assert deposit.provider == "sandbox"
    assert call(client, "PAYMENT", deposit, AMOUNT, provider="sandbox").status_code == 404
    assert reload(deposit).state == "WAITING"
    assert read_cash(asha).deposit == 0


def test_refunds_go_through_the_provider_of_the_payment(client, tea_bank, asha, settings, sandbox):
    deposit = start_deposit(user_id=asha.pk, amount=AMOUNT)
    settings.PAYMENT_PROVIDERS = [sandbox, TEA_BANK]
    exclude(asha)
    assert call(client, "PAYMENT", deposit, AMOUNT).status_code == 200
    assert send_refunds(now=timezone.now()) == 1
    assert tea_bank.refunds == [reload(deposit).reference]
    assert (deposit.state, deposit.refund_id) == ("REFUNDED", f"tea-refund-{deposit.reference}")


def test_payouts_go_through_the_provider_of_the_request(
    client, tea_bank, asha, boss, settings, sandbox
):
    withdrawal = approve_for(may_withdraw(asha, boss), boss, amount=100_000)
    settings.PAYMENT_PROVIDERS = [sandbox, TEA_BANK]
    assert send_payouts(now=timezone.now()) == 1
    assert tea_bank.payouts == ["w1"]
    assert call(client, "PAYOUT", withdrawal, 70_000).status_code == 200
    assert (reload(withdrawal).provider, withdrawal.state) == ("teabank", Withdrawal.State.PAID)
    assert withdrawal.payout_id == "tea-w1"


def test_an_unlisted_provider_gets_no_order(client, tea_bank, asha, settings, sandbox):
    deposit = start_deposit(user_id=asha.pk, amount=AMOUNT)
    exclude(asha)
    assert call(client, "PAYMENT", deposit, AMOUNT).status_code == 200
    settings.PAYMENT_PROVIDERS = [sandbox]
    assert call(client, "PAYMENT", deposit, AMOUNT).status_code == 404
    assert send_refunds(now=timezone.now()) == 0
    assert (reload(deposit).state, tea_bank.refunds) == ("REFUNDING", [])
    settings.PAYMENT_PROVIDERS = [sandbox, TEA_BANK]
    assert send_refunds(now=timezone.now()) == 1
    assert tea_bank.refunds == [deposit.reference]


def test_only_settings_name_the_sandbox():
    """Trial-site and test settings may name it. The plain word "sandbox" is allowed too: it is a CASH_PLAY mode."""
    named = re.compile(r"payments\.sandbox|SandboxProvider|[\"']sandbox:|[\"']/sandbox/")
    own = ROOT / "wallet/payments/sandbox"
    apps = (
        "config",
        "accounts",
        "wallet",
        "games",
        "tables",
        "players",
        "history",
        "lobby",
        "tournaments",
    )
    files = {
        str(path.relative_to(ROOT))
        for app in apps
        for path in (ROOT / app).rglob("*.py")
        if own not in path.parents and named.search(path.read_text())
    }
    assert files == {"config/settings/local.py", "config/settings/test.py"}
