"""Answers to puzzles. Anybody's answer is judged; a player's first answer to a puzzle is also rated.

Solving a puzzle is rated as a win against it. Both ratings are Glicko-2 (docs/ratings.md), each updated from the
other's previous value. Answers without an account are not stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Abs
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.refusals import Refusal, RefusalKind
from games.engine.game import BadAnswer
from games.registry import get_game
from history.models import LONGEST_ANSWER, Puzzle, PuzzleAnswer, PuzzleRating
from players.ranking.glicko import Encounter, Rating, rate
from players.ranking.goals import record_puzzle
from players.ranking.ratings import PERIOD
from tables.catalog import list_offered_games
from tables.models.ratings import rating_text

NO_ANSWER: Final = RefusalKind(
    "no_answer", _("This is not a valid answer to the puzzle. Choose again.")
)
NO_SUCH_PUZZLE: Final = RefusalKind(
    "no_such_puzzle", _("This puzzle has been retired. Take the next one.")
)


@dataclass(frozen=True, slots=True)
class Judged:
    answer: str
    is_right: bool
    # Points lost against the best answer.
    loss: float
    # The player's rating if the answer was rated; `is_first` if it was rated just now.
    before: float | None = None
    after: float | None = None
    is_first: bool = False


def judge_answer(puzzle: Puzzle, answer: str) -> Judged:
    """Judge an answer without storing anything. Raises NO_ANSWER."""
    judged = _judge(puzzle, answer)
    return Judged(answer, judged["right"], judged["loss"])


def count_tiles_laid(puzzle: Puzzle, answer: str) -> int | None:
    """Return the number of tiles that an answer lays, or None if the table after it is invalid."""
    laid: int | None = _judge(puzzle, answer)["own"]
    return laid


def _judge(puzzle: Puzzle, answer: str) -> Any:
    puzzles = get_game(puzzle.game).puzzles
    if puzzles is None or len(answer) > LONGEST_ANSWER:
        raise Refusal(NO_ANSWER)
    task: Any = puzzle.task
    solution: Any = puzzle.solution
    try:
        return puzzles.judge(puzzle.kind, task, solution, answer)
    except BadAnswer:
        raise Refusal(NO_ANSWER) from None


@transaction.atomic
def answer_puzzle(*, user_id: int, puzzle_id: int, answer: str) -> Judged:
    """Store and rate a player's first answer. A later call returns the first one, whatever it sends.

    A puzzle that was answered in training may be answered once more when it is the puzzle of the day. That answer is
    included in the streak and is not rated. Raises NO_SUCH_PUZZLE or NO_ANSWER; then nothing has changed.
    """
    # Serialize the player's answers, then the answers to the puzzle.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
    puzzle = Puzzle.objects.select_for_update(no_key=True).filter(pk=puzzle_id).first()
    if puzzle is None:
        raise Refusal(NO_SUCH_PUZZLE)
    now = timezone.now()
    today = timezone.localdate(now)
    given = PuzzleAnswer.objects.filter(puzzle=puzzle_id, user=user_id).first()
    if given is not None and not _may_answer_again(puzzle, given, today):
        return _read_answer(given)
    if puzzle.retired_at is not None:
        raise Refusal(NO_SUCH_PUZZLE)
    judged = judge_answer(puzzle, answer)
    if given is not None:
        return _answer_again(given, judged, today)
    before, after = _rate(puzzle, user_id, is_right=judged.is_right, now=now)
    PuzzleAnswer.objects.create(
        puzzle=puzzle,
        user_id=user_id,
        answer=answer,
        is_right=judged.is_right,
        loss=judged.loss,
        daily_on=puzzle.daily_on if puzzle.daily_on == today else None,
        value_before=before.value,
        value=after.value,
    )
    if judged.is_right:
        record_puzzle(user_id, today)
    return replace(judged, before=before.value, after=after.value, is_first=True)


def own_answer(puzzle_id: int, user_id: int) -> Judged | None:
    """Return this player's judged answer to the puzzle, or None if they may answer it now."""
    found = PuzzleAnswer.objects.filter(puzzle=puzzle_id, user=user_id).select_related("puzzle")
    given = found.first()
    if given is None or _may_answer_again(given.puzzle, given, timezone.localdate()):
        return None
    return _read_answer(given)


def _may_answer_again(puzzle: Puzzle, given: PuzzleAnswer, today: date) -> bool:
    """Return whether this is today's puzzle and its answer was given in training."""
    is_daily = puzzle.daily_on == today and puzzle.retired_at is None
    return is_daily and given.daily_on is None


def _answer_again(given: PuzzleAnswer, judged: Judged, today: date) -> Judged:
    """Replace the answer from training with the answer to the puzzle of the day. The ratings do not change."""
    given.answer, given.is_right, given.loss = judged.answer, judged.is_right, judged.loss
    given.daily_on = today
    given.save(update_fields=["answer", "is_right", "loss", "daily_on"])
    if judged.is_right:
        record_puzzle(given.user_id, today)
    return _read_answer(given)


def _read_answer(given: PuzzleAnswer) -> Judged:
    return Judged(given.answer, given.is_right, given.loss, given.value_before, given.value)


