"""Puzzles: the daily one, the next of a kind, and each with its solution. No account is needed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

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
from history.models import Puzzle
from history.puzzles import answering
from history.puzzles.answering import (
    Judged,
    answer_puzzle,
    count_tiles_laid,
    judge_answer,
    own_answer,
)
from history.puzzles.making import list_kinds
from history.puzzles.rush import (
    MOST_WRONG,
    answer_in_rush,
    begin_rush,
    get_asked_puzzle,
    get_bests,
    get_last_rush,
    get_running_rush,
    list_games_with_quick_puzzles,
)
from tables.catalog import WHOLE_NUMBER, title_of_game, translate
from tables.texts import card_texts


def puzzle_view(puzzle: Puzzle, judged: Judged | None) -> dict[str, Any]:
    """Return a puzzle's context. It contains the solution only for viewers who have answered."""
    task: Any = puzzle.task
    puzzles = get_game(puzzle.game).puzzles
    if puzzles is None:
        raise Http404
    kind = puzzles.kinds[puzzle.kind]
    cards = _find_pieces(puzzle)
    form = "choice" if kind.answers else "cards" if "options" in puzzle.solution else "groups"
    context: dict[str, Any] = {
        "puzzle": puzzle,
        "game": title_of_game(puzzle.game),
        "title": translate(kind.title),
        "asks": _translate({"message": kind.asks.message, "values": task}),
        "choices": [
            (answer, translate(label)) for answer, (label, _better) in kind.answers.items()
        ],
        "task": _task(task, cards),
        "asked_by": f"history/puzzles/_{form}.html",
        "judged": judged,
    }
    if judged is not None:
        context |= {
            "answered_by": f"history/puzzles/_{form}_answer.html",
            "solution": _solution(puzzle, judged, cards),
            "puzzle_rating": round(puzzle.value),
        }
        if kind.answers:
            label, better = kind.answers[puzzle.solution["right"][0]]
            context |= {"chosen": translate(label), "better": translate(better)}
    else:
        allowed = _answers(puzzle)
        context["answers"] = allowed
        context["barred"] = [
            card for card in context["task"]["hand"] if card["face"] not in allowed
        ]
    return context


def describe_hand(puzzle: Puzzle) -> list[dict[str, Any]]:
    """Describe the pieces that the asked player holds."""
    task: Any = puzzle.task
    return _find_pieces(puzzle).describe_all(task["hand"])


def _find_pieces(puzzle: Puzzle) -> "_Cards":
    task: Any = puzzle.task
    return _tiles(puzzle.game) if task.get("tiles") else _Cards(task.get("wild_rank"))


def _task(task: Mapping[str, Any], cards: "_Cards") -> dict[str, Any]:
    """Return the task with its pieces drawn. Tiles on the table are part of the laid melds."""
    table = [cards.describe_all(meld) for meld in task.get("table", ())]
    return {
        **task,
        "wild": cards.describe(task["wild"]) if task.get("wild") else None,
        "hand": cards.describe_all(task["hand"]),
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
    """Return the possible choices, if the puzzle has any."""
    solution: Any = puzzle.solution
    return frozenset(option["answer"] for option in solution.get("options", ()))


def _solution(puzzle: Puzzle, judged: Judged, cards: "_Cards") -> dict[str, Any]:
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
            "own_points": round(solution["points"] + judged.loss),
            "own_tiles": count_tiles_laid(puzzle, judged.answer)
            if "tiles" in puzzle.task
            else None,
            "own_groups": [
                cards.describe_all(group.split())
                for group in judged.answer.split("|")
                if group.strip()
            ],
        }
    options = [_option(option, solution, judged, cards) for option in solution["options"]]
    return {
        **solution,
        "best": options[0],
        "own": next(option for option in options if option["is_own"]),
        "options": options,
    }


def _option(
    option: Mapping[str, Any], solution: Mapping[str, Any], judged: Judged, cards: "_Cards"
) -> dict[str, Any]:
    answer = option["answer"]
    return {
        **option,
        "card": cards.describe(answer) if cards.is_face(answer) else None,
        "reasons": [_translate(reason) for reason in option["reasons"]],
        "is_right": answer in solution["right"],
        "is_own": answer == judged.answer,
    }


