"""The leaderboards: the best players, and the most chips won."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tables.catalog import choice_row, game_rows, offered_formats, read_choice, usual_game
from tables.models import Board, LeaderboardPlace, Period
from tables.ranking.leaderboards import LEAST_MATCHES
from tables.ranking.selectors import leaderboard


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    """One board by its tabs; a signed-in player's own line is always there."""
    chosen = {
        "by": request.GET.get("by", Board.RATING.value),
        "game": request.GET.get("game", ":".join(offered_formats()[0])),
        "period": request.GET.get("period", Period.WEEK.value),
    }
    try:
        board, period = Board(chosen["by"]), Period(chosen["period"])
    except ValueError:
        raise Http404 from None
    code, format = read_choice(chosen["game"])
    game = (code or usual_game().code, format)
    if game not in offered_formats():
        raise Http404
    chosen["game"] = ":".join(game)
    places = leaderboard(board, game, period, user_id=request.user.pk)
    context = {
        "rows": [
            *game_rows(chosen, all_games=False),
            choice_row(chosen, "by", Board.choices),
            choice_row(chosen, "period", Period.choices),
        ],
        "is_rating": board is Board.RATING,
        "least": LEAST_MATCHES[period],
        "places": [_line(place, request.user.pk) for place in places.places],
        "own": _line(places.own, request.user.pk) if places.own else None,
        "drawn_at": places.drawn_at,
    }
    return render(request, "leaderboards/leaderboard.html", context)


def _line(place: LeaderboardPlace, user_id: int | None) -> dict[str, Any]:
    return {
        "place": place.place,
        "name": place.user.player_name,
        "face": place.user.shown_face,
        "user_id": place.user_id,
        "value": place.value,
        "matches": place.matches,
        "is_own": place.user_id == user_id,
    }
