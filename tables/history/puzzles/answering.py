"""Answers to puzzles: judged for everybody, rated once for each player.

Who solves a puzzle has won against it. Both ratings are Glicko-2 (docs/ratings.md), each from the
other as it was before. What is asked without an account is judged and not stored.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.engine.puzzles import BadAnswer
from games.registry import get_game
from tables.models import LONGEST_ANSWER, Puzzle, PuzzleAnswer, PuzzleRating
from tables.ranking.glicko import Encounter, Rating, rated
from tables.ranking.ratings import PERIOD
from tables.refusals import Refusal


class NoAnswer(Refusal):
    code = "no_answer"
    sentence = _("This is no answer to the puzzle. Choose again.")


class NoSuchPuzzle(Refusal):
    code = "no_such_puzzle"
    sentence = _("This puzzle is not asked any more. Take the next one.")


@dataclass(frozen=True, slots=True)
class Judged:
    answer: str
    is_right: bool
    # In points of the deal against the best answer.
    loss: float
    # The player's rating, where the answer counted; `is_first`: it counted just now.
    before: float | None = None
    after: float | None = None
    is_first: bool = False


def judge_answer(puzzle: Puzzle, answer: str) -> Judged:
    """Without any trace. Raises NoAnswer."""
    puzzles = get_game(puzzle.game).puzzles
    if puzzles is None or len(answer) > LONGEST_ANSWER:
        raise NoAnswer
    task: Any = puzzle.task
    solution: Any = puzzle.solution
    try:
        judged: Any = puzzles.judge(puzzle.kind, task, solution, answer)
    except BadAnswer:
        raise NoAnswer from None
    return Judged(answer, judged["right"], judged["loss"])


@transaction.atomic
def answer_puzzle(*, user_id: int, puzzle_id: int, answer: str) -> Judged:
    """The first answer of a player counts; asked again it is the first one, whatever is sent.

    Raises NoSuchPuzzle or NoAnswer; then nothing has changed.
    """
    # One answer of a player at a time, then one answer to a puzzle.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
    puzzle = Puzzle.objects.select_for_update(no_key=True).filter(pk=puzzle_id).first()
    if puzzle is None:
        raise NoSuchPuzzle
    known = own_answer(puzzle_id, user_id)
    if known is not None:
        return known
    if puzzle.retired_at is not None:
        raise NoSuchPuzzle
    judged = judge_answer(puzzle, answer)
    now = timezone.now()
    before, after = _rate(puzzle, user_id, is_right=judged.is_right, now=now)
    PuzzleAnswer.objects.create(
        puzzle=puzzle,
        user_id=user_id,
        answer=answer,
        is_right=judged.is_right,
        loss=judged.loss,
        daily_on=puzzle.daily_on if puzzle.daily_on == timezone.localdate(now) else None,
        value_before=before.value,
        value=after.value,
    )
    return Judged(answer, judged.is_right, judged.loss, before.value, after.value, is_first=True)


def own_answer(puzzle_id: int, user_id: int) -> Judged | None:
    """Return this player's judged answer to the puzzle."""
    found = PuzzleAnswer.objects.filter(puzzle=puzzle_id, user=user_id).first()
    if found is None:
        return None
    return Judged(found.answer, found.is_right, found.loss, found.value_before, found.value)


def _rate(puzzle: Puzzle, user_id: int, *, is_right: bool, now: datetime) -> tuple[Rating, Rating]:
    """The player's rating before and after."""
    row = PuzzleRating.objects.filter(user=user_id, game=puzzle.game).first()
    own = Rating() if row is None else _rating(row)
    asked = _rating(puzzle)
    periods = 0.0 if row is None else max(0.0, (now - row.rated_at) / PERIOD)
    after = rated(own, [Encounter(asked, float(is_right))], periods=periods)
    if row is None:
        row = PuzzleRating(user_id=user_id, game=puzzle.game)
    _count(row, after, is_right=is_right)
    row.rated_at = now
    row.save()
    # A puzzle does not change while nobody looks at it.
    _count(
        puzzle, rated(asked, [Encounter(own, float(not is_right))], periods=0), is_right=is_right
    )
    puzzle.save(update_fields=["value", "deviation", "volatility", "answers", "right"])
    return own, after


def _rating(row: Puzzle | PuzzleRating) -> Rating:
    return Rating(row.value, row.deviation, row.volatility)


def _count(row: Puzzle | PuzzleRating, rating: Rating, *, is_right: bool) -> None:
    row.value, row.deviation = rating.value, rating.deviation
    row.volatility = rating.volatility
    row.answers += 1
    row.right += is_right