def _translate(told: Mapping[str, Any]) -> str:
    return translate(Text(told["message"], told["values"]))


class _Cards:
    def __init__(self, wild_rank: str | None) -> None:
        self.wild_rank = wild_rank
        self.texts = card_texts()

    def is_face(self, text: str) -> bool:
        return text == "PJ" or f"suit_{text[1:]}" in self.texts

    def describe_all(self, faces: Sequence[str]) -> list[dict[str, Any]]:
        return [self.describe(face) for face in faces]

    def describe(self, face: str) -> dict[str, Any]:
        """Describe a card as templates/_card.html takes it, with its name in words."""
        if face == "PJ":
            name = self.texts["printed_joker"]
            return {"face": face, "rank": "", "suit": "J", "wild": False, "name": name}
        rank, suit = face[0], face[1]
        wild = rank == self.wild_rank
        name = self.texts["card_queen" if rank == "Q" else "card"].format(
            rank=self.texts.get(f"rank_{rank}", ""), suit=self.texts[f"suit_{suit}"]
        )
        if wild:
            name = self.texts["card_wild"].format(card=name)
        return {"face": face, "rank": rank, "suit": suit, "wild": wild, "name": name}


_NUMBERS: Final = "A23456789TJQK"
# Black, red, orange, blue, as tables with tiles draw them.
_SHAPES: Final = {"S": "■", "H": "●", "D": "▲", "C": "◆"}


class _Tiles(_Cards):
    """Tiles as templates/history/puzzles/_card.html takes them, named by the game's own texts."""

    def __init__(self, words: Mapping[str, Text]) -> None:
        super().__init__(None)
        self.words = words

    def describe(self, face: str) -> dict[str, Any]:
        if face == "PJ":
            name = translate(self.words["tile_joker"])
            return {"face": face, "tile": "J", "number": "☺", "shape": "", "name": name}
        number, suit = _NUMBERS.index(face[0]) + 1, face[1]
        name = translate(self.words[f"tile_{suit}"]).format(number=number)
        shape = _SHAPES[suit]
        return {"face": face, "tile": suit, "number": number, "shape": shape, "name": name}


def _tiles(game: str) -> _Tiles:
    return _Tiles(get_game(game).words.texts)


@never_cache
@require_safe
def puzzles(request: HttpRequest) -> HttpResponse:
    user_id = request.user.pk
    counts = answering.count_puzzles()
    games = dict.fromkeys(game for game, _kind in list_kinds())
    context = {
        "daily": answering.get_daily_puzzle(user_id),
        "games": [
            {
                "code": game,
                "title": title_of_game(game),
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
    """Show the next puzzle of a game, or with `kind` only of this kind. `after` is the one shown last."""
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
        messages.info(request, _("You have answered all of these. New ones come every day."))
        return redirect("puzzles")
    return redirect("puzzle", found.pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rush(request: HttpRequest) -> HttpResponse:
    """Show the player's running rush with its puzzle, or the last result and the games to choose from."""
    if request.user.pk is None:
        return redirect_to_login(request.get_full_path())
    if request.method == "POST":
        return _go_on(request, request.user.pk)
    running = get_running_rush(request.user.pk)
    if running is None:
        return render(request, "history/puzzles/rush.html", _redirect_to_rush(request.user.pk))
    context = {
        **puzzle_view(get_asked_puzzle(running), None),
        "rush": running,
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
        is_right = answer_in_rush(
            user_id=user_id, rush_id=int(rush_id), puzzle_id=int(puzzle_id), answer=answer
        )
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        if is_right is not None:
            told = messages.success if is_right else messages.warning
            told(request, _("Right!") if is_right else _("Not the best"))
    return redirect("puzzle_rush")


def _redirect_to_rush(user_id: int) -> dict[str, Any]:
    games = dict.fromkeys(game for game, _kind in list_kinds())
    offered = list_games_with_quick_puzzles()
    last, own = get_last_rush(user_id), get_bests(user_id)
    return {
        "last": last,
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
    """Show a puzzle, and judge answers by POST. A player's first answer is rated and kept."""
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
