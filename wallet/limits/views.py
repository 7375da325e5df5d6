"""The pages on which players set limits for themselves."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from accounts.models.users import PlayerRequest
from wallet.cash import cash_is_on, hide_without_cash
from wallet.desk.units import CashField
from wallet.limits.selectors import get_own_limits
from wallet.limits.services import exclude_oneself, set_deposit_limit, set_loss_limit
from wallet.models import DepositLimit, LimitPeriod, LossLimit
from wallet.refusals import ExclusionTooShort


class LimitForm(forms.Form):
    period = forms.ChoiceField(label=gettext_lazy("Limit"), choices=LimitPeriod.choices)
    amount = CashField(
        label=gettext_lazy("Amount in rupees"),
        max_length=30,
        required=False,
        help_text=gettext_lazy(
            "Empty: no limit. A higher limit, or none, takes effect after 72 hours."
        ),
    )


class ExclusionForm(forms.Form):
    """A form for the length of a self-exclusion in days. 0 means permanently."""

    days = forms.TypedChoiceField(
        label=gettext_lazy("For how long"),
        coerce=int,
        choices=[
            (1, gettext_lazy("24 hours")),
            (7, gettext_lazy("7 days")),
            (30, gettext_lazy("30 days")),
            (180, gettext_lazy("6 months")),
            (0, gettext_lazy("for good")),
        ],
    )
    sure = forms.BooleanField(
        label=gettext_lazy("I understand that I cannot undo this before it ends.")
    )


@login_required
def limits(request: PlayerRequest) -> HttpResponse:
    return _page(request)


@login_required
@require_POST
@hide_without_cash
def deposit_limit(request: PlayerRequest) -> HttpResponse:
    return _set(request, set_deposit_limit, "deposit_form")


@login_required
@require_POST
@hide_without_cash
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
        messages.success(
            request, _("The new limit takes effect in 72 hours; until then the old one applies.")
        )
    else:
        messages.success(request, _("The new limit applies from now on."))
    return redirect("wallet:limits")


@login_required
@require_POST
def exclude(request: PlayerRequest) -> HttpResponse:
    form = ExclusionForm(request.POST)
    if not form.is_valid():
        return _page(request, exclusion_form=form)
    days = form.cleaned_data["days"]
    # A minute more than chosen, so that a day is never shorter than a day.
    until = timezone.now() + timedelta(days=days, minutes=1) if days else None
    try:
        exclude_oneself(user_id=request.user.pk, until=until)
    except ExclusionTooShort as refusal:
        form.add_error("days", str(refusal))
        return _page(request, exclusion_form=form)
    return redirect("wallet:limits")


def _page(request: PlayerRequest, **forms: Form) -> HttpResponse:
    """Show the page of limits. A rejected form in `forms` is shown instead of the empty form of the same name."""
    own = get_own_limits(request.user.pk, at=timezone.now())
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
