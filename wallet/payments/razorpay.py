"""Razorpay as a payment provider (base.py): https://razorpay.com/docs/api/.

A deposit is a payment link on Razorpay's own page, paid in full or not at all. A withdrawal is a RazorpayX
payout to a UPI address. Each order, refunds included, carries our reference as its idempotency key. An order
repeated after a crash is executed once.

Requests send the keys by HTTP Basic authentication. Bodies are JSON both ways. Errors are {"error": {"code",
"description", "reason"}}. A webhook's signature is the HMAC-SHA256 of the unchanged body.
`X-Razorpay-Event-Id` is the same each time an event is sent; it is not signed, so the state of the deposit or
withdrawal decides the effect.
"""

import base64
import hashlib
import hmac
import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.utils import timezone

from wallet.money import MAX_AMOUNT, Currency
from wallet.payments.base import (
    About,
    Concern,
    PaymentOutcome,
    PayoutOrder,
    PayoutRefused,
    RefundOrder,
    RefundRefused,
    ReportStage,
    SignedReport,
    SignedWebhook,
    WebhookRefused,
)

SECONDS_TO_ANSWER: Final = 10
_API: Final = "https://api.razorpay.com"
_LONGEST_ANSWER: Final = 1_000_000
# Refusals of the order itself. After wrong keys, a rate limit or a request in progress, a retry may succeed.
_FINAL: Final = frozenset({400, 404, 422})


class Declined(Exception):  # noqa: N818 - expected: addresses are typed by people
    """Razorpay will never execute the order; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Unanswered(OSError):  # noqa: N818 - may still come right
    """The outcome of the order is unknown: there was no answer, or an answer without a result."""


class _NoRedirectsWithKeys(urllib.request.HTTPRedirectHandler):
    """An opener that sends the keys only to the address that the operator configured."""

    def redirect_request(self, *_arguments: Any, **_named: Any) -> None:
        return None


_open = urllib.request.build_opener(_NoRedirectsWithKeys).open


def read_option(name: str, default: str = "") -> str:
    """Return PAYMENT_RAZORPAY_<name> of the environment."""
    return str(settings.PAYMENT_OPTIONS.get(f"RAZORPAY_{name}", default))


def ask(
    path: str, body: Mapping[str, Any] | None = None, *, headers: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """POST `body` to `path`, or GET it without a body, and return the answer. Raises Declined or OSError."""
    keys = f"{read_option('KEY_ID')}:{read_option('KEY_SECRET')}".encode()
    request = urllib.request.Request(  # noqa: S310 - the operator's own address
        read_option("URL", _API) + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Content-Type": "application/json",
            "Authorization": f"Basic {base64.b64encode(keys).decode()}",
            **(headers or {}),
        },
    )
    try:
        with _open(request, timeout=SECONDS_TO_ANSWER) as answer:
            return _parse_object(answer.read(_LONGEST_ANSWER))
    except urllib.error.HTTPError as error:
        with error:
            said = error.read(_LONGEST_ANSWER)
        if error.code in _FINAL:
            raise Declined(_read_reason(said)) from error
        raise Unanswered(f"{path}: {error.code} {_read_reason(said)}") from error
    except http.client.HTTPException as error:
        raise Unanswered(f"{path}: {error!r}") from error


def _parse_object(said: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(said)
    except ValueError as error:
        raise Unanswered("the answer is no JSON") from error
    if not isinstance(answer, dict):
        raise Unanswered("the answer is no object")
    return answer


def _read_reason(said: bytes) -> str:
    """Return Razorpay's reason, or its description if it names no reason."""
    try:
        error = json.loads(said)["error"]
        known = [error.get(name) for name in ("reason", "description", "code")]
    except (ValueError, KeyError, TypeError, AttributeError):
        known = []
    words = [str(word) for word in known if word and word != "NA"]
    return words[0][:200] if words else "unknown"


_LONGEST_BODY: Final = 65_536
_LONGEST_ID: Final = 100
# A failed attempt is not final: the player may pay by the same link again. The end of the link is final.
_PAYMENTS: Final = {
    "payment_link.paid": PaymentOutcome.PAID,
    "payment_link.cancelled": PaymentOutcome.FAILED,
    "payment_link.expired": PaymentOutcome.FAILED,
}
_PAYOUTS: Final = {
    "payout.processed": PaymentOutcome.PAID,
    "payout.failed": PaymentOutcome.FAILED,
    "payout.rejected": PaymentOutcome.FAILED,
    "payout.reversed": PaymentOutcome.REVERSED,
}


