"""Forms of the table page for ignoring and reporting other players."""

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.refusals import Refusal
from core.values.lines import Lines
from tables.catalog import WHOLE_NUMBER
from tables.chat import services as chat
from tables.models import ReportReason
from tables.seating.hosting.invitations import build_page_address, invite_in, player_at


class PlayerForm(forms.Form):
    """A form that names another player of the table. With `listen` that player is no longer ignored."""

    player = forms.RegexField(rf"^{WHOLE_NUMBER}$")
    listen = forms.CharField(max_length=3, required=False)


class ReportForm(forms.Form):
    player = forms.RegexField(rf"^{WHOLE_NUMBER}$")
    reason = forms.ChoiceField(choices=ReportReason.choices)
    words = forms.CharField(max_length=500, required=False, widget=Lines)


@require_POST
def ignore(request: HttpRequest, table_id: int) -> HttpResponse:
    """Ignore a player, or stop ignoring them."""
    player, form = player_at(request, table_id), PlayerForm(request.POST)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if form.is_valid():
        other = int(form.cleaned_data["player"])
        try:
            if form.cleaned_data["listen"]:
                chat.listen_again(user_id=player, ignored_id=other)
            else:
                chat.ignore(user_id=player, ignored_id=other, table_id=table_id)
        except Refusal as refusal:
            messages.error(request, str(refusal))
    return redirect(build_page_address(table_id, invite_in(request.POST)))


@require_POST
def report(request: HttpRequest, table_id: int) -> HttpResponse:
    """Report a player to the staff."""
    player, form = player_at(request, table_id), ReportForm(request.POST)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if not form.is_valid():
        messages.error(
            request, _("Choose a player and a reason, and write at most 500 characters.")
        )
        return redirect(build_page_address(table_id, invite_in(request.POST)))
    try:
        chat.report(
            reporter_id=player,
            reported_id=int(form.cleaned_data["player"]),
            table_id=table_id,
            reason=ReportReason(form.cleaned_data["reason"]),
            words=form.cleaned_data["words"],
        )
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Thank you. Our staff will look at it."))
    return redirect(build_page_address(table_id, invite_in(request.POST)))
