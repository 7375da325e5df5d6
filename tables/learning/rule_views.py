from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import TemplateDoesNotExist, get_template
from django.views.decorators.http import require_GET

from tables.games.registry import GAMES
from tables.learning.rule_facts import columns_of, facts_of
from tables.play.offered import usual_game


@require_GET
def rules(request: HttpRequest) -> HttpResponse:
    """How the usual game is played."""
    return render(request, page_of_game(usual_game().code, "rules"))


@require_GET
def rules_of(request: HttpRequest, name: str) -> HttpResponse:
    """A game, or a format of the usual one: its address is the older one."""
    if name in GAMES:
        return render(request, page_of_game(name, "rules"))
    return rules_of_format(request, usual_game().code, name)


@require_GET
def rules_of_format(request: HttpRequest, game: str, format: str) -> HttpResponse:
    """One format on one page, with its numbers."""
    page = page_of_game(game, "rules_of")
    if format not in {one.code.lower() for one in GAMES[game].formats}:
        raise Http404
    context = {
        "format": format,
        "columns": columns_of(game, format.upper()),
        "facts": facts_of(game, format.upper()),
    }
    return render(request, page, context)


def page_of_game(game: str, name: str) -> str:
    """The template of a game's own page. Raises Http404 if there is no such game or page."""
    if game not in GAMES:
        raise Http404
    template = f"games/{game}/{name}.html"
    try:
        get_template(template)
    except TemplateDoesNotExist:
        raise Http404 from None
    return template
