"""Puzzles: the one of the day, the next of a kind, and each with its answer. No account is needed."""

import re
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.registry import GAMES
from tables.catalog import WHOLE_NUMBER, title_of_game, translated
from tables.history.puzzles import selectors
from tables.history.puzzles.answering import answer_puzzle, judge_answer, own_answer
from tables.history.puzzles.making import kinds
from tables.history.puzzles.showing import shown
from tables.models import Puzzle
from tables.refusals import Refusal


@never_cache
@require_safe
def puzzles(request: HttpRequest) -> HttpResponse:
    user_id = request.user.pk
    counts = selectors.counts()
    games = dict.fromkeys(game for game, _kind in kinds())
    context = {
        "daily": selectors.daily_puzzle(user_id),
        "games": [
            {
                "code": game,
                "title": title_of_game(game),
                "kinds": _kinds(game, counts),
                "standing": None if user_id is None else selectors.standing(user_id, game),
            }
            for game in games
        ],
    }
    return render(request, "history/puzzles/index.html", context)


def _kinds(game: str, counts: Any) -> list[dict[str, Any]]:
    offered = GAMES[game].puzzles
    titles = {} if offered is None else offered.kinds
    return [
        {"code": kind, "title": translated(title), "count": counts.get((game, kind), 0)}
        for kind, title in titles.items()
    ]


@never_cache
@require_safe
def daily(request: HttpRequest) -> HttpResponse:
    """An address that stays; the puzzle behind it is another one each day."""
    found = selectors.daily_puzzle()
    if found is None:
        return redirect("puzzles")
    return redirect("puzzle", found.puzzle.pk)


@never_cache
@require_safe
def next_puzzle(request: HttpRequest) -> HttpResponse:
    """Show the next puzzle of a game and, with `kind`, of this kind alone. `after` is the one shown last."""
    game, kind = request.GET.get("game", ""), request.GET.get("kind", "")
    after = request.GET.get("after", "0")
    if (game, kind) not in kinds() and (kind or game not in dict(kinds())):
        raise Http404
    if not re.fullmatch(WHOLE_NUMBER, after):
        raise Http404
    found = selectors.next_puzzle(game=game, kind=kind, user_id=request.user.pk, after=int(after))
    if found is None:
        messages.info(request, _("You have answered all of these. New ones come every day."))
        return redirect("puzzles")
    return redirect("puzzle", found.pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest, puzzle_id: int) -> HttpResponse:
    """Answered by POST: a player's first answer counts and stays, any other is judged alone."""
    found = selectors.puzzle_to_show(puzzle_id)
    if found is None:
        raise Http404
    if request.method == "POST":
        return _answered(request, found)
    user_id = request.user.pk
    judged = None if user_id is None else own_answer(puzzle_id, user_id)
    return _page(request, shown(found, judged))


def _answered(request: HttpRequest, found: Puzzle) -> HttpResponse:
    answer = request.POST.get("answer", "")
    try:
        if request.user.pk is None:
            return _page(request, shown(found, judge_answer(found, answer)))
        answer_puzzle(user_id=request.user.pk, puzzle_id=found.pk, answer=answer)
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("puzzle", found.pk)


def _page(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    return render(request, "history/puzzles/puzzle.html", context)
