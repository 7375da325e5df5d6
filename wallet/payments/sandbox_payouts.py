"""Where the sandbox provider takes orders for payouts.

It keeps nothing: the address that the money goes to says what becomes of it, and the same order
again brings the same notices again.
"""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from wallet.money import MAX_AMOUNT
from wallet.payments.base import NoticeRefused, Outcome
from wallet.payments.sandbox import REFUSED_STATUS, Channel, read_signed, write_notice
from wallet.tasks import send_sandbox_notice

# By the part before "@sandbox": the outcomes that are told one after the other. Any other address
# is paid at once.
_OUTCOMES = {"fail": (Outcome.FAILED,), "late": (Outcome.FAILED, Outcome.PAID)}
_REFUSED = "reject@sandbox"
_SHORT = "short@sandbox"  # a paisa less arrives than was sent


@csrf_exempt
@require_POST
def payout(request: HttpRequest) -> HttpResponse:
    if settings.CASH_PLAY != "sandbox":
        raise Http404
    try:
        order = _order(
            read_signed(request.body, request.headers.get("X-Signature", ""), Channel.PAYOUT_ORDER)
        )
    except NoticeRefused as refusal:
        return JsonResponse({"code": refusal.code}, status=400)
    if order["pay_to"] == _REFUSED:
        return JsonResponse({"code": "unknown_address"}, status=REFUSED_STATUS)
    webhook = request.build_absolute_uri(reverse("wallet:payout_notice", args=["sandbox"]))
    for body in notices(order):
        send_sandbox_notice.delay(webhook, body.decode(), Channel.PAYOUT)
    return JsonResponse({"payout": f"sb_{order['reference']}"})


def notices(order: dict[str, Any]) -> list[bytes]:
    """What the sandbox tells about a payout, in its order."""
    name, _at, bank = order["pay_to"].partition("@")
    outcomes = _OUTCOMES.get(name, ()) if bank == "sandbox" else ()
    return [
        write_notice(
            event_id=f"payout-{order['reference']}-{outcome}",
            reference=order["reference"],
            outcome=outcome,
            amount=order["amount"] - (order["pay_to"] == _SHORT),
        )
        for outcome in outcomes or (Outcome.PAID,)
    ]


def _order(data: Any) -> dict[str, Any]:
    if (
        not isinstance(data, dict)
        or type(data.get("amount")) is not int
        or not 0 < data["amount"] <= MAX_AMOUNT
        or not all(isinstance(data.get(name), str) for name in ("reference", "pay_to", "name"))
    ):
        raise NoticeRefused("malformed_order")
    return data
