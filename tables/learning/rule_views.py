from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tables.games.registry import GAMES
from tables.learning.rule_facts import columns_of, facts_of
from tables.play.offered import has_template, offered_games, template_of, usual_game
from tables.play.titles import title_of_game


@require_GET
def rules(request: HttpRequest) -> HttpResponse:
    """How the usual game is played."""
    return rules_of_game(request, usual_game().code)


@require_GET
def rules_of(request: HttpRequest, name: str) -> HttpResponse:
    """A game, or a format of the usual one: its address is the older one."""
    if name in GAMES:
        return rules_of_game(request, name)
    return rules_of_format(request, usual_game().code, name)


def rules_of_game(request: HttpRequest, game: str) -> HttpResponse:
    page = page_of_game(game, "rules")
    return render(request, page, {"game": game, "games": games_with("rules")})


@require_GET
def rules_of_format(request: HttpRequest, game: str, format: str) -> HttpResponse:
    """One format on one page, with its numbers."""
    page = page_of_game(game, "rules_of")
    if format not in {one.code.lower() for one in GAMES[game].formats}:
        raise Http404
    context = {
        "game": game,
        "games": games_with("rules"),
        "format": format,
        "columns": columns_of(game, format.upper()),
        "facts": facts_of(game, format.upper()),
    }
    return render(request, page, context)


def games_with(name: str) -> Sequence[tuple[str, str]]:
    """Code and title of the games on offer that have such a page of their own."""
    return [(code, title_of_game(code)) for code in offered_games() if has_template(code, name)]


def page_of_game(game: str, name: str) -> str:
    """The template of a game's own page. Raises Http404 if there is no such game or page."""
    if game not in GAMES:
        raise Http404
    if not has_template(game, name):
        raise Http404
    return template_of(game, name)
