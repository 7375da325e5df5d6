"""A puzzle as its page shows it: cards with their names, sentences in the reader's language."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.base import Text
from games.registry import get_game
from tables.catalog import template_of, title_of_game, translated
from tables.history.puzzles.answering import Judged
from tables.models import Puzzle
from tables.models.ratings import rating_text
from tables.page.texts import card_texts


def shown(puzzle: Puzzle, judged: Judged | None) -> dict[str, Any]:
    """The answer is in it only for who has given one."""
    task: Any = puzzle.task
    puzzles = get_game(puzzle.game).puzzles
    cards = _Cards(task.get("wild_rank"))
    context: dict[str, Any] = {
        "puzzle": puzzle,
        "game": title_of_game(puzzle.game),
        "title": "" if puzzles is None else translated(puzzles.kinds[puzzle.kind]),
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
    return translated(Text(told["message"], told["values"]))


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
