"""The sandbox provider's payouts.

It keeps nothing: the receiving address decides the outcome, and the same order again brings the
same webhooks again.
"""

from django.http import HttpRequest, HttpResponse, JsonResponse

from wallet.payments.base import About, Outcome
from wallet.payments.sandbox.orders import Order, takes_orders
from wallet.payments.sandbox.provider import REFUSED_STATUS, Channel, sign, write_webhook
from wallet.payments.sandbox.tasks import send_webhook

# By the part before "@sandbox": the outcomes that are told one after the other. Any other address
# is paid at once.
_OUTCOMES = {"fail": (Outcome.FAILED,), "late": (Outcome.FAILED, Outcome.PAID)}
_REFUSED = "reject@sandbox"
_SHORT = "short@sandbox"  # a paisa less arrives than was sent


@takes_orders(Channel.PAYOUT_ORDER, "reference", "pay_to", "name")
def payout(_request: HttpRequest, order: Order) -> HttpResponse:
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
        for outcome in outcomes or (Outcome.PAID,)
    ]