_DISPUTES: Final = {
    "payment.dispute.created": ReportStage.OPEN,
    "payment.dispute.action_required": ReportStage.OPEN,
    "payment.dispute.under_review": ReportStage.OPEN,
    "payment.dispute.won": ReportStage.KEPT,
    "payment.dispute.lost": ReportStage.TAKEN,
    "payment.dispute.closed": ReportStage.CLOSED,
}
_REFUNDS: Final = {
    "refund.created": ReportStage.OPEN,
    "refund.processed": ReportStage.TAKEN,
    "refund.failed": ReportStage.KEPT,
}
# Known, and without effect here: another event decides, or nobody's money changes.
_WITHOUT_EFFECT: Final = frozenset(
    {
        "payment.authorized",
        "payment.captured",
        "payment.failed",
        "payment.downtime.started",
        "payment.downtime.updated",
        "payment.downtime.resolved",
        "order.paid",
        "refund.speed_changed",
        "settlement.processed",
        "payout.pending",
        "payout.queued",
        "payout.initiated",
        "payout.updated",
        "payout.downtime.started",
        "payout.downtime.resolved",
        "transaction.created",
        "transaction.updated",
    }
)
# All events that the code knows; docs/money.md lists the same events.
KNOWN_EVENTS: Final = frozenset({*_PAYMENTS, *_PAYOUTS, *_DISPUTES, *_REFUNDS, *_WITHOUT_EFFECT})
_LONGEST_FACT: Final = 200
# Facts for staff. Names, addresses and cards of people are left out.
_FACTS: Final = (
    "id",
    "payment_id",
    "status",
    "phase",
    "reason_code",
    "reason_description",
    "amount",
    "amount_deducted",
    "currency",
    "respond_by",
    "receipt",
)


