"""The sandbox provider's addresses: its payment page, and the endpoints for refund and payout orders.

They stand in for a bank's pages: they need no login, and use no data of this site but the signed order.
"""

import time
import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from wallet.cash import cash_is_on
from wallet.money import MAX_AMOUNT, Currency, format_amount
from wallet.payments.base import About, PaymentOutcome, WebhookRefused
from wallet.payments.sandbox.provider import (
    REFUSED_STATUS,
    Channel,
    read_order,
    read_signed,
    send_webhook,
    sign,
    write_webhook,
)

Order = dict[str, Any]
Answer = Callable[[HttpRequest, Order], HttpResponse]


def take_orders(channel: Channel, *texts: str) -> Callable[[Answer], Callable[..., HttpResponse]]:
    """Decorate a view for signed orders, which have an `amount` in paise and a string for each name in `texts`.

    Any other request gets 400.
    """

    def decorate(answer: Answer) -> Callable[..., HttpResponse]:
        @csrf_exempt
        @require_POST
        @wraps(answer)
        def view(request: HttpRequest) -> HttpResponse:
            if not cash_is_on():
                raise Http404
            signature = request.headers.get("X-Signature", "")
            try:
                order = _read(read_signed(request.body, signature, channel), texts)
            except WebhookRefused as refusal:
                return JsonResponse({"code": refusal.code}, status=400)
            return answer(request, order)

        return view

    return decorate


def _read(data: Any, texts: tuple[str, ...]) -> Order:
    if (
        not isinstance(data, dict)
        or type(data.get("amount")) is not int
        or not 0 < data["amount"] <= MAX_AMOUNT
        or not all(isinstance(data.get(name), str) for name in texts)
    ):
        raise WebhookRefused("malformed_order")
    return data


# The outcomes by the part before "@sandbox", each sent in a webhook. Any other address is paid at once.
_OUTCOMES = {"fail": (PaymentOutcome.FAILED,), "late": (PaymentOutcome.FAILED, PaymentOutcome.PAID)}
_REFUSED = "reject@sandbox"
_SHORT = "short@sandbox"  # a paisa less arrives than was sent


@take_orders(Channel.PAYOUT_ORDER, "reference", "pay_to", "name")
def payout(_request: HttpRequest, order: Order) -> HttpResponse:
    """Take a payout order. A repeated order sends the same webhooks again."""
    if order["pay_to"] == _REFUSED:
        return JsonResponse({"code": "unknown_address"}, status=REFUSED_STATUS)
    for body in webhooks(order):
        send_webhook.delay(body.decode(), sign(body))
    return JsonResponse({"payout": f"sb_{order['reference']}"})


def webhooks(order: Order) -> list[bytes]:
    """Return the sandbox's webhooks about a payout, in order."""
    name, _at, bank = order["pay_to"].partition("@")
    outcomes = _OUTCOMES.get(name, ()) if bank == "sandbox" else ()
    return [
        write_webhook(
            about=About.PAYOUT,
            event_id=f"payout-{order['reference']}-{outcome}",
            reference=order["reference"],
            outcome=outcome,
            amount=order["amount"] - (order["pay_to"] == _SHORT),
        )
        for outcome in outcomes or (PaymentOutcome.PAID,)
    ]


_NEVER_PAID_BACK = 13  # the paise of an amount that is never refunded


@take_orders(Channel.REFUND_ORDER, "reference", "payment_id")
def refund(_request: HttpRequest, order: Order) -> HttpResponse:
    """Take a refund order. A repeated order returns the same refund."""
    if order["amount"] % 100 == _NEVER_PAID_BACK:
        return JsonResponse({"code": "cannot_be_paid_back"}, status=REFUSED_STATUS)
    return JsonResponse({"refund": f"rf_{order['reference']}"})


@require_http_methods(["GET", "HEAD", "POST"])
def pay(request: HttpRequest, token: str) -> HttpResponse:
    """Show the payment page, and take the player's choice: pay, or let the payment fail."""
    order = _order(token)
    if order["expires_at"] <= time.time():
        return render(request, "sandbox/pay.html", {"is_expired": True}, status=410)
    if request.method == "POST":
        outcome = (
            PaymentOutcome.PAID if request.POST.get("outcome") == "pay" else PaymentOutcome.FAILED
        )
        body = write_webhook(
            about=About.PAYMENT,
            event_id=uuid.uuid4().hex,
            reference=order["reference"],
            outcome=outcome,
            amount=order["amount"],
        )
        send_webhook.delay(body.decode(), sign(body))
        return redirect(order["return_path"])
    amount = format_amount(order["amount"], Currency.INR)
    return render(request, "sandbox/pay.html", {"amount": amount, "order": order})


def _order(token: str) -> dict[str, Any]:
    if not cash_is_on():
        raise Http404
    try:
        return read_order(token)
    except signing.BadSignature as error:
        raise Http404 from error


app_name = "sandbox"
urlpatterns = [
    path("pay/<str:token>/", pay, name="pay"),
    path("refunds/", refund, name="refund"),
    path("payouts/", payout, name="payout"),
]
