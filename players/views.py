"""Pages about players, and the requests that their forms send."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import PageShownTo, User
from accounts.models.users import PlayerRequest
from accounts.origins import read_origin
from accounts.people.preferences import is_quiet
from accounts.people.saving import answer_saved
from core.refusals import Refusal
from core.throttling import Rate, take
from core.values.numbers import parse_number
from players import profile, selectors, services
from players.away import dismiss
from players.clubs.selectors import list_clubs
from players.online import is_seen_online, list_friends_online, show_online_to
from players.ranking import rewards
from players.ranking.levels import shows_progress
from players.ranking.selectors import level_among, list_achievements
from tables.catalog import title_of_game
from tables.seating.views import format_refusal

# Searches for names by prefix.
SEARCHES = 30
SEARCHES_SECONDS = 60


@never_cache
@login_required
@require_safe
def people(request: PlayerRequest) -> HttpResponse:
    """Show friends, invitations and recent opponents. With a player's exact name, redirect to that player's page."""
    name = request.GET.get("name", "")[:40]
    user_id = request.user.pk
    found = selectors.find_player(name) if name else None
    if found is not None:
        return redirect("players:player", found.pk)
    is_asked = bool(name) and take(Rate(f"names:{user_id}", SEARCHES, SEARCHES_SECONDS)).is_allowed
    friends, followed = selectors.list_friends(user_id), selectors.list_followed_by(user_id)
    context = {
        "name": name,
        "found": selectors.search_players(name, viewer_id=user_id) if is_asked else [],
        "online": list_friends_online(user_id),
        "invitations": selectors.invitations_for(user_id),
        "friends": friends,
        "followed": followed,
        "known": {user_id, *(person.pk for person in (*friends, *followed))},
        "opponents": selectors.list_recent_opponents(user_id),
        "tables": selectors.list_tables_to_invite_to(user_id),
    }
    return render(request, "players/people.html", context)


@never_cache
@require_safe
def player(request: HttpRequest, user_id: int) -> HttpResponse:
    """Show a player's page: the name to everybody, the rest to viewers who may see it."""
    seen = selectors.find_open_player(user_id)
    if seen is None:
        raise Http404
    viewer = request.user.pk
    standing = selectors.get_standing(viewer, user_id)
    context = {
        "player": seen,
        "standing": standing,
        "is_own": viewer == user_id,
        "is_online": (
            viewer not in (None, user_id)
            and not standing.is_blocked
            and is_seen_online(seen, is_friend=standing.is_friend)
        ),
        "tables": selectors.list_tables_to_invite_to(viewer) if standing.is_friend else [],
        "challenges": _list_challenges() if standing.is_friend else [],
    }
    if selectors.may_see_figures(seen, viewer, standing):
        context |= _build_figures(request, seen)
    return render(request, "players/player.html", context)


def _list_challenges() -> list[tuple[str, str]]:
    return [(code, title_of_game(code)) for code in services.list_challenges()]


def _build_figures(request: HttpRequest, seen: User) -> dict[str, Any]:
    """Return the context for the part of a player's page that not every viewer may see."""
    wants_quiet = request.user.is_authenticated and is_quiet(request.user)
    progresses = not wants_quiet and shows_progress(seen)
    achievements = list_achievements(seen.pk) if progresses else []
    formats = profile.list_format_lines(seen.pk)
    is_own = request.user.pk == seen.pk
    return {
        "shows": True,
        "level": level_among(achievements),
        "matches": sum(line.matches for line in formats),
        "ratings": profile.list_rating_tiles(seen.pk),
        "formats": formats,
        "played": profile.list_played(seen, viewer_id=request.user.pk),
        "badges": profile.list_badges(achievements),
        "achievements": [line for line in achievements if line.tier or is_own],
        "reached": sum(line.tier > 0 for line in achievements),
        "of": len(achievements),
        "clubs": list_clubs(seen.pk),
    }


_ACTS: dict[str, Callable[..., None]] = {
    "follow": services.follow,
    "unfollow": services.unfollow,
    "block": services.block,
    "unblock": services.unblock,
}


