"""The guided first deal, the welcome after it, and the rule pages of each game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.faces import FACES
from accounts.models.users import PlayerRequest
from accounts.people.forms import FaceForm, set_face
from core.refusals import Refusal
from games.engine.guide import Guide
from games.registry import GAMES
from tables.catalog import (
    build_template_path,
    get_default_game,
    has_template,
    list_offered_games,
    title_of_format,
    title_of_game,
    translate,
    translate_texts,
)
from tables.house_rules.facts import compare_presets, list_columns, rules_at
from tables.learning.lessons import begin_as_guest, begin_lesson, has_played
from tables.learning.welcome import find_kept
from tables.seating.hosting.invitations import get_remembered_invitation, invite_in, player_at
from tables.seating.selectors import may_see
from wallet import money

# Service fee in the examples of guides; each table shows its own.
EXAMPLE_FEE_BPS: Final = 1_000
# The pages of every guide: headings, and the parts that each shows.
GUIDE_TOPICS: Final = {
    "tips": _("Quick tips"),
    "terms": _("Terms"),
    "claims": _("Right and wrong"),
    "winnings": _("Winnings"),
    "print": _("Print version"),
}
# Kept for links of version 0.2.
OLDER_NAME_OF_CLAIMS: Final = "declarations"
GUIDE_PARTS: Final[Mapping[str, Callable[[Guide, Mapping[str, Any]], Mapping[str, Any]]]] = {
    "tips": lambda guide, rules: {"tips": guide.tips(rules)},
    "terms": lambda guide, rules: {"terms": guide.terms(rules)},
    "claims": lambda guide, rules: {"about": guide.about_claims(rules), "claims": guide.claims()},
    "winnings": lambda guide, _rules: {"examples": guide.examples(example_fee)},
    "print": lambda guide, rules: {"tips": guide.tips(rules)},
}


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the rules of the default game."""
    return rules_of_game(request, get_default_game().code)


@require_safe
def show_rules(request: HttpRequest, name: str) -> HttpResponse:
    """Show the rules of a game, or of a format of the default game, as older addresses name it."""
    if name in GAMES:
        return rules_of_game(request, name)
    return rules_of_format(request, get_default_game().code, name)


def rules_of_game(request: HttpRequest, game: str) -> HttpResponse:
    page = page_of_game(game, "rules")
    return render(request, page, _frame(game))


def _frame(game: str) -> dict[str, Any]:
    """Return the context that all pages about a game's rules share."""
    return {
        "game": game,
        "games": games_with("rules"),
        "title": title_of_game(game),
        "formats": [(one.code.lower(), translate(one.title)) for one in GAMES[game].formats],
        "topics": GUIDE_TOPICS if GAMES[game].guide is not None else {},
        "play": build_template_path(game, "rules/_play"),
    }


@require_safe
def rules_of_format(request: HttpRequest, game: str, format: str) -> HttpResponse:
    """Show the rules of one format with its numbers, or a page of the game's guide."""
    guide = GAMES[game].guide if game in GAMES else None
    if guide is not None and format == OLDER_NAME_OF_CLAIMS:
        return redirect("rules_of_format", game, "claims", permanent=True)
    if guide is not None and format in GUIDE_TOPICS:
        return guide_page(request, game, format, guide)
    page_of_game(game, "rules")  # there are pages of this game
    if format not in {one.code.lower() for one in GAMES[game].formats}:
        raise Http404
    context = {
        **_frame(game),
        "format": format,
        "format_title": title_of_format(game, format.upper()),
        "columns": list_columns(game, format.upper()),
        "facts": compare_presets(game, format.upper()),
    }
    own = build_template_path(game, "rules_of")
    return render(request, [own, "games/rules/format.html"], context)


def guide_page(request: HttpRequest, game: str, name: str, guide: Guide) -> HttpResponse:
    book = GAMES[game].rules
    usual = book.json(book.preset(GAMES[game].formats[0].presets[0]))
    context = {
        **_frame(game),
        "guide": name,
        "topic": GUIDE_TOPICS[name],
        "card": guide.card,
        "fee_percent": EXAMPLE_FEE_BPS // 100,
        **translate_texts(GUIDE_PARTS[name](guide, usual)),
    }
    return render(request, f"games/guide/{name}.html", context)


def example_fee(gross: int) -> int:
    return money.rake(gross, bps=EXAMPLE_FEE_BPS)


@require_safe
def table_rules(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show the rules of this table in numbers, and where they differ from the format's defaults."""
    player = player_at(request, table_id)
    invite = invite_in(request.GET) or get_remembered_invitation(request.session, table_id)
    if not may_see(table_id=table_id, user_id=player, invite=invite):
        raise Http404
    return render(request, "tables/rules.html", rules_at(table_id))


def games_with(name: str) -> Sequence[tuple[str, str]]:
    """Return the code and title of each offered game that has a page of this name."""
    return [
        (code, title_of_game(code)) for code in list_offered_games() if has_template(code, name)
    ]


def page_of_game(game: str, name: str) -> str:
    """Return the template of a game's own page. Raises Http404 if the game or the page does not exist."""
    if game not in GAMES:
        raise Http404
    if not has_template(game, name):
        raise Http404
    return build_template_path(game, name)


@never_cache
@require_safe
def learn(request: HttpRequest, game: str | None = None) -> HttpResponse:
    game = game or get_default_game().code
    page = page_of_game(game, "learn")
    user_id = request.user.pk
    context = {
        "has_played": user_id is not None and has_played(user_id),
        "game": game,
        "title": title_of_game(game),
        "games": games_with("learn"),
    }
    return render(request, page, context)


@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Seat the player at their own lesson table. A visitor without an account plays as a guest."""
    game = request.POST.get("game", get_default_game().code)
    if game not in list_offered_games():
        raise Http404
    try:
        if request.user.pk is None:
            table_id = begin_as_guest(request, game=game)
        else:
            table_id = begin_lesson(user_id=request.user.pk, game=game)
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect("learn_game", game)
    return redirect("table", table_id)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def welcome(request: PlayerRequest, table_id: int) -> HttpResponse:
    """Welcome a new account at the seat that it had as a guest. A POST stores the chosen face and returns to the table.

    If other players at the table are waiting for this player, redirect to the table at once.
    """
    kept = find_kept(user_id=request.user.pk, table_id=table_id)
    if kept is None:
        return redirect("lobby")
    if kept.others_go_on:
        words = gettext("Welcome, %(name)s. Your seat and your games are kept.")
        messages.success(request, words % {"name": request.user.player_name})
        return redirect("table", table_id)
    form = FaceForm(request.POST or None)
    if form.is_valid():
        set_face(user_id=request.user.pk, face=form.cleaned_data["face"])
        return redirect("table", table_id)
    if form.is_bound:
        messages.error(request, _("Choose one of the faces."))
    context = {"kept": kept, "faces": FACES.items()}
    return render(request, "tables/welcome.html", context)
