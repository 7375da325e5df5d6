"""The sandbox provider's refunds.

It keeps nothing: the same order again is the same refund, and an amount that ends in 13 paise is
never paid back.
"""

from django.http import HttpRequest, HttpResponse, JsonResponse

from wallet.payments.sandbox.orders import Order, takes_orders
from wallet.payments.sandbox.provider import REFUSED_STATUS, Channel

_NEVER_PAID_BACK = 13


@takes_orders(Channel.REFUND_ORDER, "reference", "payment_id")
def refund(_request: HttpRequest, order: Order) -> HttpResponse:
    if order["amount"] % 100 == _NEVER_PAID_BACK:
        return JsonResponse({"code": "cannot_be_paid_back"}, status=REFUSED_STATUS)
    return JsonResponse({"refund": f"rf_{order['reference']}"})
