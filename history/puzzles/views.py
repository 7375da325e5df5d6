"""Puzzle pages: the daily puzzle, the next of a kind, and each puzzle with its solution. They need no account."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from core.refusals import Refusal
from games.engine.base import Text
from games.registry import GAMES, get_game
from history.models import Puzzle, PuzzleRush
from history.puzzles import answering
from history.puzzles.answering import (
    Judged,
    answer_puzzle,
    judge_answer,
    own_answer,
)
from history.puzzles.making import list_kinds
from history.puzzles.pieces import Cards, find_pieces, group_by_suit
from history.puzzles.rush import (
    MOST_WRONG,
    answer_in_rush,
    begin_rush,
    get_asked_puzzle,
    get_bests,
    get_last_rush,
    get_running_rush,
    is_best_rush,
    list_games_with_quick_puzzles,
)
from history.puzzles.verdicts import word_verdict
from tables.catalog import WHOLE_NUMBER, list_art_templates, title_of_game, translate


def puzzle_view(puzzle: Puzzle, judged: Judged | None) -> dict[str, Any]:
    """Return a puzzle's context. It contains the solution only for viewers who have answered."""
    task: Any = puzzle.task
    puzzles = get_game(puzzle.game).puzzles
    if puzzles is None:
        raise Http404
    kind = puzzles.kinds[puzzle.kind]
    cards = find_pieces(puzzle)
    form = "choice" if kind.answers else "cards" if "options" in puzzle.solution else "groups"
    context: dict[str, Any] = {
        "puzzle": puzzle,
        "game": title_of_game(puzzle.game),
        "title": translate(kind.title),
        "asks": _translate({"message": kind.asks.message, "values": task}),
        "rating": round(puzzle.value),
        "choices": [
            (answer, translate(label)) for answer, (label, _better) in kind.answers.items()
        ],
        "task": _task(task, cards),
        "form": form,
        "asked_by": f"history/puzzles/_{form}.html",
        "judged": judged,
    }
    if judged is not None:
        context |= {
            "answered_by": "" if form == "groups" else f"history/puzzles/_{form}_answer.html",
            "solution": _solution(puzzle, judged, cards),
            "verdict": word_verdict(puzzle, judged),
        }
        if judged.before is not None and judged.after is not None:
            context["rated"] = {"before": round(judged.before), "after": round(judged.after)}
        if form == "cards":
            _mark_answers(context["task"]["hand_groups"], context["solution"])
    else:
        allowed = _answers(puzzle)
        context["answers"] = allowed
        context["barred"] = [
            card for card in context["task"]["hand"] if card["face"] not in allowed
        ]
    return context


def describe_hand(puzzle: Puzzle) -> list[dict[str, Any]]:
    """Describe the cards or tiles in the hand of the player to move."""
    task: Any = puzzle.task
    return find_pieces(puzzle).describe_all(task["hand"])


def _task(task: Mapping[str, Any], cards: Cards) -> dict[str, Any]:
    """Return the task with its cards or tiles described for templates. Tiles on the table are listed as `builds`."""
    table = [cards.describe_all(meld) for meld in task.get("table", ())]
    hand = cards.describe_all(task["hand"])
    return {
        **task,
        "wild": cards.describe(task["wild"]) if task.get("wild") else None,
        "hand": hand,
        "hand_groups": group_by_suit(hand),
        "open": cards.describe(task["open"]) if task.get("open") else None,
        "threw": cards.describe_all(task.get("threw", ())),
        "others": [
            {"threw": cards.describe_all(other["threw"]), "took": cards.describe_all(other["took"])}
            for other in task.get("others", ())
        ],
        "notes": [_translate(note) for note in task.get("notes", ())],
        "table": [] if task.get("tiles") else table,
        "builds": table if task.get("tiles") else [],
    }


def _answers(puzzle: Puzzle) -> frozenset[str]:
    """Return the possible choices; empty if the puzzle is not answered by a choice."""
    solution: Any = puzzle.solution
    return frozenset(option["answer"] for option in solution.get("options", ()))


