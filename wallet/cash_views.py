"""Pages of cash: all of them say "not found" where cash is off."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts.requests import PlayerRequest
from wallet import services as wallet
from wallet.cash import cash_is_on
from wallet.deposit_letters import WHY
from wallet.forms import DepositForm
from wallet.models import Deposit
from wallet.payments.base import Notice, NoticeRefused, PaymentProvider
from wallet.payments.providers import payment_provider


def where_cash_is_on(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not cash_is_on():
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@where_cash_is_on
@login_required
@require_http_methods(["GET", "POST"])
def deposit(request: PlayerRequest) -> HttpResponse:
    form = DepositForm(request.POST or None)
    if form.is_valid():
        try:
            begun = wallet.start_deposit(
                user_id=request.user.pk, amount=form.cleaned_data["amount"]
            )
        except wallet.WalletRefusal as refusal:
            form.add_error("amount", str(refusal))
        else:
            back = reverse("wallet:deposit_state", args=[begun.reference])
            return redirect(
                payment_provider().payment_page(
                    reference=begun.reference,
                    amount=begun.amount,
                    return_path=back,
                    expires_at=wallet.pays_until(begun),
                )
            )
    return render(request, "wallet/deposit.html", {"form": form})


@where_cash_is_on
@login_required
def deposit_state(request: PlayerRequest, reference: str) -> HttpResponse:
    found = get_object_or_404(Deposit, user=request.user, reference=reference)
    context = {"deposit": found, "why": WHY.get(found.refused_for)}
    return render(request, "wallet/deposit_state.html", context)


@csrf_exempt
@require_POST
@where_cash_is_on
def payment_notice(request: HttpRequest, provider: str) -> HttpResponse:
    """The webhook about what players pay. A notice that was understood is answered with 200, so
    that it is not sent again; one with a bad signature or content with 400."""
    return _take(request, _known(provider).read_notice, wallet.take_notice)


@csrf_exempt
@require_POST
@where_cash_is_on
def payout_notice(request: HttpRequest, provider: str) -> HttpResponse:
    """The same about what is paid out to players."""
    return _take(request, _known(provider).read_payout_notice, wallet.take_payout_notice)


def _known(code: str) -> PaymentProvider:
    provider = payment_provider()
    if code != provider.code:
        raise Http404
    return provider


def _take(
    request: HttpRequest, read: Callable[..., Notice], take: Callable[[Notice], str]
) -> HttpResponse:
    try:
        notice = read(body=request.body, signature=request.headers.get("X-Signature", ""))
    except NoticeRefused as refusal:
        return JsonResponse({"code": refusal.code}, status=400)
    effect = take(notice)
    return JsonResponse({"effect": effect}, status=404 if effect == "UNKNOWN" else 200)
