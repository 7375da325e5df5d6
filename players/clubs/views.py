"""The pages of clubs: the list, a club, its settings, and forms."""

import re
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.faces import FACES
from accounts.models import User
from accounts.models.users import PlayerRequest
from core.refusals import Refusal
from core.values.isolation import unwrap
from core.values.lines import Lines
from players.clubs import chat, evenings, leagues, selectors, services
from players.clubs.calendar import build_calendar_address
from players.clubs.invitations import remember_invitation
from players.clubs.season import get_current_season, rank_members, season_before
from players.clubs.selectors import ClubSeen
from players.refusals import NoEvening
from tables.catalog import list_games_with_page, title_of_game
from tables.chat.moderation import (
    ModeratedLine,
    allows_words,
    chat_is_on,
    describe_silence,
    list_phrases,
)
from tables.chat.views import ReportForm
from tables.models import LONGEST_ABOUT, Club, JoinBy, ReportReason
from tables.models.clubs import CLUB_NAME_LENGTH
from tables.seating.hosting.invitations import build_invitation, invite_in


class ClubForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name of the club"), max_length=CLUB_NAME_LENGTH)
    about = forms.CharField(
        label=gettext_lazy("About the club"),
        max_length=LONGEST_ABOUT,
        required=False,
        widget=Lines({"rows": 3}),
    )
    join_by = forms.ChoiceField(
        label=gettext_lazy("How people join"),
        choices=[
            (JoinBy.APPROVAL, gettext_lazy("By invitation or on request")),
            (JoinBy.LINK, gettext_lazy("Only by invitation")),
        ],
        help_text=gettext_lazy("An invitation is the club's link. It lets people in at once."),
    )
    icon = forms.ChoiceField(label=gettext_lazy("Icon"), choices=list(FACES.items()))

    def get_choices(self) -> dict[str, Any]:
        """Return the choices as arguments for a service. Call it only on a valid form."""
        return {**self.cleaned_data, "join_by": JoinBy(self.cleaned_data["join_by"])}


