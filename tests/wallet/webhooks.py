"""The sandbox's webhooks about a deposit or a withdrawal."""

import json

import requests

from wallet.models import Withdrawal
from wallet.money import Currency
from wallet.payments.base import About, PaymentOutcome, SignedWebhook
from wallet.payments.sandbox import provider as sandbox

WEBHOOK = "/wallet/webhooks/sandbox/"


def build_webhook(row, outcome=PaymentOutcome.PAID, event="e1", **changes):
    """Build the webhook that reports the outcome of a deposit or withdrawal."""
    is_payout = isinstance(row, Withdrawal)
    facts = {
        "about": About.PAYOUT if is_payout else About.PAYMENT,
        "provider": "sandbox",
        "event_id": f"{event}-{row.reference}",
        "reference": row.reference,
        "payment_id": f"sb_{row.reference}",
        "outcome": outcome,
        "amount": row.net if is_payout else row.amount,
        "currency": Currency.INR,
    }
    return SignedWebhook(**{**facts, **changes})


def write_webhook(row, outcome=PaymentOutcome.PAID, /, **changes):
    """Write such a webhook's body, with `changes` applied to its JSON."""
    told = build_webhook(row, outcome)
    body = sandbox.write_webhook(
        about=told.about,
        event_id=told.event_id,
        reference=told.reference,
        outcome=outcome,
        amount=told.amount,
    )
    return json.dumps({**json.loads(body), **changes}).encode()


def post_webhook(client, body, signature=None):
    signature = sandbox.sign(body) if signature is None else signature
    headers = {"X-Signature": signature}
    return client.post(WEBHOOK, body, content_type="application/json", headers=headers)


def read_effect(client, row, *args, **changes):
    """Post a webhook about a row and reload the row. Return the webhook's effect."""
    answer = post_webhook(client, write_webhook(row, *args, **changes))
    assert answer.status_code == 200
    row.refresh_from_db()
    return answer.json()["effect"]


def deliver(body):
    """Post a signed webhook to the running site, as the sandbox's worker does."""
    sandbox.send_webhook(body.decode(), sandbox.sign(body))


def expect_order_refused(site, path, body, signature):
    """POST a malformed or forged order to the sandbox. Check that it answers 400."""
    headers = {"X-Signature": signature}
    answer = requests.post(f"{site}{path}", data=body, headers=headers, timeout=10)
    assert answer.status_code == 400