def _solution(puzzle: Puzzle, judged: Judged, cards: Cards) -> dict[str, Any]:
    solution: Any = puzzle.solution
    if "groups" in solution:
        return {
            **solution,
            "groups": [
                {
                    "cards": cards.describe_all(group["cards"]),
                    "title": _translate(group["title"]) if "title" in group else "",
                }
                for group in solution["groups"]
            ],
            "loose": cards.describe_all(solution["loose"]),
            **_describe_own(puzzle.task, judged, cards),
        }
    options = [_option(option, solution, judged, cards) for option in solution["options"]]
    return {
        **solution,
        "best": options[0],
        "own": next(option for option in options if option["is_own"]),
        "options": options,
    }


def _describe_own(task: Any, judged: Judged, cards: Cards) -> dict[str, Any]:
    """Return the groups in the player's answer, and the cards or tiles that are in none of them."""
    groups = [group.split() for group in judged.answer.split("|") if group.strip()]
    laid = Counter(face for group in groups for face in group)
    lying = [face for meld in task.get("table", ()) for face in meld] if task.get("tiles") else []
    left = Counter([*lying, *task["hand"]]) - laid
    return {
        "own_groups": [
            {"cards": cards.describe_all(group), "title": _("Group %(number)s") % {"number": at}}
            for at, group in enumerate(groups, start=1)
        ],
        "own_loose": cards.describe_all(list(left.elements())),
    }


def _option(
    option: Mapping[str, Any], solution: Mapping[str, Any], judged: Judged, cards: Cards
) -> dict[str, Any]:
    answer = option["answer"]
    return {
        **option,
        "card": cards.describe(answer) if cards.is_face(answer) else None,
        "reasons": [_translate(reason) for reason in option["reasons"]],
        "is_right": answer in solution["right"],
        "is_own": answer == judged.answer,
    }


def _mark_answers(groups: Sequence[Sequence[dict[str, Any]]], solution: Mapping[str, Any]) -> None:
    """Mark the player's discard, and the best discard if it is better. Of equal cards the first one is marked."""
    hand = [card for group in groups for card in group]
    for name in ("best", "own") if solution["own"]["loss"] else ("own",):
        face = solution[name]["answer"]
        next(card for card in hand if card["face"] == face)["mark"] = name


def _translate(told: Mapping[str, Any]) -> str:
    return translate(Text(told["message"], told["values"]))


@never_cache
@require_safe
def puzzles(request: HttpRequest) -> HttpResponse:
    user_id = request.user.pk
    counts = answering.count_puzzles()
    games = dict.fromkeys(game for game, _kind in list_kinds())
    daily = answering.get_daily_puzzle(user_id)
    context = {
        "daily_puzzle": daily,
        "puzzle_cards": [] if daily is None else describe_hand(daily.puzzle),
        "games": [
            {
                "code": game,
                "title": title_of_game(game),
                "art": list_art_templates(game),
                "kinds": _kinds(game, counts),
                "standing": None if user_id is None else answering.get_standing(user_id, game),
            }
            for game in games
        ],
    }
    return render(request, "history/puzzles/index.html", context)


def _kinds(game: str, counts: Any) -> list[dict[str, Any]]:
    offered = GAMES[game].puzzles
    kinds = {} if offered is None else offered.kinds
    return [
        {"code": code, "title": translate(kind.title), "count": counts.get((game, code), 0)}
        for code, kind in kinds.items()
    ]


@never_cache
@require_safe
def daily(request: HttpRequest) -> HttpResponse:
    """Redirect a permanent address to the puzzle of the day."""
    found = answering.get_daily_puzzle()
    if found is None:
        return redirect("puzzles")
    return redirect("puzzle", found.puzzle.pk)