class EveningForm(forms.Form):
    first = forms.DateField(
        label=gettext_lazy("First evening"),
        help_text=gettext_lazy("After that it is every week on this day and at this time."),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    at = forms.TimeField(
        label=gettext_lazy("Time"), widget=forms.TimeInput({"type": "time"}, format="%H:%M")
    )
    kind = forms.ChoiceField(label=gettext_lazy("Kind"))
    seats = forms.IntegerField(label=gettext_lazy("Seats"), min_value=2, max_value=8)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kind = self.fields["kind"]
        assert isinstance(kind, forms.ChoiceField)  # noqa: S101 - as declared above
        kind.choices = evenings.list_kinds_of_evening()
        now = timezone.localtime()
        self.fields["first"].widget.attrs["min"] = now.date().isoformat()
        self.fields["at"].label = f"{_('Time')} ({now:%Z})"


@never_cache
@login_required
@require_safe
def clubs(request: PlayerRequest) -> HttpResponse:
    """Show the player's clubs, and other open clubs with a search by name."""
    name = request.GET.get("name", "")[:CLUB_NAME_LENGTH]
    context = {
        "name": name,
        "own": selectors.list_clubs(request.user.pk),
        "found": selectors.open_clubs(name),
    }
    return render(request, "players/clubs/list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def found(request: PlayerRequest) -> HttpResponse:
    """Found a club."""
    form = ClubForm(request.POST or None, initial={"join_by": JoinBy.APPROVAL, "icon": "lotus"})
    if request.method == "POST" and form.is_valid():
        try:
            made = services.found_club(user_id=request.user.pk, **form.get_choices())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("clubs:club", made.pk)
    return render(request, "players/clubs/form.html", {"form": form})


@never_cache
@require_safe
def club(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show a club. Members see everything, others only how to join."""
    invite = invite_in(request.GET)
    if not isinstance(request.user, User):
        invited = selectors.find_club_by_invitation(club_id, invite)
        if invited is None:
            return redirect_to_login(request.get_full_path())
        context: dict[str, Any] = {"seen": invited, "club": invited.club, "invite": invite}
        return render(request, "players/clubs/invited.html", context)
    return _show_club(cast("PlayerRequest", request), club_id, invite)


def _show_club(request: PlayerRequest, club_id: int, invite: str) -> HttpResponse:
    seen = _get_club_or_404(request, club_id)
    is_invited = seen.club.admits(invite)
    context: dict[str, Any] = {
        "seen": seen,
        "club": seen.club,
        "invite": invite,
        "is_invited": is_invited,
    }
    if seen.is_member:
        context |= _build_member_context(request, seen)
    if seen.is_leader:
        context |= {
            "asked": selectors.list_people_who_ask(seen.club),
            "removed": selectors.list_removed_people(seen.club),
        }
    return render(request, "players/clubs/club.html", context)


def _build_member_context(request: PlayerRequest, seen: ClubSeen) -> dict[str, Any]:
    month = get_current_season()
    if request.GET.get("season") == "last":
        month = season_before(month)
    silence = describe_silence(request.user.pk, now=timezone.now()) if allows_words() else None
    return {
        "members": selectors.list_members(seen.club, viewer_id=request.user.pk),
        "lines": chat.list_lines(club_id=seen.club.pk, user_id=request.user.pk),
        "chat_is_on": chat_is_on() and seen.club.is_open,
        "silence": silence,
        "phrases": [] if allows_words() and silence is None else list_phrases(),
        "tables": selectors.tables_of_club(seen.club),
        "season": rank_members(seen.club.pk, month),
        "month": month,
        "is_last": month != get_current_season(),
        "league": leagues.find_league(seen.club),
        "has_leagues": leagues.leagues_are_played(),
        "league_kinds": leagues.kinds_of_league(),
        "league_weeks": range(1, leagues.MOST_WEEKS + 1),
        "games": [(code, title_of_game(code)) for code in list_games_with_page()],
        "kind": evenings.title_of_evening(seen.club) if seen.club.evening_at else "",
        "calendar": build_calendar_address(club_id=seen.club.pk, user_id=request.user.pk),
        **_build_invitation(request, seen.club),
    }


def _build_invitation(request: HttpRequest, club: Club) -> dict[str, str]:
    address = reverse("clubs:club", args=[club.pk])
    link = request.build_absolute_uri(f"{address}?invite={club.invite_code}")
    words = _("Join my club “%(name)s”:") % {"name": club.name}
    return build_invitation(words, link)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: PlayerRequest, club_id: int) -> HttpResponse:
    """Show and save the name, the description, the icon and the way to join, for the owner only."""
    seen = _get_club_or_404(request, club_id)
    if not seen.is_owner:
        raise Http404
    names = ("name", "about", "join_by")
    given = {name: unwrap(getattr(seen.club, name)) for name in names}
    initial = {**given, "icon": seen.club.shown_icon}
    form = ClubForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            services.change_club(club_id=club_id, user_id=request.user.pk, **form.get_choices())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("clubs:club", club_id)
    return render(request, "players/clubs/form.html", {"form": form, "club": seen.club})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def evening(request: PlayerRequest, club_id: int) -> HttpResponse:
    """Set or end the weekly evening, for officers only."""
    seen = _get_club_or_404(request, club_id)
    if not seen.is_leader:
        raise Http404
    if "end" in request.POST:
        return _answer(request, club_id, evenings.end_evening)
    its = seen.club
    first, at = evenings.suggest_evening(its, timezone.now())
    kind = evenings.format_evening_kind(its)
    initial = {"first": first, "at": at, "kind": kind, "seats": its.evening_seats}
    form = EveningForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            evenings.set_evening(club_id=club_id, user_id=request.user.pk, **form.cleaned_data)
        except NoEvening as refusal:
            form.add_error("first", str(refusal))
        else:
            return redirect("clubs:club", club_id)
    return render(request, "players/clubs/evening.html", {"form": form, "club": its})


@login_required
@require_POST
def league(request: PlayerRequest, club_id: int) -> HttpResponse:
    """Start or end the club's league, for officers only."""
    if "end" in request.POST:
        return _answer(request, club_id, leagues.end_league, anchor="#club-league")
    weeks = request.POST.get("weeks", "")
    return _answer(
        request,
        club_id,
        leagues.start_league,
        kind=request.POST.get("kind", ""),
        weeks=int(weeks) if re.fullmatch(r"[0-9]{1,3}", weeks) else 0,
        anchor="#club-league",
    )


@require_POST
def join(request: HttpRequest, club_id: int) -> HttpResponse:
    """Join by the link, or ask to join.

    A visitor with the link registers or signs in first and then becomes a member (invitations.py).
    """
    invite = invite_in(request.POST)
    if isinstance(request.user, User):
        player = cast("PlayerRequest", request)
        return _answer(player, club_id, services.join, invite=invite)
    page = reverse("clubs:club", args=[club_id])
    if selectors.find_club_by_invitation(club_id, invite) is None:
        return redirect_to_login(page)
    remember_invitation(request.session, club_id=club_id, invite=invite, now=timezone.now())
    way = "account_login" if "known" in request.POST else "account_signup"
    return redirect(f"{reverse(way)}?{urlencode({'next': page})}")


@login_required
@require_POST
def leave(request: PlayerRequest, club_id: int) -> HttpResponse:
    """Leave the club, or withdraw a request."""
    return _answer(request, club_id, services.leave, back="clubs:list")


@login_required
@require_POST
def told(request: PlayerRequest, club_id: int) -> HttpResponse:
    """Set whether the member is notified of evenings."""
    is_told = "told" in request.POST
    return _answer(request, club_id, services.announce_evenings, is_told=is_told)


@login_required
@require_POST
def renew_link(request: PlayerRequest, club_id: int) -> HttpResponse:
    """Replace the club's link."""
    return _answer(request, club_id, services.renew_link)


@login_required
@require_POST
def post_line(request: PlayerRequest, club_id: int) -> HttpResponse:
    """Write a line in the club's chat."""
    line = ModeratedLine(
        phrase=request.POST.get("phrase", "")[:20], text=request.POST.get("text", "")[:500]
    )
    return _answer(request, club_id, chat.post_in_club, line=line, anchor="#chat")


@login_required
@require_POST
def hide(request: PlayerRequest, club_id: int, line_id: int) -> HttpResponse:
    """Hide a line of the chat from the page, for officers only."""
    return _answer(request, club_id, chat.hide_line, line_id=line_id, anchor="#chat")


_ACTS: dict[str, Callable[..., None]] = {
    "approve": services.approve,
    "refuse": services.refuse,
    "remove": services.remove,
    "readmit": services.readmit,
    "officer": services.make_officer,
    "member": services.make_member,
    "owner": services.pass_on,
}


@login_required
@require_POST
def act(request: PlayerRequest, club_id: int, user_id: int) -> HttpResponse:
    """Carry out the decision about a member or applicant, depending on the button that was pressed."""
    do = _ACTS.get(request.POST.get("act", ""))
    if do is None:
        raise Http404
    return _answer(request, club_id, do, other_id=user_id)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: PlayerRequest, club_id: int, user_id: int) -> HttpResponse:
    """Report a current or former member of the club to the staff."""
    seen = _get_club_or_404(request, club_id)
    if not seen.is_member:
        raise Http404
    form = ReportForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            chat.report_in_club(
                reporter_id=request.user.pk,
                reported_id=user_id,
                club_id=club_id,
                reason=ReportReason(form.cleaned_data["reason"]),
                words=form.cleaned_data["words"],
            )
        except Refusal as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("Thank you. Our staff will look at it."))
        return redirect("clubs:club", club_id)
    about = selectors.person_in(club_id, user_id)
    if about is None:
        raise Http404
    context = {"form": form, "club": seen.club, "about": about, "reasons": ReportReason.choices}
    return render(request, "players/clubs/report.html", context)


def _get_club_or_404(request: PlayerRequest, club_id: int) -> ClubSeen:
    seen = selectors.find_club(request.user.pk, club_id)
    if seen is None:
        raise Http404
    return seen


def _answer(
    request: PlayerRequest,
    club_id: int,
    service: Callable[..., object],
    *,
    back: str = "",
    anchor: str = "",
    **terms: Any,
) -> HttpResponse:
    """Call a service and redirect to the club, or to `back` on success. A refusal is shown as a message."""
    _get_club_or_404(request, club_id)
    try:
        service(club_id=club_id, user_id=request.user.pk, **terms)
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        if back:
            return redirect(back)
    page = reverse("clubs:club", args=[club_id])
    return redirect(page + anchor)
