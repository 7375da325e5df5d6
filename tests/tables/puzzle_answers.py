"""Answers to puzzles."""

from tables.history.puzzles.answering import get_daily_puzzle
from tables.models import Puzzle


def of_kind(kind, game="indian"):
    return Puzzle.objects.filter(game=game, kind=kind).order_by("pk").first()


def right_answer(puzzle):
    solution = puzzle.solution
    if "right" in solution:
        return solution["right"][0]
    return "|".join(" ".join(group["cards"]) for group in solution["groups"])


def wrong_answer(puzzle):
    solution = puzzle.solution
    return solution["options"][-1]["answer"] if "right" in solution else ""


def daily(user_id=None):
    found = get_daily_puzzle(user_id)
    assert found is not None
    return found
