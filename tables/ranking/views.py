"""Who plays best, and who has won most chips."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tables.models import Board, Format, LeaderboardPlace, Period
from tables.ranking.leaderboards import LEAST_MATCHES
from tables.ranking.selectors import leaderboard


@require_GET
def leaderboards(request: HttpRequest) -> HttpResponse:
    """One board by its tabs; a signed-in player's own line is always there."""
    chosen = {
        "by": request.GET.get("by", Board.RATING.value),
        "game": request.GET.get("game", Format.POINTS.value),
        "period": request.GET.get("period", Period.WEEK.value),
    }
    try:
        board, format = Board(chosen["by"]), Format(chosen["game"])
        period = Period(chosen["period"])
    except ValueError:
        raise Http404 from None
    found = leaderboard(board, format, period, user_id=request.user.pk)
    context = {
        "tabs": [
            _tabs(chosen, "by", Board),
            _tabs(chosen, "game", Format),
            _tabs(chosen, "period", Period),
        ],
        "is_rating": board is Board.RATING,
        "least": LEAST_MATCHES[period],
        "places": [_line(place, request.user.pk) for place in found.places],
        "own": _line(found.own, request.user.pk) if found.own else None,
        "drawn_at": found.drawn_at,
    }
    return render(request, "leaderboards/leaderboard.html", context)


def _tabs(
    chosen: Mapping[str, str], name: str, values: type[Board] | type[Format] | type[Period]
) -> list[tuple[Any, str, bool]]:
    return [
        (label, "?" + urlencode({**chosen, name: value}), chosen[name] == value)
        for value, label in values.choices
    ]


def _line(place: LeaderboardPlace, user_id: int | None) -> dict[str, Any]:
    return {
        "place": place.place,
        "name": place.user.player_name,
        "value": place.value,
        "matches": place.matches,
        "is_own": place.user_id == user_id,
    }
