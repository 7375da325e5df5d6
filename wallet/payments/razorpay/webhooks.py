"""The webhooks of Razorpay: https://razorpay.com/docs/webhooks/.

The signature is the HMAC-SHA256 of the body as it came. `X-Razorpay-Event-Id` is the same each
time an event is sent; it is not signed, so the state of its subject decides what an event may do.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from wallet.money import MAX_AMOUNT, Currency
from wallet.payments.base import About, Outcome, Webhook, WebhookRefused

_LONGEST_BODY: Final = 65_536
_LONGEST_NAME: Final = 100
# A try that failed is no end: the player may pay by the same link once more. Its own end is one.
_PAYMENTS: Final = {
    "payment_link.paid": Outcome.PAID,
    "payment_link.cancelled": Outcome.FAILED,
    "payment_link.expired": Outcome.FAILED,
}
_PAYOUTS: Final = {
    "payout.processed": Outcome.PAID,
    "payout.failed": Outcome.FAILED,
    "payout.rejected": Outcome.FAILED,
    "payout.reversed": Outcome.REVERSED,
}


def read(
    headers: Mapping[str, str], body: bytes, *, provider: str, secrets: Sequence[str]
) -> Webhook | None:
    """None: it is of no interest here. Raises WebhookRefused."""
    _check_signature(headers.get("X-Razorpay-Signature", ""), body, secrets)
    try:
        told = json.loads(body)
        if told["event"] in _PAYMENTS:
            about, outcome = About.PAYMENT, _PAYMENTS[told["event"]]
            reference, subject = _of_link(told["payload"], outcome)
        elif told["event"] in _PAYOUTS:
            about, outcome = About.PAYOUT, _PAYOUTS[told["event"]]
            subject = told["payload"]["payout"]["entity"]
            reference = subject["reference_id"]
        else:
            return None
        return Webhook(
            about=about,
            provider=provider,
            event_id=_name(headers.get("X-Razorpay-Event-Id")),
            reference=_name(reference),
            payment_id=_name(subject["id"]),
            outcome=outcome,
            amount=_amount(subject["amount"]),
            currency=Currency(subject["currency"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise WebhookRefused("malformed_webhook") from error


def _check_signature(signature: str, body: bytes, secrets: Sequence[str]) -> None:
    given = signature.encode("utf-8", "replace")
    marks = [hmac.new(one.encode(), body, hashlib.sha256).hexdigest() for one in secrets]
    # Each is compared: how long it takes says nothing of which one fits.
    fits = [hmac.compare_digest(mark.encode(), given) for mark in marks]
    if not any(fits) or len(body) > _LONGEST_BODY:
        raise WebhookRefused("bad_signature")


def _of_link(payload: Any, outcome: Outcome) -> tuple[Any, Any]:
    """Our reference, and what has an id and an amount: the payment, or the link that nobody paid."""
    link = payload["payment_link"]["entity"]
    subject = payload["payment"]["entity"] if outcome is Outcome.PAID else link
    return link["reference_id"], subject


def _name(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_NAME:
        raise ValueError("identifier")
    if not (value.isascii() and value.isprintable()):
        raise ValueError("identifier")
    return value


def _amount(value: Any) -> int:
    if type(value) is not int or not 0 < value <= MAX_AMOUNT:
        raise ValueError("amount")
    return value
