"""Help and contact: a player's cases, and forms for new ones, also about a deal."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models.users import PlayerRequest
from core.refusals import Refusal
from core.site.content import site
from core.values.lines import Lines
from history.models import CaseTopic
from history.models.support import LONGEST_MESSAGE
from history.selectors import find_last_deal, find_viewing, list_ended_deals
from history.support import services
from history.support.services import find_case, list_cases, list_messages
from tables.chat.sanctions import describe_course, list_sanctions
from tables.chat.services import OUTCOMES, list_reports_by


class MessageForm(forms.Form):
    """A message to the staff."""

    text = forms.CharField(
        label=gettext_lazy("Your message"),
        max_length=LONGEST_MESSAGE,
        widget=Lines(attrs={"rows": 6}),
    )


class CaseForm(MessageForm):
    """A new case with a subject. Cases about a deal are opened from the deal's page."""

    field_order = ["topic", "text"]

    topic = forms.ChoiceField(
        label=gettext_lazy("What is it about?"),
        choices=[choice for choice in CaseTopic.choices if choice[0] != CaseTopic.DEAL],
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def support(request: HttpRequest) -> HttpResponse:
    """Show the contact page, and to signed-in players their cases and the form for a new one."""
    context: dict[str, Any] = {"support_email": site().support_email}
    if not request.user.is_authenticated:
        return render(request, "history/support/support.html", context)
    form = CaseForm(request.POST or None)
    if form.is_valid():
        try:
            case = services.open_case(
                user_id=request.user.pk,
                topic=CaseTopic(form.cleaned_data["topic"]),
                text=form.cleaned_data["text"],
            )
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("We have your message. We will answer here and by e-mail."))
            return redirect("support_case", case.pk)
    reports = [(report, OUTCOMES[report.status]) for report in list_reports_by(request.user.pk)]
    context |= {
        "form": form,
        "cases": list_cases(request.user.pk),
        "reports": reports,
        "sanctions": [
            (sanction, describe_course(sanction, now=timezone.now()))
            for sanction in list_sanctions(request.user.pk)
        ],
    }
    return render(request, "history/support/support.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def dispute(request: PlayerRequest, match_id: int, number: int) -> HttpResponse:
    """Open a case about a finished deal in which the player took part."""
    viewing = find_viewing(request.user, match_id=match_id)
    if viewing is None or not viewing.is_player or number not in list_ended_deals(viewing.match):
        raise Http404
    form = MessageForm(request.POST or None)
    if form.is_valid():
        try:
            case = services.dispute_deal(
                user_id=request.user.pk,
                match_id=match_id,
                number=number,
                text=form.cleaned_data["text"],
            )
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("We have your message. We will answer here and by e-mail."))
            return redirect("support_case", case.pk)
    context = {"form": form, "match": viewing.match, "deal": number}
    return render(request, "history/support/dispute.html", context)


@login_required
@require_safe
def dispute_at_table(request: PlayerRequest, table_id: int) -> HttpResponse:
    """Redirect from a table's page to the form for a case about the player's newest finished deal there."""
    deal = find_last_deal(user_id=request.user.pk, table_id=table_id)
    return redirect("support_deal", *deal) if deal else redirect("support")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def case(request: PlayerRequest, case_id: int) -> HttpResponse:
    case = find_case(request.user.pk, case_id=case_id)
    if case is None:
        raise Http404
    form = MessageForm(request.POST or None)
    if form.is_valid():
        try:
            services.write_more(
                user_id=request.user.pk, case_id=case_id, text=form.cleaned_data["text"]
            )
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("support_case", case_id)
    context = {"case": case, "said": list_messages(case), "form": form}
    return render(request, "history/support/case.html", context)


@login_required
@require_POST
def close(request: PlayerRequest, case_id: int) -> HttpResponse:
    services.close_case(user_id=request.user.pk, case_id=case_id)
    return redirect("support")