def _rate(puzzle: Puzzle, user_id: int, *, is_right: bool, now: datetime) -> tuple[Rating, Rating]:
    """Update the ratings. Return the player's rating before and after."""
    row = PuzzleRating.objects.filter(user=user_id, game=puzzle.game).first()
    own = Rating() if row is None else _read_rating(row)
    asked = _read_rating(puzzle)
    periods = 0.0 if row is None else max(0.0, (now - row.rated_at) / PERIOD)
    after = rate(own, [Encounter(asked, float(is_right))], periods=periods)
    if row is None:
        row = PuzzleRating(user_id=user_id, game=puzzle.game)
    _count(row, after, is_right=is_right)
    row.rated_at = now
    row.save()
    # A puzzle's rating does not grow uncertain with time.
    _count(puzzle, rate(asked, [Encounter(own, float(not is_right))], periods=0), is_right=is_right)
    puzzle.save(update_fields=["value", "deviation", "volatility", "answers", "right"])
    return own, after


def _read_rating(row: Puzzle | PuzzleRating) -> Rating:
    return Rating(row.value, row.deviation, row.volatility)


def _count(row: Puzzle | PuzzleRating, rating: Rating, *, is_right: bool) -> None:
    row.value, row.deviation = rating.value, rating.deviation
    row.volatility = rating.volatility
    row.answers += 1
    row.right += is_right


# Longest streak that is counted, in days.
_LONGEST_STREAK = 400


@dataclass(frozen=True, slots=True)
class Daily:
    puzzle: Puzzle
    # None if the player has not answered it.
    is_right: bool | None


@dataclass(frozen=True, slots=True)
class PuzzleStanding:
    """A player's standing in the puzzles of a game.

    `streak` is the number of days in a row on which the player has solved the daily puzzle.
    """

    rating: str
    answers: int
    right: int
    streak: int


def live_puzzles() -> QuerySet[Puzzle]:
    """Return the active puzzles of the games that the site offers."""
    return Puzzle.objects.filter(retired_at__isnull=True, game__in=list_offered_games())


def find_puzzle(puzzle_id: int) -> Puzzle | None:
    return live_puzzles().filter(pk=puzzle_id).first()


def get_puzzle(puzzle_id: int) -> Puzzle:
    """Return a puzzle, even a retired one."""
    return Puzzle.objects.get(pk=puzzle_id)


def filter_shown(numbers: Sequence[int]) -> set[int]:
    """Return the given ids whose puzzles have a page."""
    return set(live_puzzles().filter(pk__in=numbers).values_list("pk", flat=True))


def count_puzzles() -> Mapping[tuple[str, str], int]:
    """Return the number of active puzzles, as a mapping from game and kind."""
    rows = live_puzzles().values_list("game", "kind").annotate(Count("pk")).order_by()
    return {(game, kind): count for game, kind, count in rows}


def get_daily_puzzle(user_id: int | None = None) -> Daily | None:
    """Return today's puzzle, or None if there are no puzzles.

    If no puzzle was chosen for today, return the puzzle of the latest earlier day, or else the oldest puzzle.
    """
    chosen = Q(daily_on__lte=timezone.localdate()) | Q(daily_on__isnull=True)
    latest = live_puzzles().filter(chosen).order_by(F("daily_on").desc(nulls_last=True), "pk")
    puzzle = latest.first()
    if puzzle is None:
        return None
    known = None if user_id is None else own_answer(puzzle.pk, user_id)
    return Daily(puzzle, None if known is None else known.is_right)


def find_next_puzzle(*, game: str, kind: str, user_id: int | None, after: int) -> Puzzle | None:
    """Return the next puzzle for a viewer, or None if there is none.

    A player gets the unanswered puzzle whose rating is nearest to their own. A visitor gets the puzzle with the next
    id. `after` is the id of the puzzle that the viewer saw before, or 0.
    """
    asked = live_puzzles().filter(game=game)
    asked = asked.filter(kind=kind) if kind else asked
    if user_id is None:
        later = asked.order_by("pk")
        return later.filter(pk__gt=after).first() or later.first()
    answered = PuzzleAnswer.objects.filter(user=user_id).values("puzzle")
    rating = PuzzleRating.objects.filter(user=user_id, game=game).first()
    own = Rating().value if rating is None else rating.value
    open_ones = asked.exclude(pk__in=answered)
    nearest = open_ones.order_by(Abs(F("value") - own), "pk")
    return nearest.exclude(pk=after).first() or nearest.first()


def get_standing(user_id: int, game: str) -> PuzzleStanding | None:
    """Return the player's standing, or None before their first answer."""
    found = PuzzleRating.objects.filter(user=user_id, game=game).first()
    if found is None:
        return None
    rating = rating_text(found.value, found.deviation)
    return PuzzleStanding(
        rating, found.answers, found.right, count_streak(user_id, timezone.localdate())
    )


def count_streak(user_id: int, today: date) -> int:
    """Return on how many consecutive days up to today the player solved the daily puzzle.

    While today's puzzle is unanswered, count the days up to yesterday.
    """
    first = today - timedelta(days=_LONGEST_STREAK)
    answers = PuzzleAnswer.objects.filter(user=user_id, daily_on__gt=first)
    by_day = dict(answers.values_list("daily_on", "is_right"))
    day = today if today in by_day else today - timedelta(days=1)
    days = 0
    while by_day.get(day):
        days += 1
        day -= timedelta(days=1)
    return days
