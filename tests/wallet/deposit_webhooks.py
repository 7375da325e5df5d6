"""Deposits that are begun, and what the provider says of them."""

from datetime import timedelta

from django.utils import timezone

from wallet import services as wallet
from wallet.payments.base import About, Outcome, Webhook

AMOUNT = 25_000


def begin(user, amount=AMOUNT):
    return wallet.start_deposit(user_id=user.pk, amount=amount)


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
    return wallet.take_payment_webhook(Webhook(**facts))


def exclude(user):
    wallet.exclude_oneself(user_id=user.pk, until=timezone.now() + timedelta(days=2))


def facts(deposit):
    deposit.refresh_from_db()
    return deposit.state, deposit.refused_for
