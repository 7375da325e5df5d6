"""Pages for reporting a player to the staff, from that player's page or from a match."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models.users import PlayerRequest
from core.refusals import Refusal
from core.values.lines import Lines
from history.selectors import find_viewing
from players.selectors import find_open_player
from tables.chat import services as chat
from tables.models import ReportReason


class PersonReportForm(forms.Form):
    """A form for the reason of a report and the reporter's own words."""

    reason = forms.ChoiceField(label=gettext_lazy("What happened?"), choices=ReportReason.choices)
    words = forms.CharField(
        label=gettext_lazy("In your words"),
        max_length=500,
        required=False,
        widget=Lines(attrs={"rows": 4}),
    )


class MatchReportForm(PersonReportForm):
    """A report form for a match, which also asks which of its other players is reported."""

    field_order = ["player", "reason", "words"]

    player = forms.TypedChoiceField(label=gettext_lazy("Player"), coerce=int)

    def __init__(self, *args: Any, people: list[tuple[int, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        player = self.fields["player"]
        assert isinstance(player, forms.TypedChoiceField)  # noqa: S101 - it stands above
        player.choices = people


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_person(request: PlayerRequest, user_id: int) -> HttpResponse:
    """Report a player from that player's page."""
    person = find_open_player(user_id)
    if person is None or person.pk == request.user.pk:
        raise Http404
    form = PersonReportForm(request.POST or None)
    back = reverse("players:player", args=[user_id])
    do = partial(chat.report_person, reporter_id=request.user.pk, reported_id=user_id)
    return _report(request, form, do, {"person": person, "back": back})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_in_match(request: PlayerRequest, match_id: int) -> HttpResponse:
    """Report a player of the user's own match, from its page or from a replay."""
    viewing = find_viewing(request.user, match_id=match_id)
    if viewing is None or not viewing.is_player:
        raise Http404
    people = chat.list_reportable(viewing.match, request.user.pk)
    form = MatchReportForm(request.POST or None, people=people)
    do = partial(chat.report_in_match, reporter_id=request.user.pk, match_id=match_id)
    back = reverse("match", args=[match_id])
    return _report(request, form, do, {"match": viewing.match, "people": people, "back": back})


def _report(
    request: HttpRequest, form: forms.Form, do: Callable[..., object], context: dict[str, Any]
) -> HttpResponse:
    if form.is_valid():
        asked = form.cleaned_data
        more = {"reported_id": asked["player"]} if "player" in asked else {}
        try:
            do(reason=ReportReason(asked["reason"]), words=asked["words"], **more)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Thank you. Our staff will look at it."))
            return redirect(context["back"])
    return render(request, "history/support/report.html", {**context, "form": form})
