"""Deposits that are begun, and what the provider says of them."""

from datetime import timedelta

from django.utils import timezone

from wallet.deposits.services import compute_payment_deadline, start_deposit, take_payment_webhook
from wallet.limits.services import exclude_oneself
from wallet.payments.base import About, Outcome, Webhook
from wallet.payments.providers import get_payment_provider

AMOUNT = 25_000


def begin(user, amount=AMOUNT):
    return start_deposit(user_id=user.pk, amount=amount)


def say(deposit, event="e1", outcome=Outcome.PAID, **more):
    facts = {
        "about": About.PAYMENT,
        "provider": "sandbox",
        "event_id": f"{event}-{deposit.reference}",
        "reference": deposit.reference,
        "payment_id": f"sb_{deposit.reference}",
        "outcome": outcome,
        "amount": deposit.amount,
        "currency": "INR",
        **more,
    }
    return take_payment_webhook(Webhook(**facts))


def page_of(deposit, amount=None):
    """The sandbox's page where this amount is paid."""
    return get_payment_provider().payment_page(
        reference=deposit.reference,
        amount=amount or deposit.amount,
        return_path="/",
        expires_at=compute_payment_deadline(deposit),
    )


def exclude(user):
    exclude_oneself(user_id=user.pk, until=timezone.now() + timedelta(days=2))


def facts(deposit):
    deposit.refresh_from_db()
    return deposit.state, deposit.refused_for
