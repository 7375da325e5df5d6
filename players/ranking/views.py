"""The leaderboards: best players, most chips won, and seasonal ranks."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.views.decorators.http import require_safe

from accounts.models import User
from players.models import Board, LeaderboardPlace, Period, RankSeason
from players.ranking.leaderboards import LEAST_MATCHES
from players.ranking.seasons import LEAST_MATCHES as LEAST_OF_A_SEASON
from players.ranking.seasons import SeasonLine, list_seasons, rank_season
from players.ranking.selectors import LadderLine, rank_bots, rank_players
from tables.catalog import (
    build_choice_row,
    build_game_rows,
    get_default_game,
    list_offered_formats,
    read_choice,
)
from tables.models.ratings import rating_text


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Show the chosen leaderboard, always with the signed-in player's own row."""
    chosen = {
        "by": request.GET.get("by", Board.RATING.value),
        "game": request.GET.get("game", ":".join(list_offered_formats()[0])),
        "period": request.GET.get("period", Period.WEEK.value),
    }
    try:
        board, period = Board(chosen["by"]), Period(chosen["period"])
    except ValueError:
        raise Http404 from None
    game = _game_in(chosen)
    places = rank_players(board, game, period, user_id=request.user.pk)
    context = {
        "rows": [
            *build_game_rows(chosen, all_games=False),
            build_choice_row(chosen, "by", Board.choices),
            build_choice_row(chosen, "period", Period.choices),
        ],
        "is_rating": board is Board.RATING,
        "least": LEAST_MATCHES[period],
        "places": [_line(place, request.user.pk) for place in places.places],
        "own": _line(places.own, request.user.pk) if places.own else None,
        "drawn_at": places.drawn_at,
    }
    return render(request, "players/leaderboards/leaderboard.html", context)


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """Show the ladder of BOT accounts."""
    chosen = {"game": request.GET.get("game", ":".join(list_offered_formats()[0]))}
    game = _game_in(chosen)
    context = {
        "rows": build_game_rows(chosen, all_games=False),
        "is_rating": True,
        "places": [_bot_line(line, request.user.pk) for line in rank_bots(game)],
    }
    return render(request, "players/leaderboards/bots.html", context)


@require_safe
def season(request: HttpRequest) -> HttpResponse:
    """Show the table of the open season or of an earlier one."""
    known = {str(one.pk): one for one in list_seasons()}
    chosen = {
        "game": request.GET.get("game", ":".join(list_offered_formats()[0])),
        "season": request.GET.get("season", next(iter(known), "")),
    }
    game, shown = _game_in(chosen), known.get(chosen["season"])
    if shown is None and chosen["season"]:
        raise Http404
    user_id = request.user.pk
    table = None if shown is None else rank_season(shown, game, user_id=user_id)
    titles = [(number, _months(one)) for number, one in known.items()]
    context = {
        "rows": [
            *build_game_rows(chosen, all_games=False),
            build_choice_row(chosen, "season", titles),
        ],
        "is_rating": True,
        "season": shown,
        "last_day": None if shown is None else shown.last_day,
        "least": LEAST_OF_A_SEASON,
        "places": [_season_line(line, user_id) for line in table.places] if table else [],
        "own": _season_line(table.own, user_id) if table and table.own else None,
    }
    return render(request, "players/leaderboards/season.html", context)


def _game_in(chosen: dict[str, str]) -> tuple[str, str]:
    """Return the chosen game and format, and store them in `chosen`. Raises Http404 for unknown ones."""
    code, format = read_choice(chosen["game"])
    game = (code or get_default_game().code, format)
    if game not in list_offered_formats():
        raise Http404
    chosen["game"] = ":".join(game)
    return game


def _months(season: RankSeason) -> str:
    first, last = timezone.localdate(season.begins_at), season.last_day
    return " \N{EN DASH} ".join(date_format(one, "M Y") for one in (first, last))


def _bot_line(line: LadderLine, viewer_id: int | None) -> dict[str, Any]:
    rating = line.rating
    value = rating_text(rating.value, rating.deviation)
    return _describe(rating.user, viewer_id, place=line.place, value=value, matches=rating.matches)


def _season_line(line: SeasonLine, viewer_id: int | None) -> dict[str, Any]:
    rank = line.rank
    return _describe(rank.user, viewer_id, place=line.place, value=line.value, matches=rank.matches)


def _line(place: LeaderboardPlace, viewer_id: int | None) -> dict[str, Any]:
    return _describe(
        place.user, viewer_id, place=place.place, value=place.value, matches=place.matches
    )


def _describe(player: User, viewer_id: int | None, **figures: int | str) -> dict[str, Any]:
    return {
        "name": player.player_name,
        "face": player.shown_face,
        "user_id": player.pk,
        "is_own": player.pk == viewer_id,
        **figures,
    }
