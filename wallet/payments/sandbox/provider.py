"""A payment provider of our own that moves no real money, reached like a real one: over HTTP."""

import hmac
import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from enum import StrEnum
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from celery import shared_task
from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.crypto import salted_hmac

from wallet.money import MAX_AMOUNT, Currency
from wallet.payments.base import (
    About,
    PaymentOutcome,
    PayoutOrder,
    PayoutRefused,
    RefundOrder,
    RefundRefused,
    SignedWebhook,
    WebhookRefused,
)

_SALT = "wallet.payments.sandbox.provider"
_LONGEST_BODY = 4_096
# The sandbox's answer to a payout or refund that it will never make.
REFUSED_STATUS = 422


class Channel(StrEnum):
    """The kind of a signed body. A signature is valid only for its own kind."""

    WEBHOOK = "WEBHOOK"
    PAYOUT_ORDER = "PAYOUT_ORDER"
    REFUND_ORDER = "REFUND_ORDER"


class SandboxProvider:
    """A provider that stores nothing.

    The signed URL of its payment page contains the order. The address that a payout is sent to decides the
    payout's outcome; the amount decides a refund's (views.py).
    """

    code = "sandbox"
    moves_money = False
    urlconf = "wallet.payments.sandbox.views"
    needs = ()
    page_origins = ()

    def payment_page(
        self, *, reference: str, amount: int, return_path: str, expires_at: datetime
    ) -> str:
        order = {
            "reference": reference,
            "amount": amount,
            "return_path": return_path,
            "expires_at": expires_at.timestamp(),
        }
        return reverse("sandbox:pay", args=[signing.dumps(order, salt=_SALT, compress=True)])

    def refund_payment(self, order: RefundOrder) -> str:
        answer = _order("sandbox:refund", asdict(order), Channel.REFUND_ORDER, RefundRefused)
        return str(answer["refund"])

    def send_payout(self, order: PayoutOrder) -> str:
        answer = _order("sandbox:payout", asdict(order), Channel.PAYOUT_ORDER, PayoutRefused)
        return str(answer["payout"])

    def read_webhook(self, headers: Mapping[str, str], body: bytes) -> SignedWebhook:
        data = read_signed(body, headers.get("X-Signature", ""), Channel.WEBHOOK)
        try:
            return _parse_webhook(data)
        except (ValueError, KeyError, TypeError) as error:
            raise WebhookRefused("malformed_webhook") from error


def address() -> str:
    """Return the address of this site's sandbox, which is reached over HTTP like any other provider."""
    return str(settings.PAYMENT_OPTIONS.get("SANDBOX_URL", settings.OWN_ADDRESS))


def webhook_address() -> str:
    """Return the address for the sandbox's webhooks, taken from the settings and never from a request."""
    return address() + reverse("wallet:webhook", args=["sandbox"])


def _order(
    view: str,
    order: dict[str, Any],
    channel: Channel,
    refused: type[PayoutRefused] | type[RefundRefused],
) -> Any:
    """Send a signed order to the sandbox and return its answer. Raises `refused`, or OSError."""
    body = json.dumps(order).encode()
    request = Request(  # noqa: S310 - our own address
        address() + reverse(view),
        data=body,
        headers={"Content-Type": "application/json", "X-Signature": sign(body, channel)},
    )
    try:
        with urlopen(request, timeout=10) as answer:  # noqa: S310
            return json.load(answer)
    except HTTPError as error:
        if error.code == REFUSED_STATUS:
            raise refused(json.load(error)["code"]) from error
        raise


def read_order(token: str) -> dict[str, Any]:
    """Return the order that `payment_page` signed. Raises signing.BadSignature."""
    order: dict[str, Any] = signing.loads(token, salt=_SALT)
    return order


def write_webhook(
    *, about: About, event_id: str, reference: str, outcome: PaymentOutcome, amount: int
) -> bytes:
    """Return the body of a webhook, to be sent with its signature."""
    return json.dumps(
        {
            "about": about.value,
            "event": event_id,
            "reference": reference,
            "payment": f"sb_{reference}",
            "outcome": outcome.value,
            "amount": amount,
            "currency": Currency.INR.value,
        }
    ).encode()


def sign(body: bytes, channel: Channel = Channel.WEBHOOK) -> str:
    return salted_hmac(f"{_SALT}.{channel}", body, algorithm="sha256").hexdigest()


def read_signed(body: bytes, signature: str, channel: Channel) -> Any:
    """Return the content of a signed body. Raises WebhookRefused."""
    good = sign(body, channel).encode()
    if not hmac.compare_digest(good, signature.encode("utf-8", "replace")):
        raise WebhookRefused("bad_signature")
    try:
        return json.loads(body) if len(body) <= _LONGEST_BODY else None
    except ValueError as error:
        raise WebhookRefused("malformed_webhook") from error


def _parse_webhook(data: Any) -> SignedWebhook:
    amount = data["amount"]
    if type(amount) is not int or not 0 < amount <= MAX_AMOUNT:
        raise ValueError("amount")
    words = [data[name] for name in ("event", "reference", "payment")]
    if not all(isinstance(word, str) and word.isascii() and word.isprintable() for word in words):
        raise ValueError("identifiers")
    event_id, reference, payment_id = words
    return SignedWebhook(
        about=About(data["about"]),
        provider=SandboxProvider.code,
        event_id=event_id,
        reference=reference,
        payment_id=payment_id,
        outcome=PaymentOutcome(data["outcome"]),
        amount=amount,
        currency=Currency(data["currency"]),
    )


@shared_task(
    name="wallet.payments.sandbox.send_webhook",
    autoretry_for=(OSError,),
    retry_backoff=2,
    max_retries=8,
)
def send_webhook(body: str, signature: str) -> None:
    """Post a signed webhook to this site, with retries until it is answered, as providers do.

    The job carries a signature and no address, so that a forged job can neither have a body signed nor
    call another address.
    """
    request = Request(  # noqa: S310 - the address of our own webhook
        webhook_address(),
        data=body.encode(),
        headers={"Content-Type": "application/json", "X-Signature": signature},
    )
    with urlopen(request, timeout=10):  # noqa: S310
        pass