@never_cache
@require_safe
def next_puzzle(request: HttpRequest) -> HttpResponse:
    """Show the next puzzle of a game, or the next one of `kind` if that is given.

    `after` is the id of the puzzle that was shown last.
    """
    game, kind = request.GET.get("game", ""), request.GET.get("kind", "")
    after = request.GET.get("after", "0")
    if (game, kind) not in list_kinds() and (kind or game not in dict(list_kinds())):
        raise Http404
    if not re.fullmatch(WHOLE_NUMBER, after):
        raise Http404
    found = answering.find_next_puzzle(
        game=game, kind=kind, user_id=request.user.pk, after=int(after)
    )
    if found is None:
        messages.info(
            request, _("You have answered all puzzles of this kind. New ones are added every day.")
        )
        return redirect("puzzles")
    return redirect("puzzle", found.pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rush(request: HttpRequest) -> HttpResponse:
    """Show the player's running rush with its puzzle.

    Without one, show their previous result and the games to choose from.
    """
    if request.user.pk is None:
        return redirect_to_login(request.get_full_path())
    if request.method == "POST":
        return _go_on(request, request.user.pk)
    running = get_running_rush(request.user.pk)
    if running is None:
        return render(request, "history/puzzles/rush.html", _describe_rushes(request.user.pk))
    context = {
        **puzzle_view(get_asked_puzzle(running), None),
        "rush": running,
        "results": _list_results(running),
        "most_wrong": MOST_WRONG,
    }
    return render(request, "history/puzzles/rushing.html", context)


def _go_on(request: HttpRequest, user_id: int) -> HttpResponse:
    game = request.POST.get("game")
    try:
        if game is not None:
            begin_rush(user_id=user_id, game=game)
            return redirect("puzzle_rush")
        rush_id, puzzle_id = (request.POST.get(name, "") for name in ("rush", "puzzle"))
        if not (re.fullmatch(WHOLE_NUMBER, rush_id) and re.fullmatch(WHOLE_NUMBER, puzzle_id)):
            raise Http404
        answer = request.POST.get("answer", "")
        judged = answer_in_rush(
            user_id=user_id, rush_id=int(rush_id), puzzle_id=int(puzzle_id), answer=answer
        )
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        if judged is not None:
            verdict = word_verdict(answering.get_puzzle(int(puzzle_id)), judged)
            tell = messages.success if judged.is_right else messages.warning
            tell(request, f"{verdict.heading} · {verdict.sentence}")
    return redirect("puzzle_rush")


def _list_results(rush: PuzzleRush) -> list[tuple[int | None, bool]]:
    """Return, for each answered puzzle, its id and whether it was solved.

    The id is None if the puzzle no longer has a page.
    """
    shown = answering.filter_shown(rush.asked)
    answered = zip(rush.asked, rush.results, strict=False)
    return [(number if number in shown else None, is_right) for number, is_right in answered]


def _describe_rushes(user_id: int) -> dict[str, Any]:
    games = dict.fromkeys(game for game, _kind in list_kinds())
    offered = list_games_with_quick_puzzles()
    last, own = get_last_rush(user_id), get_bests(user_id)
    return {
        "last": last,
        "results": [] if last is None else _list_results(last),
        "most_wrong": MOST_WRONG,
        # Whether the last rush beat all earlier ones.
        "is_best": last is not None and is_best_rush(last),
        "last_game": None if last is None else title_of_game(last.game),
        "games": [
            {"code": game, "title": title_of_game(game), "bests": own.get(game)}
            for game in games
            if game in offered
        ],
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest, puzzle_id: int) -> HttpResponse:
    """Show a puzzle, and judge answers sent by POST. A player's first answer is rated and stored."""
    found = answering.find_puzzle(puzzle_id)
    if found is None:
        raise Http404
    if request.method == "POST":
        return _answer_page(request, found)
    user_id = request.user.pk
    judged = None if user_id is None else own_answer(puzzle_id, user_id)
    return _page(request, puzzle_view(found, judged))


def _answer_page(request: HttpRequest, found: Puzzle) -> HttpResponse:
    answer = request.POST.get("answer", "")
    try:
        if request.user.pk is None:
            return _page(request, puzzle_view(found, judge_answer(found, answer)))
        answer_puzzle(user_id=request.user.pk, puzzle_id=found.pk, answer=answer)
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("puzzle", found.pk)


def _page(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    return render(request, "history/puzzles/puzzle.html", context)
