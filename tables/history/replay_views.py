"""The replay of a deal, and the links by which players show theirs to others."""

import re
from collections.abc import Collection
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models.users import PlayerRequest
from tables.catalog import WHOLE_NUMBER, has_page, title_of
from tables.history.analysis_views import analysis_context
from tables.history.match_pages import (
    address_of,
    kept_out_of_search,
    own_token,
    shared_or_404,
    viewing_or_404,
)
from tables.history.replay import replay_of
from tables.history.replay_texts import replay_texts
from tables.history.selectors import Viewing, ended_deals, seat_of
from tables.history.sharing import share_match, withdraw_link


@never_cache
@login_required
@require_safe
def replay(request: PlayerRequest, match_id: int, number: int) -> HttpResponse:
    """A finished deal step by step, from any seat."""
    viewing = viewing_or_404(request, match_id)
    return render(request, "history/replay.html", _replay_context(request, viewing, number))


@never_cache
@require_safe
def shared_replay(request: HttpRequest, token: str, number: int) -> HttpResponse:
    viewing = shared_or_404(token)
    answer = render(request, "history/replay.html", _replay_context(request, viewing, number))
    return kept_out_of_search(answer)


def _replay_context(request: HttpRequest, viewing: Viewing, number: int) -> dict[str, Any]:
    played = viewing.match
    moves = replay_of(played, number=number)
    if moves is None or not has_page(played.table.game):
        raise Http404
    token = own_token(request, viewing)
    numbers = ended_deals(played)
    seats = sorted(moves["hands"])
    own = str(seat_of(played, request.user.pk)) if viewing.is_player else ""
    first = own if own in seats else seats[0]
    link = address_of(played, token, number)
    asked = analysis_context(request, played, number) if not viewing.token else {}
    return {
        **asked,
        "has_analysis": bool(asked),
        "match": played,
        "game_templates": f"games/{played.table.game}",
        "viewing": viewing,
        "deal": number,
        "title": title_of(played.table),
        "match_url": address_of(played, viewing.token),
        "record_url": address_of(played, viewing.token, number, "record"),
        "earlier": _neighbour(viewing, number - 1, numbers),
        "later": _neighbour(viewing, number + 1, numbers),
        "seats": [(seat, played.players[seat]["name"], seat == first) for seat in seats],
        "replay": moves,
        "texts": replay_texts(played.table.game),
        "share_link": request.build_absolute_uri(link) if token else "",
    }


def _neighbour(viewing: Viewing, number: int, numbers: Collection[int]) -> str:
    return address_of(viewing.match, viewing.token, number) if number in numbers else ""


@login_required
@require_POST
def share(request: PlayerRequest, match_id: int) -> HttpResponse:
    if share_match(match_id=match_id, user_id=request.user.pk) is None:
        raise Http404
    return redirect(_back_to(request, match_id))


@login_required
@require_POST
def unshare(request: PlayerRequest, match_id: int) -> HttpResponse:
    withdraw_link(match_id=match_id, user_id=request.user.pk)
    return redirect(_back_to(request, match_id))


def _back_to(request: HttpRequest, match_id: int) -> str:
    """The page that the form was on: the match, or the replay of one of its deals."""
    deal = request.POST.get("deal", "")
    if re.fullmatch(WHOLE_NUMBER, deal):
        return reverse("deal_replay", args=[match_id, int(deal)]) + "#share"
    return reverse("match", args=[match_id]) + "#share"
