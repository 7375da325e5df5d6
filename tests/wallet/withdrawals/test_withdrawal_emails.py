"""E-mails to players about their withdrawals."""

import pytest
from django.core import mail

from core.tasks import send_emails
from core.threads import in_thread
from tests.tables.socket_client import session_of
from tests.wallet.cash_players import make_player, make_staff, may_withdraw
from tests.wallet.own_pages import open_page, receive
from tests.wallet.webhooks import build_webhook
from tests.wallet.withdrawals.asking import approve_for, ask
from wallet.payments.base import PaymentOutcome
from wallet.withdrawals.payouts import take_payout_webhook
from wallet.withdrawals.requesting import cancel_withdrawal
from wallet.withdrawals.steps import approve_withdrawal, refuse_withdrawal

pytestmark = pytest.mark.django_db


def read_emails():
    """Return the subjects and texts of the e-mails sent since the last call."""
    send_emails()
    sent, mail.outbox[:] = list(mail.outbox), []
    assert all(email.to == ["asha@example.com"] for email in sent)
    return [(email.subject, email.body) for email in sent]


def test_approval_and_payment_are_mailed(asha, boss):
    withdrawal = ask(asha, 100_000)
    assert read_emails() == []
    approve_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk)
    ((subject, text),) = read_emails()
    assert subject == "Your withdrawal of ₹1,000.00: approved"
    assert text.splitlines() == [
        "Hello Asha,",
        "",
        "Your withdrawal of ₹1,000.00: approved.",
        "The money goes to your bank within a minute.",
        "",
        "Amount: ₹1,000.00",
        "Tax deducted (TDS): ₹300.00",
        "To you: ₹700.00",
        "Reference: w1",
        "",
        "If you did not ask for this, change your password and write to us at once.",
    ]
    take_payout_webhook(build_webhook(withdrawal))
    take_payout_webhook(build_webhook(withdrawal))
    ((subject, text),) = read_emails()
    assert subject == "Your withdrawal of ₹1,000.00: paid"
    assert "The money has arrived." in text


def test_a_refusal_is_mailed_in_the_players_language(asha, boss):
    asha.language = "hi"
    asha.save()
    withdrawal = ask(asha, 100_000)
    refuse_withdrawal(withdrawal_id=withdrawal.pk, staff_id=boss.pk, reason="The name differs.")
    ((subject, text),) = read_emails()
    assert subject.startswith("₹1,000.00 की आपकी निकासी: ")
    assert "नमस्ते Asha," in text
    assert "कारण: The name differs." in text


def test_a_failed_payout_is_mailed(asha, boss):
    withdrawal = approve_for(asha, boss, amount=100_000)
    read_emails()
    take_payout_webhook(build_webhook(withdrawal, PaymentOutcome.FAILED))
    ((subject, text),) = read_emails()
    assert subject == "Your withdrawal of ₹1,000.00: failed"
    assert "Reason: The bank did not accept the payment." in text


def test_a_players_own_steps_are_not_mailed(asha):
    ask(asha, 100_000)
    cancel_withdrawal(user_id=asha.pk, reference="w1")
    assert read_emails() == []


async def test_a_decision_reaches_the_players_open_pages(live_site, transactional_db):
    def prepare():
        boss = make_staff("Boss")
        user = may_withdraw(make_player(), boss)
        return session_of(user), boss, ask(user, 100_000)

    session, boss, withdrawal = await in_thread(prepare)
    async with open_page(live_site, session) as page:
        assert (await receive(page))["type"] == "balance"
        await in_thread(approve_withdrawal, withdrawal_id=withdrawal.pk, staff_id=boss.pk)
        assert await receive(page) == {"type": "withdrawal"}
