"""The pages of the sandbox provider. They stand in for a bank's: no login, nothing of ours but the
signed order in the address."""

import time
import uuid
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from wallet.money import Currency, format_amount
from wallet.payments.base import Outcome
from wallet.payments.sandbox import Channel, read_order, write_notice
from wallet.tasks import send_sandbox_notice


@require_http_methods(["GET", "POST"])
def pay(request: HttpRequest, token: str) -> HttpResponse:
    order = _order(token)
    if order["expires_at"] <= time.time():
        return render(request, "wallet/sandbox_pay.html", {"is_expired": True}, status=410)
    if request.method == "POST":
        outcome = Outcome.PAID if request.POST.get("outcome") == "pay" else Outcome.FAILED
        body = write_notice(
            event_id=uuid.uuid4().hex,
            reference=order["reference"],
            outcome=outcome,
            amount=order["amount"],
        )
        webhook = request.build_absolute_uri(reverse("wallet:payment_notice", args=["sandbox"]))
        send_sandbox_notice.delay(webhook, body.decode(), Channel.PAYMENT)
        return redirect(order["return_path"])
    amount = format_amount(order["amount"], Currency.INR)
    return render(request, "wallet/sandbox_pay.html", {"amount": amount, "order": order})


def _order(token: str) -> dict[str, Any]:
    if settings.CASH_PLAY != "sandbox":
        raise Http404
    try:
        return read_order(token)
    except signing.BadSignature as error:
        raise Http404 from error
