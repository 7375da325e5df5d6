"""Which puzzle is asked next, the one of the day, and how well somebody does."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Abs
from django.utils import timezone

from tables.catalog import offered_games
from tables.history.puzzles.answering import own_answer
from tables.models import Puzzle, PuzzleAnswer, PuzzleRating
from tables.models.ratings import rating_text
from tables.ranking.glicko import Rating

# Days that a streak is counted back at most.
_LONGEST_STREAK = 400


@dataclass(frozen=True, slots=True)
class Daily:
    puzzle: Puzzle
    # None for who has not answered it.
    is_right: bool | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's standing in the puzzles of a game. `streak`: days in a row with the daily puzzle solved."""

    rating: str
    answers: int
    right: int
    streak: int


def live_puzzles() -> QuerySet[Puzzle]:
    """Return the puzzles in use, of the games that the site offers."""
    return Puzzle.objects.filter(retired_at__isnull=True, game__in=offered_games())


def puzzle_to_show(puzzle_id: int) -> Puzzle | None:
    return live_puzzles().filter(pk=puzzle_id).first()


def counts() -> Mapping[tuple[str, str], int]:
    """Return the number of puzzles by game and kind."""
    rows = live_puzzles().values_list("game", "kind").annotate(Count("pk")).order_by()
    return {(game, kind): count for game, kind, count in rows}


def daily_puzzle(user_id: int | None = None) -> Daily | None:
    """Today's, or the last one that was chosen; without any, the oldest puzzle."""
    chosen = Q(daily_on__lte=timezone.localdate()) | Q(daily_on__isnull=True)
    latest = live_puzzles().filter(chosen).order_by(F("daily_on").desc(nulls_last=True), "pk")
    puzzle = latest.first()
    if puzzle is None:
        return None
    known = None if user_id is None else own_answer(puzzle.pk, user_id)
    return Daily(puzzle, None if known is None else known.is_right)


def next_puzzle(*, game: str, kind: str, user_id: int | None, after: int) -> Puzzle | None:
    """Return the next puzzle for a viewer.

    A player gets the unanswered one nearest to their rating, a visitor the next by number. `after`
    is the number of the puzzle shown last, or 0.
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


def standing(user_id: int, game: str) -> Standing | None:
    """Return the player's standing, or None without an answer yet."""
    found = PuzzleRating.objects.filter(user=user_id, game=game).first()
    if found is None:
        return None
    rating = rating_text(found.value, found.deviation)
    return Standing(rating, found.answers, found.right, streak(user_id, timezone.localdate()))


def streak(user_id: int, today: date) -> int:
    """Days in a row up to today, or up to yesterday while today's is not answered."""
    first = today - timedelta(days=_LONGEST_STREAK)
    answers = PuzzleAnswer.objects.filter(user=user_id, daily_on__gt=first)
    by_day = dict(answers.values_list("daily_on", "is_right"))
    day = today if today in by_day else today - timedelta(days=1)
    days = 0
    while by_day.get(day):
        days += 1
        day -= timedelta(days=1)
    return days
