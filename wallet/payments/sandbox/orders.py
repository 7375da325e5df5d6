"""The sandbox provider's intake of the site's signed orders."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from wallet.cash import cash_is_on
from wallet.money import MAX_AMOUNT
from wallet.payments.base import WebhookRefused
from wallet.payments.sandbox.provider import Channel, read_signed

Order = dict[str, Any]
Answer = Callable[[HttpRequest, Order], HttpResponse]


def takes_orders(channel: Channel, *texts: str) -> Callable[[Answer], Callable[..., HttpResponse]]:
    """A view for orders with an `amount` in paise and these texts; others are refused with 400."""

    def decorate(answer: Answer) -> Callable[..., HttpResponse]:
        @csrf_exempt
        @require_POST
        @wraps(answer)
        def view(request: HttpRequest) -> HttpResponse:
            if not cash_is_on():
                raise Http404
            signature = request.headers.get("X-Signature", "")
            try:
                order = _checked(read_signed(request.body, signature, channel), texts)
            except WebhookRefused as refusal:
                return JsonResponse({"code": refusal.code}, status=400)
            return answer(request, order)

        return view

    return decorate


def _checked(data: Any, texts: tuple[str, ...]) -> Order:
    if (
        not isinstance(data, dict)
        or type(data.get("amount")) is not int
        or not 0 < data["amount"] <= MAX_AMOUNT
        or not all(isinstance(data.get(name), str) for name in texts)
    ):
        raise WebhookRefused("malformed_order")
    return data
