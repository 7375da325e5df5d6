"""Where players set limits for themselves."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import PlayerRequest
from wallet import services as wallet
from wallet.cash import cash_is_on
from wallet.forms import DepositLimitForm, ExclusionForm
from wallet.models import DepositLimit
from wallet.selectors import deposit_limits, exclusion_of


@login_required
def limits(request: PlayerRequest) -> HttpResponse:
    return _page(request, DepositLimitForm(), ExclusionForm())


@login_required
@require_POST
def deposit_limit(request: PlayerRequest) -> HttpResponse:
    if not cash_is_on():
        raise Http404
    form = DepositLimitForm(request.POST)
    if not form.is_valid():
        return _page(request, form, ExclusionForm())
    limit = wallet.set_deposit_limit(
        user_id=request.user.pk,
        period=DepositLimit.Period(form.cleaned_data["period"]),
        amount=form.cleaned_data["amount"],
    )
    if limit.effective_from > timezone.now():
        messages.success(request, _("The new limit counts in 72 hours; until then the old one."))
    else:
        messages.success(request, _("The new limit counts from now on."))
    return redirect("wallet:limits")


@login_required
@require_POST
def exclude(request: PlayerRequest) -> HttpResponse:
    form = ExclusionForm(request.POST)
    if not form.is_valid():
        return _page(request, DepositLimitForm(), form)
    days = form.cleaned_data["days"]
    # A minute more than asked for, so that a day is never less than one.
    until = timezone.now() + timedelta(days=days, minutes=1) if days else None
    try:
        wallet.exclude_oneself(user_id=request.user.pk, until=until)
    except wallet.ExclusionTooShort as refusal:
        form.add_error("days", str(refusal))
        return _page(request, DepositLimitForm(), form)
    return redirect("wallet:limits")


def _page(
    request: PlayerRequest, limit_form: DepositLimitForm, exclusion_form: ExclusionForm
) -> HttpResponse:
    in_effect = deposit_limits(request.user.pk)
    return render(
        request,
        "wallet/limits.html",
        {
            "cash_is_on": cash_is_on(),
            "limit_form": limit_form,
            "exclusion_form": exclusion_form,
            "exclusion": exclusion_of(request.user.pk),
            "limits": [(period.label, in_effect.get(period)) for period in DepositLimit.Period],
        },
    )