@login_required
@require_POST
def act(request: PlayerRequest, user_id: int) -> HttpResponse:
    """Follow, unfollow, block or unblock, depending on the button that was pressed."""
    do = _ACTS.get(request.POST.get("act", ""))
    if do is None:
        raise Http404
    try:
        do(user_id=request.user.pk, other_id=user_id)
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect("players:people")
    back = request.POST.get("back")
    if back in ("privacy", "people"):
        return redirect(f"players:{back}")
    return redirect("players:player", user_id)


def _table_in(request: HttpRequest) -> int:
    """Return the id of the table that a form names, or 0 if it is not a number."""
    return parse_number(request.POST.get("table", "")) or 0


@login_required
@require_POST
def invite(request: PlayerRequest, user_id: int) -> HttpResponse:
    """Invite a friend to a table. Return to the table's page if the form came from there."""
    table_id = _table_in(request)
    try:
        services.invite(user_id=request.user.pk, friend_id=user_id, table_id=table_id)
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Your friend will find the invitation on the Friends page."))
    if table_id and request.POST.get("back") == "table":
        return redirect("table", table_id)
    return redirect("players:people")


@login_required
@require_POST
def challenge(request: PlayerRequest, user_id: int) -> HttpResponse:
    """Open a table of the chosen game, invite a friend to it, and redirect there."""
    try:
        table = services.challenge(
            user_id=request.user.pk,
            friend_id=user_id,
            game=request.POST.get("game", ""),
            origin=read_origin(request),
        )
    except Refusal as refusal:
        messages.error(request, format_refusal(refusal))
        return redirect("players:player", user_id)
    return redirect("table", table.pk)


@login_required
@require_POST
def invite_online(request: PlayerRequest) -> HttpResponse:
    """Invite every friend who is online to a table."""
    table_id = _table_in(request)
    asked = 0
    for friend in list_friends_online(request.user.pk):
        try:
            services.invite(user_id=request.user.pk, friend_id=friend.person.pk, table_id=table_id)
        except Refusal as refusal:
            messages.error(request, str(refusal))
            break
        asked += 1
    if asked:
        text = ngettext("%(count)s friend is invited.", "%(count)s friends are invited.", asked)
        messages.success(request, text % {"count": asked})
    return redirect("players:people")


@login_required
@require_POST
def decline(request: PlayerRequest, invitation_id: int) -> HttpResponse:
    services.decline(user_id=request.user.pk, invitation_id=invitation_id)
    return redirect("players:people")


@never_cache
@login_required
@require_safe
def privacy(request: PlayerRequest) -> HttpResponse:
    """Show the settings for who may see the player's figures and presence, and the blocked players."""
    context = {
        "choices": PageShownTo.choices,
        "blocked": selectors.list_blocked_players(request.user.pk),
    }
    return render(request, "players/privacy.html", context)


@login_required
@require_POST
def show_page(request: PlayerRequest) -> HttpResponse:
    """Save who may see the player's figures, and who may see that the player is online."""
    whom, online = (request.POST.get(name, "") for name in ("shown_to", "online_shown_to"))
    if whom not in PageShownTo.values or online not in PageShownTo.values:
        return answer_saved(request, "players:privacy", refused=_("Choose one of the options."))
    services.show_page_to(user_id=request.user.pk, whom=PageShownTo(whom))
    show_online_to(user_id=request.user.pk, whom=PageShownTo(online))
    return answer_saved(request, "players:privacy")


@login_required
@require_POST
def dismiss_news(request: PlayerRequest) -> HttpResponse:
    dismiss(request.user.pk)
    return redirect("lobby")


@login_required
@require_POST
def choose_looks(request: PlayerRequest) -> HttpResponse:
    """Save the card backs, felts and frames chosen in the settings."""
    chosen = {kind: request.POST[kind] for kind in rewards.KINDS if kind in request.POST}
    page = "accounts:settings" if "frame" in chosen else "accounts:look"
    try:
        rewards.choose_looks(player=request.user, chosen=chosen)
    except Refusal as refusal:
        return answer_saved(request, page, refused=str(refusal))
    return answer_saved(request, page)
