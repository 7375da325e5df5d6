"""Puzzles: the one of the day, the next of a kind, and each with its answer. No account is needed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.engine.base import Text
from games.registry import GAMES, get_game
from tables.catalog import WHOLE_NUMBER, template_of, title_of_game, translate
from tables.history.puzzles import answering
from tables.history.puzzles.answering import Judged, answer_puzzle, judge_answer, own_answer
from tables.history.puzzles.making import kinds
from tables.models import Puzzle
from tables.models.ratings import rating_text
from tables.page.texts import card_texts
from tables.refusals import Refusal


def puzzle_view(puzzle: Puzzle, judged: Judged | None) -> dict[str, Any]:
    """The answer is in it only for who has given one."""
    task: Any = puzzle.task
    puzzles = get_game(puzzle.game).puzzles
    cards = _Cards(task.get("wild_rank"))
    context: dict[str, Any] = {
        "puzzle": puzzle,
        "game": title_of_game(puzzle.game),
        "title": "" if puzzles is None else translate(puzzles.kinds[puzzle.kind]),
        "task": {
            **task,
            "wild": cards.one(task["wild"]),
            "hand": cards.all(task["hand"]),
            "open": cards.one(task["open"]) if task.get("open") else None,
            "threw": cards.all(task.get("threw", ())),
            "others": [
                {"threw": cards.all(other["threw"]), "took": cards.all(other["took"])}
                for other in task.get("others", ())
            ],
        },
        "asked": template_of(puzzle.game, f"puzzles/{puzzle.kind}"),
        "judged": judged,
    }
    if judged is not None:
        context |= {
            "answered": template_of(puzzle.game, f"puzzles/{puzzle.kind}_answer"),
            "solution": _solution(puzzle, judged, cards),
            "puzzle_rating": rating_text(puzzle.value, puzzle.deviation),
        }
    else:
        allowed = _answers(puzzle)
        context["answers"] = allowed
        context["barred"] = [
            card for card in context["task"]["hand"] if card["face"] not in allowed
        ]
    return context


def _answers(puzzle: Puzzle) -> frozenset[str]:
    """Return the possible choices, where there is a choice."""
    solution: Any = puzzle.solution
    return frozenset(option["answer"] for option in solution.get("options", ()))


def _solution(puzzle: Puzzle, judged: Judged, cards: "_Cards") -> dict[str, Any]:
    solution: Any = puzzle.solution
    if "groups" in solution:
        return {
            **solution,
            "groups": [
                {"cards": cards.all(group["cards"]), "title": _told(group["title"])}
                for group in solution["groups"]
            ],
            "loose": cards.all(solution["loose"]),
            "own_points": round(solution["points"] + judged.loss),
            "own_groups": [
                cards.all(group.split()) for group in judged.answer.split("|") if group.strip()
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
        "card": cards.one(answer) if cards.is_face(answer) else None,
        "reasons": [_told(reason) for reason in option["reasons"]],
        "is_right": answer in solution["right"],
        "is_own": answer == judged.answer,
    }


def _told(told: Mapping[str, Any]) -> str:
    return translate(Text(told["message"], told["values"]))


class _Cards:
    def __init__(self, wild_rank: str | None) -> None:
        self.wild_rank = wild_rank
        self.texts = card_texts()

    def is_face(self, text: str) -> bool:
        return text == "PJ" or f"suit_{text[1:]}" in self.texts

    def all(self, faces: Sequence[str]) -> list[dict[str, Any]]:
        return [self.one(face) for face in faces]

    def one(self, face: str) -> dict[str, Any]:
        """As templates/_card.html takes it, with its name in words."""
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


@never_cache
@require_safe
def puzzles(request: HttpRequest) -> HttpResponse:
    user_id = request.user.pk
    counts = answering.counts()
    games = dict.fromkeys(game for game, _kind in kinds())
    context = {
        "daily": answering.daily_puzzle(user_id),
        "games": [
            {
                "code": game,
                "title": title_of_game(game),
                "kinds": _kinds(game, counts),
                "standing": None if user_id is None else answering.standing(user_id, game),
            }
            for game in games
        ],
    }
    return render(request, "history/puzzles/index.html", context)


def _kinds(game: str, counts: Any) -> list[dict[str, Any]]:
    offered = GAMES[game].puzzles
    titles = {} if offered is None else offered.kinds
    return [
        {"code": kind, "title": translate(title), "count": counts.get((game, kind), 0)}
        for kind, title in titles.items()
    ]


@never_cache
@require_safe
def daily(request: HttpRequest) -> HttpResponse:
    """An address that stays; the puzzle behind it is another one each day."""
    found = answering.daily_puzzle()
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
    found = answering.next_puzzle(game=game, kind=kind, user_id=request.user.pk, after=int(after))
    if found is None:
        messages.info(request, _("You have answered all of these. New ones come every day."))
        return redirect("puzzles")
    return redirect("puzzle", found.pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest, puzzle_id: int) -> HttpResponse:
    """Answered by POST: a player's first answer counts and stays, any other is judged alone."""
    found = answering.puzzle_to_show(puzzle_id)
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