def read_event(
    headers: Mapping[str, str], body: bytes, *, provider: str, secrets: Sequence[str]
) -> SignedWebhook | SignedReport | None:
    """Read a webhook. Return None for a known event without effect here. Raises WebhookRefused."""
    _check_signature(headers.get("X-Razorpay-Signature", ""), body, secrets)
    try:
        told = json.loads(body)
        name = _check_identifier(told["event"])
        if name in _PAYMENTS:
            about, outcome = About.PAYMENT, _PAYMENTS[name]
            reference, subject = _of_link(told["payload"], outcome)
        elif name in _PAYOUTS:
            about, outcome = About.PAYOUT, _PAYOUTS[name]
            subject = told["payload"]["payout"]["entity"]
            reference = subject["reference_id"]
        else:
            event_id = _check_identifier(headers.get("X-Razorpay-Event-Id"))
            return _read_report(told, provider=provider, event_id=event_id)
        return SignedWebhook(
            about=about,
            provider=provider,
            event_id=_check_identifier(headers.get("X-Razorpay-Event-Id")),
            reference=_check_identifier(reference),
            payment_id=_check_identifier(subject["id"]),
            outcome=outcome,
            amount=_check_amount(subject["amount"]),
            currency=Currency(subject["currency"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WebhookRefused("malformed_webhook") from error


def _read_report(told: Any, *, provider: str, event_id: str) -> SignedReport | None:
    event, payload = told["event"], told.get("payload", {})
    if event in _WITHOUT_EFFECT:
        return None
    about = (provider, event_id, event)
    facts = _list_facts(payload)
    if event in _DISPUTES:
        concern, stage, subject = Concern.DISPUTE, _DISPUTES[event], payload["dispute"]["entity"]
    elif event in _REFUNDS:
        concern, stage, subject = Concern.REFUND, _REFUNDS[event], payload["refund"]["entity"]
        if payload.get("payment", {}).get("entity", {}).get("captured") is False:
            return None  # the payment never reached this site
    else:
        return SignedReport(
            *about, Concern.UNKNOWN, ReportStage.OPEN, subject_id=event, facts=facts
        )
    return SignedReport(
        *about,
        concern,
        stage,
        subject_id=_check_identifier(subject["id"]),
        payment_id=_check_identifier(subject["payment_id"]),
        reference=str(subject.get("receipt") or "")[:_LONGEST_ID],
        amount=_check_amount(subject["amount"]),
        currency=Currency(subject["currency"]),
        facts=facts,
    )


def _list_facts(payload: Any) -> dict[str, str]:
    """Return the facts of the payload's entities, as a mapping from names such as "dispute.status" to values."""
    entities = payload.items() if isinstance(payload, dict) else ()
    return {
        f"{name}.{fact}"[:_LONGEST_ID]: str(entity[fact])[:_LONGEST_FACT]
        for name, wrapped in entities
        if isinstance(entity := wrapped.get("entity") if isinstance(wrapped, dict) else None, dict)
        for fact in _FACTS
        if isinstance(entity.get(fact), str | int)
    }


def _check_signature(signature: str, body: bytes, secrets: Sequence[str]) -> None:
    given = signature.encode("utf-8", "replace")
    marks = [hmac.new(one.encode(), body, hashlib.sha256).hexdigest() for one in secrets]
    # Every secret is compared, so that the time taken does not show which one fits.
    matches = [hmac.compare_digest(mark.encode(), given) for mark in marks]
    if not any(matches) or len(body) > _LONGEST_BODY:
        raise WebhookRefused("bad_signature")


def _of_link(payload: Any, outcome: PaymentOutcome) -> tuple[Any, Any]:
    """Return our reference, and the payment or, if nobody paid, the link."""
    link = payload["payment_link"]["entity"]
    subject = payload["payment"]["entity"] if outcome is PaymentOutcome.PAID else link
    return link["reference_id"], subject


def _check_identifier(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_ID:
        raise ValueError("identifier")
    if not (value.isascii() and value.isprintable()):
        raise ValueError("identifier")
    return value


def _check_amount(value: Any) -> int:
    if type(value) is not int or not 0 < value <= MAX_AMOUNT:
        raise ValueError("amount")
    return value


# Razorpay refuses a link that ends sooner.
_SHORTEST_LINK: Final = timedelta(minutes=16)
_LONGEST_NAME: Final = 50
_NEVER_PAID: Final = frozenset({"failed", "rejected", "cancelled", "reversed"})
_PAGES: Final = "https://rzp.io https://razorpay.com https://*.razorpay.com"


class RazorpayProvider:
    code = "razorpay"
    moves_money = True
    urlconf = None
    needs = (
        "RAZORPAY_KEY_ID",
        "RAZORPAY_KEY_SECRET",
        "RAZORPAY_WEBHOOK_SECRET",
        "RAZORPAY_ACCOUNT_NUMBER",
    )

    @property
    def page_origins(self) -> tuple[str, ...]:
        return tuple(read_option("PAGES", _PAGES).split())

    def payment_page(
        self, *, reference: str, amount: int, return_path: str, expires_at: datetime
    ) -> str:
        end = max(expires_at, timezone.now() + _SHORTEST_LINK)
        link = {
            "amount": amount,
            "currency": Currency.INR.value,
            "accept_partial": False,
            "reference_id": reference,
            "expire_by": int(end.timestamp()),
            "reminder_enable": False,
            "notes": {"reference": reference},
            "callback_url": _own_address() + return_path,
            "callback_method": "get",
        }
        try:
            page = ask("/v1/payment_links", link)["short_url"]
        except (Declined, KeyError) as error:
            # A refused order is a fault of the set-up, not of the player.
            raise Unanswered(f"no payment link for {reference}: {error}") from error
        return str(page)

    def refund_payment(self, order: RefundOrder) -> str:
        body = {"amount": order.amount, "speed": "normal", "receipt": order.reference}
        path = f"/v1/payments/{order.payment_id}/refund"
        try:
            answer = ask(path, body, headers={"X-Refund-Idempotency": order.reference})
        except Declined as no:
            raise RefundRefused(no.code) from no
        if answer.get("status") == "failed":
            raise RefundRefused("failed")
        return _read_name(answer)

    def send_payout(self, order: PayoutOrder) -> str:
        body = {
            "account_number": read_option("ACCOUNT_NUMBER"),
            "amount": order.amount,
            "currency": Currency.INR.value,
            "mode": "UPI",
            "purpose": "payout",
            "reference_id": order.reference,
            "queue_if_low_balance": True,
            "fund_account": {
                "account_type": "vpa",
                "vpa": {"address": order.pay_to},
                "contact": {
                    "name": order.name[:_LONGEST_NAME],
                    "type": "customer",
                    "reference_id": order.reference,
                },
            },
        }
        try:
            answer = ask("/v1/payouts", body, headers={"X-Payout-Idempotency": order.reference})
        except Declined as no:
            raise PayoutRefused(no.code) from no
        if answer.get("status") in _NEVER_PAID:
            raise PayoutRefused(str(answer["status"]))
        return _read_name(answer)

    def read_webhook(
        self, headers: Mapping[str, str], body: bytes
    ) -> SignedWebhook | SignedReport | None:
        # Payments and RazorpayX have a secret each. A new secret is valid beside the old one for a while.
        secrets = read_option("WEBHOOK_SECRET").replace(",", " ").split()
        return read_event(headers, body, provider=self.code, secrets=secrets)


def _own_address() -> str:
    """Return the site's address for browsers, without a slash at the end."""
    return read_option("RETURN_ADDRESS", settings.SITE_URL).rstrip("/")


def _read_name(answer: Mapping[str, object]) -> str:
    name = answer.get("id")
    if not isinstance(name, str) or not name:
        raise Unanswered("the answer has no id")
    return name
