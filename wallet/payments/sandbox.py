"""A payment provider of our own that moves no real money, reached like a real one: over HTTP."""

import hmac
import json
from typing import Any

from django.core import signing
from django.urls import reverse
from django.utils.crypto import salted_hmac

from wallet.money import MAX_AMOUNT, Currency
from wallet.payments.base import Notice, NoticeRefused, Outcome

_SALT = "wallet.payments.sandbox"
_LONGEST_BODY = 4_096


class SandboxProvider:
    """Keeps nothing: what is to be paid stands, signed, in the address of its page."""

    code = "sandbox"

    def payment_page(self, *, reference: str, amount: int, return_path: str) -> str:
        order = {"reference": reference, "amount": amount, "return_path": return_path}
        return reverse("sandbox:pay", args=[signing.dumps(order, salt=_SALT, compress=True)])

    def read_notice(self, *, body: bytes, signature: str) -> Notice:
        if not hmac.compare_digest(sign(body).encode(), signature.encode("utf-8", "replace")):
            raise NoticeRefused("bad_signature")
        try:
            return _notice(json.loads(body) if len(body) <= _LONGEST_BODY else None)
        except (ValueError, KeyError, TypeError) as error:
            raise NoticeRefused("malformed_notice") from error


def read_order(token: str) -> dict[str, Any]:
    """What `payment_page` was asked for. Raises signing.BadSignature."""
    order: dict[str, Any] = signing.loads(token, salt=_SALT)
    return order


def write_notice(*, event_id: str, reference: str, outcome: Outcome, amount: int) -> bytes:
    """The body of a webhook, to be sent with its signature."""
    return json.dumps(
        {
            "event": event_id,
            "reference": reference,
            "payment": f"sb_{reference}",
            "outcome": outcome.value,
            "amount": amount,
            "currency": Currency.INR.value,
        }
    ).encode()


def sign(body: bytes) -> str:
    return salted_hmac(_SALT, body, algorithm="sha256").hexdigest()


def _notice(data: Any) -> Notice:
    amount = data["amount"]
    if type(amount) is not int or not 0 < amount <= MAX_AMOUNT:
        raise ValueError("amount")
    words = [data[name] for name in ("event", "reference", "payment")]
    if not all(isinstance(word, str) and word.isascii() and word.isprintable() for word in words):
        raise ValueError("identifiers")
    event_id, reference, payment_id = words
    return Notice(
        provider=SandboxProvider.code,
        event_id=event_id,
        reference=reference,
        payment_id=payment_id,
        outcome=Outcome(data["outcome"]),
        amount=amount,
        currency=Currency(data["currency"]),
    )
