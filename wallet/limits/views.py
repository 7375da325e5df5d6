"""The pages on which players set limits for themselves."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import PlayerRequest
from wallet.cash import cash_is_on
from wallet.desk.cash_pages import where_cash_is_on
from wallet.limits.forms import ExclusionForm, LimitForm
from wallet.limits.selectors import own_limits
from wallet.limits.services import exclude_oneself, set_deposit_limit, set_loss_limit
from wallet.models import DepositLimit, LimitPeriod, LossLimit
from wallet.refusals import ExclusionTooShort


@login_required
def limits(request: PlayerRequest) -> HttpResponse:
    return _page(request)


@login_required
@require_POST
@where_cash_is_on
def deposit_limit(request: PlayerRequest) -> HttpResponse:
    return _set(request, set_deposit_limit, "deposit_form")


@login_required
@require_POST
@where_cash_is_on
def loss_limit(request: PlayerRequest) -> HttpResponse:
    return _set(request, set_loss_limit, "loss_form")


def _set(
    request: PlayerRequest, set_limit: Callable[..., DepositLimit | LossLimit], form_name: str
) -> HttpResponse:
    form = LimitForm(request.POST, auto_id=f"{form_name}_%s")
    if not form.is_valid():
        return _page(request, **{form_name: form})
    limit = set_limit(
        user_id=request.user.pk,
        period=LimitPeriod(form.cleaned_data["period"]),
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
        return _page(request, exclusion_form=form)
    days = form.cleaned_data["days"]
    # A minute more than asked for, so that a day is never less than one.
    until = timezone.now() + timedelta(days=days, minutes=1) if days else None
    try:
        exclude_oneself(user_id=request.user.pk, until=until)
    except ExclusionTooShort as refusal:
        form.add_error("days", str(refusal))
        return _page(request, exclusion_form=form)
    return redirect("wallet:limits")


def _page(request: PlayerRequest, **forms: Form) -> HttpResponse:
    """`forms`: one that was sent and has to be shown again."""
    own = own_limits(request.user.pk, at=timezone.now())
    context: dict[str, Any] = {
        "cash_is_on": cash_is_on(),
        "exclusion_form": ExclusionForm(),
        "exclusion": own.exclusion,
        "deposit_form": LimitForm(auto_id="deposit_form_%s"),
        "deposit_limits": own.deposits,
        "loss_form": LimitForm(auto_id="loss_form_%s"),
        "loss_limits": own.losses,
        "losses": [(period.label, lost) for period, lost in own.lost.items() if lost > 0],
    }
    return render(request, "wallet/limits.html", {**context, **forms})
