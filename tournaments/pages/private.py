"""Opening a tournament for friends, starting it, and cancelling it."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models.users import PlayerRequest
from core.refusals import Refusal
from tournaments.pages.private_form import PrivateForm
from tournaments.refusals import NotYourTournament, TournamentNotFound
from tournaments.running.private import call_off_own, open_private, start_now


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_for_friends(request: PlayerRequest) -> HttpResponse:
    """Show the form for a private tournament, and open the tournament when it is submitted.

    If the form is submitted with `look`, it is only shown again, with the fields of the chosen game and kind.
    htmx then fetches just those fields, so that the host's other input stays.
    """
    now = timezone.now()
    is_draft = "look" in request.POST
    sent = request.POST.dict() if request.method == "POST" else None
    form = PrivateForm(sent, now=now, is_draft=is_draft)
    if sent is not None and not is_draft and form.is_valid():
        try:
            opened = open_private(user_id=request.user.pk, terms=form.terms(), now=now)
        except Refusal as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("Send your friends the link: anyone with it may enter."))
            return redirect(opened.invite_url)
    only_rules = request.headers.get("HX-Request")
    template = "tournaments/_new_rules.html" if only_rules else "tournaments/new.html"
    return render(request, template, {"form": form, "zone": now})


@login_required
@require_POST
def begin(request: PlayerRequest, tournament_id: int) -> HttpResponse:
    return _call_service(request, tournament_id, start_now, _("The tournament begins now."))


@login_required
@require_POST
def call_off(request: PlayerRequest, tournament_id: int) -> HttpResponse:
    return _call_service(
        request, tournament_id, call_off_own, _("Called off: everybody is refunded in full.")
    )


def _call_service(
    request: PlayerRequest,
    tournament_id: int,
    service: Callable[..., None],
    words: str,
) -> HttpResponse:
    """Call a service that only the host may use. Answer 404 to everybody else."""
    try:
        service(tournament_id=tournament_id, user_id=request.user.pk, now=timezone.now())
    except (NotYourTournament, TournamentNotFound) as refusal:
        raise Http404 from refusal
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, words)
    return redirect("tournaments:tournament", tournament_id)
