from urllib.parse import urlencode

from csp.decorators import csp_update
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.requests import PlayerRequest
from wallet.deposits.emails import WHY
from wallet.deposits.forms import DepositForm
from wallet.deposits.selectors import deposit_of, deposit_offer
from wallet.deposits.services import payment_page_of, start_deposit
from wallet.desk.cash_pages import where_cash_is_on
from wallet.payments.providers import payment_provider
from wallet.refusals import RegionNotStated, WalletRefusal


@where_cash_is_on
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def deposit(request: PlayerRequest) -> HttpResponse:
    form = DepositForm(request.POST or None)
    if form.is_valid():
        try:
            begun = start_deposit(user_id=request.user.pk, amount=form.cleaned_data["amount"])
            return redirect(payment_page_of(begun))
        except RegionNotStated:
            return redirect(f"{reverse('accounts:region')}?{urlencode({'next': request.path})}")
        except WalletRefusal as refusal:
            form.add_error("amount", str(refusal))
    # Where the form may lead counts for the page that it stands on (Content-Security-Policy).
    context = {"form": form, "offer": deposit_offer(request.user.pk)}
    answer = render(request, "wallet/deposit.html", context)
    csp_update({"form-action": list(payment_provider().page_origins)})(lambda _request: answer)(
        request
    )
    return answer


@where_cash_is_on
@login_required
def deposit_state(request: PlayerRequest, reference: str) -> HttpResponse:
    row = deposit_of(request.user.pk, reference=reference)
    if row is None:
        raise Http404
    context = {"deposit": row, "why": WHY.get(row.refused_for)}
    return render(request, "wallet/deposit_state.html", context)
