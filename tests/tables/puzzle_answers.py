"""Answers to puzzles."""

from history.models import Puzzle
from history.puzzles.answering import answer_puzzle, get_daily_puzzle
from tests.given import require


def get_puzzle(kind, game="indian"):
    """Return the first puzzle of this kind."""
    return Puzzle.objects.filter(game=game, kind=kind).order_by("pk").first()


def right_answer(puzzle):
    solution = puzzle.solution
    if "right" in solution:
        return solution["right"][0]
    return "|".join(" ".join(group["cards"]) for group in solution["groups"])


def wrong_answer(puzzle):
    solution = puzzle.solution
    return solution["options"][-1]["answer"] if "right" in solution else ""


def answer_rightly(player, puzzle):
    return answer_puzzle(user_id=player.pk, puzzle_id=puzzle.pk, answer=right_answer(puzzle))


def get_daily(user_id=None):
    return require(get_daily_puzzle(user_id))
