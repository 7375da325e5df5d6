"""The puzzle rush: three minutes in which to solve as many puzzles of a game as possible, easiest first.

Answers are judged as usual, and change no rating. A player has at most one running rush, and can answer each of its
puzzles once.
"""

import random
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.refusals import Refusal, RefusalKind
from core.values.local_days import compute_day_start
from history.models import Puzzle, PuzzleRush
from history.puzzles.answering import Judged, judge_answer, live_puzzles

LASTS: Final = timedelta(minutes=3)
MOST_WRONG: Final = 3
# Choose the next puzzle from this many of the easiest remaining ones.
_AMONG: Final = 5
# An answer that was on its way when time ran out still counts.
_GRACE: Final = timedelta(seconds=2)


NO_PUZZLES: Final = RefusalKind(
    "no_puzzles", _("There are no puzzles for a rush yet. Choose another game.")
)


@dataclass(frozen=True, slots=True)
class Bests:
    """The number of right answers in a player's best rush of a game: of all time, and of today (or None)."""

    ever: int
    today: int | None


def filter_quick_puzzles(game: str) -> QuerySet[Puzzle]:
    """Return the puzzles of a game that are answered by a single choice."""
    return _filter_quick_puzzles().filter(game=game)


def _filter_quick_puzzles() -> QuerySet[Puzzle]:
    return live_puzzles().filter(solution__has_key="options")


def list_games_with_quick_puzzles() -> set[str]:
    return set(_filter_quick_puzzles().values_list("game", flat=True).order_by().distinct())


def get_asked_puzzle(rush: PuzzleRush) -> Puzzle:
    """Return the puzzle that a running rush shows now."""
    return Puzzle.objects.get(pk=rush.asked[-1])


def get_running_rush(user_id: int) -> PuzzleRush | None:
    return PuzzleRush.objects.filter(user=user_id, ends_at__gt=timezone.now()).last()


def get_last_rush(user_id: int) -> PuzzleRush | None:
    return PuzzleRush.objects.filter(user=user_id).order_by("pk").last()


@transaction.atomic
def begin_rush(*, user_id: int, game: str) -> PuzzleRush:
    """End the player's running rush, if any, and begin another. Raises NO_PUZZLES; then nothing has changed."""
    _lock(user_id)
    now = timezone.now()
    first = _choose_next(game, [])
    if first is None:
        raise Refusal(NO_PUZZLES)
    PuzzleRush.objects.filter(user=user_id, ends_at__gt=now).update(ends_at=now)
    return PuzzleRush.objects.create(
        user_id=user_id, game=game, began_at=now, ends_at=now + LASTS, asked=[first.pk]
    )


@transaction.atomic
def answer_in_rush(*, user_id: int, rush_id: int, puzzle_id: int, answer: str) -> Judged | None:
    """Judge the answer and go on to the next puzzle. Raises NO_ANSWER.

    Return None if time is up, or if the rush does not show this puzzle now; then nothing has changed.
    """
    _lock(user_id)
    rush = PuzzleRush.objects.filter(pk=rush_id, user=user_id).first()
    now = timezone.now()
    if rush is None or now > rush.ends_at + _GRACE or rush.asked[-1] != puzzle_id:
        return None
    judged = judge_answer(Puzzle.objects.get(pk=puzzle_id), answer)
    rush.right += judged.is_right
    rush.wrong += not judged.is_right
    rush.results.append(judged.is_right)
    following = _choose_next(rush.game, rush.asked) if rush.wrong < MOST_WRONG else None
    if following is None:
        rush.ends_at = min(rush.ends_at, now)
        # 0 is no puzzle, so that the last one cannot be answered again.
        rush.asked.append(0)
    else:
        rush.asked.append(following.pk)
    rush.save()
    return judged


def get_bests(user_id: int) -> dict[str, Bests]:
    """Return a mapping from game to the player's best results, for each game of which they have played a rush."""
    midnight = compute_day_start(timezone.localdate())
    rows = (
        PuzzleRush.objects.filter(user=user_id)
        .values("game")
        .annotate(ever=Max("right"), today=Max("right", filter=Q(began_at__gte=midnight)))
    )
    return {row["game"]: Bests(row["ever"], row["today"]) for row in rows}


def is_best_rush(rush: PuzzleRush) -> bool:
    """Return whether this rush has more right answers than each earlier rush of the player in the same game.

    It is False for the player's first rush.
    """
    before = PuzzleRush.objects.filter(user=rush.user_id, game=rush.game, pk__lt=rush.pk)
    most = before.aggregate(most=Max("right"))["most"]
    return most is not None and rush.right > most


def _lock(user_id: int) -> None:
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)


def _choose_next(game: str, asked: list[int]) -> Puzzle | None:
    left = list(filter_quick_puzzles(game).exclude(pk__in=asked).order_by("value", "pk")[:_AMONG])
    return random.choice(left) if left else None  # noqa: S311 - no secret
