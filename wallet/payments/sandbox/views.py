"""The pages of the sandbox provider. They stand in for a bank's: no login, nothing of ours but the
signed order in the address."""

import time
import uuid
from typing import Any

from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from wallet.cash import cash_is_on
from wallet.money import Currency, format_amount
from wallet.payments.base import About, Outcome
from wallet.payments.sandbox.provider import read_order, sign, write_webhook
from wallet.payments.sandbox.tasks import send_webhook


@require_http_methods(["GET", "HEAD", "POST"])
def pay(request: HttpRequest, token: str) -> HttpResponse:
    order = _order(token)
    if order["expires_at"] <= time.time():
        return render(request, "sandbox/pay.html", {"is_expired": True}, status=410)
    if request.method == "POST":
        outcome = Outcome.PAID if request.POST.get("outcome") == "pay" else Outcome.FAILED
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
