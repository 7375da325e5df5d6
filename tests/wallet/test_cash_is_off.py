"""Switched-off cash: no cash page answers, and no order or webhook is accepted."""

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.accounts.staff import decide
from tests.wallet.cash_players import may_withdraw
from tests.wallet.deposit_webhooks import begin, build_payment_page
from tests.wallet.rawsql import expect_unchanged, snapshot
from tests.wallet.webhooks import post_webhook, write_webhook
from tests.wallet.withdrawals.asking import FORM, ask
from wallet.deposits.services import start_deposit
from wallet.refusals import CASH_IS_OFF
from wallet.withdrawals.payouts import send_payouts
from wallet.withdrawals.requesting import cancel_withdrawal
from wallet.withdrawals.steps import approve_withdrawal, refuse_withdrawal, settle_dispute

pytestmark = pytest.mark.django_db
ROWS = (
    "bonus", "campaign", "campaignuse", "deposit", "depositlimit", "losslimit", "providerchoice",
    "taxrule", "withdrawal", "withdrawalpolicy", "yearendtax",
)  # fmt: skip


@pytest.fixture
def off(client, asha, boss, settings):
    """A deposit and a withdrawal begun before cash was switched off. Checks at the end that no money has moved."""
    deposit, withdrawal = begin(asha), ask(may_withdraw(asha, boss))
    client.force_login(asha)
    pages = [build_payment_page(deposit), client.post("/wallet/withdrawals/", FORM).url]
    settings.CASH_PLAY = "off"
    before = snapshot()
    yield deposit, withdrawal, pages
    assert snapshot() == before


def test_players_find_no_page_of_cash(client, off):
    deposit, _withdrawal, pages = off
    own = (
        "deposits/",
        f"deposits/{deposit.reference}/",
        "withdrawals/",
        "withdrawals/w1/",
        "bonuses/",
    )
    for page in (*pages, *(f"/wallet/{path}" for path in own)):
        assert client.get(page).status_code == 404, page
    forms = ("limits/deposits/", "limits/losses/", "withdrawals/w1/cancel/", "bonuses/code/")
    for path in forms:
        answer = client.post(f"/wallet/{path}", {"period": "DAY", "amount": "5", "code": "DIWALI"})
        assert answer.status_code == 404, path
    wallet, limits = client.get("/wallet/").text, client.get("/wallet/limits/").text
    for words in ("Add cash", "Withdraw", "₹"):
        assert words not in wallet
    for words in ("Set the limit", "Losses"):
        assert words not in limits
    assert "Exclude yourself" in limits


def test_staff_neither_see_nor_decide_about_cash(client, off, boss):
    _deposit, withdrawal, _pages = off
    client.force_login(boss)
    index = client.get("/admin/wallet/").text.lower()
    assert not [word for word in ("withdrawal", "tax", "deposit", "bonus") if word in index]
    for name in ROWS:
        assert client.get(reverse(f"admin:wallet_{name}_changelist")).status_code == 403, name
        assert client.post(reverse(f"admin:wallet_{name}_add"), {}).status_code == 403, name
    assert decide(client, withdrawal, "approve").status_code == 403


def test_no_webhook_or_order_is_taken(client, off):
    deposit, withdrawal, _pages = off
    for row in (deposit, withdrawal):
        assert post_webhook(client, write_webhook(row)).status_code == 404
    for path in ("payouts", "refunds"):
        assert client.post(f"/sandbox/{path}/").status_code == 404


def test_every_service_of_cash_refuses(off, asha, boss):
    _deposit, withdrawal, _pages = off
    which = {"withdrawal_id": withdrawal.pk, "staff_id": boss.pk}
    for act in (
        lambda: start_deposit(user_id=asha.pk, amount=25_000),
        lambda: ask(asha, reference="w2", net=50_000),
        lambda: cancel_withdrawal(user_id=asha.pk, reference="w1"),
        lambda: approve_withdrawal(**which),
        lambda: refuse_withdrawal(**which, reason="x"),
        lambda: settle_dispute(**which, was_paid=True, reason="x"),
    ):
        with expect_unchanged(CASH_IS_OFF):
            act()
    assert send_payouts(now=timezone.now()) == 0
