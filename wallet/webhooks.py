from collections.abc import Callable, Mapping
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from wallet.cash import hide_without_cash
from wallet.deposits.refunds import take_report
from wallet.deposits.services import take_payment_webhook
from wallet.payments.base import About, SignedReport, SignedWebhook, WebhookRefused
from wallet.payments.providers import UnknownProvider, get_provider
from wallet.withdrawals.payouts import take_payout_webhook

_TAKEN_BY: Final[Mapping[About, Callable[[SignedWebhook], str]]] = {
    About.PAYMENT: take_payment_webhook,
    About.PAYOUT: take_payout_webhook,
}


@csrf_exempt
@require_POST
@hide_without_cash
def webhook(request: HttpRequest, provider: str) -> HttpResponse:
    """Take a payment provider's webhook about a payment, a payout, a dispute or a refund.

    200: processed, kept for staff or of no interest; do not send it again. 400: a bad signature or content.
    404: no such provider, or a payment that is not ours.
    """
    try:
        told = get_provider(provider).read_webhook(request.headers, request.body)
    except UnknownProvider as error:
        raise Http404 from error
    except WebhookRefused as refusal:
        return JsonResponse({"code": refusal.code}, status=400)
    if told is None:
        return JsonResponse({"effect": "IGNORED"})
    if told.provider != provider:  # a provider may only report its own payments
        raise Http404
    effect = take_report(told) if isinstance(told, SignedReport) else _TAKEN_BY[told.about](told)
    return JsonResponse({"effect": effect}, status=404 if effect == "UNKNOWN" else 200)
