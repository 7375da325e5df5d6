"""The pages on which players deposit cash."""

from typing import Any
from urllib.parse import urlencode

from csp.decorators import csp_update
from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from accounts.models.users import PlayerRequest
from core.refusals import Refusal
from wallet.cash import hide_without_cash
from wallet.deposits.emails import WHY
from wallet.deposits.services import (
    QUICK_AMOUNTS,
    deposit_offer,
    find_deposit,
    find_payment_page,
    start_deposit,
)
from wallet.desk.units import CashField
from wallet.payments.cases import compute_held
from wallet.payments.providers import get_payment_provider
from wallet.refusals import RegionNotStated


class DepositForm(forms.Form):
    """A form for the amount of a deposit: typed by the player, or the paise of a quick button."""

    amount = CashField(label=_("Amount in rupees"), max_length=30, required=False)
    quick = forms.TypedChoiceField(
        choices=[(paise, paise) for paise in QUICK_AMOUNTS],
        coerce=int,
        empty_value=None,
        required=False,
        widget=forms.HiddenInput,
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("quick") is not None:
            cleaned["amount"] = cleaned["quick"]
        elif not self.errors and cleaned.get("amount") is None:
            self.add_error("amount", forms.Field.default_error_messages["required"])
        return cleaned


@hide_without_cash
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def deposit(request: PlayerRequest) -> HttpResponse:
    form = DepositForm(request.POST or None)
    if form.is_valid():
        try:
            begun = start_deposit(user_id=request.user.pk, amount=form.cleaned_data["amount"])
            return redirect(find_payment_page(begun))
        except RegionNotStated:
            return redirect(f"{reverse('accounts:region')}?{urlencode({'next': request.path})}")
        except Refusal as refusal:
            form.add_error("amount", str(refusal))
    # The form may lead to the provider's pages (Content-Security-Policy).
    context = {"form": form, "offer": deposit_offer(request.user.pk)}
    answer = render(request, "wallet/deposit.html", context)
    csp_update({"form-action": list(get_payment_provider().page_origins)})(lambda _request: answer)(
        request
    )
    return answer


@hide_without_cash
@login_required
def deposit_state(request: PlayerRequest, reference: str) -> HttpResponse:
    row = find_deposit(request.user.pk, reference=reference)
    if row is None:
        raise Http404
    context = {"deposit": row, "why": WHY.get(row.refused_for), "held": compute_held(row)}
    return render(request, "wallet/deposit_state.html", context)
