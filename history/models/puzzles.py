"""Analyses of deals that players request, and puzzles made from finished deals."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.match import Match
from tables.models.stakes import GAME_LENGTH


class AnalysisState(models.TextChoices):
    WAITING = "WAITING", _("waiting")
    RUNNING = "RUNNING", _("running")
    DONE = "DONE", _("done")
    FAILED = "FAILED", _("failed")


class SeatAnalysis(models.Model):
    """The analysis of one seat in one deal. Only its player sees it.

    After `deadline_at` the player may request it again, whatever has happened to the job.
    """

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    deal = models.PositiveIntegerField(_("deal"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    game = models.CharField(_("game"), max_length=20)
    state = models.CharField(
        _("state"), max_length=8, choices=AnalysisState.choices, default=AnalysisState.WAITING
    )
    asked_at = models.DateTimeField(_("requested at"), db_default=Now())
    deadline_at = models.DateTimeField(_("deadline"))
    done_at = models.DateTimeField(_("done at"), null=True, blank=True)
    # In per cent.
    progress = models.PositiveSmallIntegerField(_("progress"), default=0)
    # Version of the game's analysis; another version may judge differently.
    version = models.PositiveSmallIntegerField(_("version"), default=0)
    # Output of `games.engine.game.DealAnalysis.analyse`.
    report = models.JSONField(_("report"), null=True, blank=True)
    # Totals of the report: decisions, points given away, and both by kind of decision.
    decisions = models.PositiveSmallIntegerField(_("decisions"), default=0)
    lost = models.FloatField(_("points given away"), default=0)
    by_kind = models.JSONField(_("totals by kind of decision"), default=dict)

    class Meta:
        verbose_name = _("analysis of a deal")
        verbose_name_plural = _("analyses of deals")
        constraints = [
            models.UniqueConstraint(
                fields=["match", "deal", "seat"], name="a_seat_of_a_deal_is_analysed_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(state="DONE") | models.Q(report__isnull=False),
                name="a_finished_analysis_has_a_report",
            ),
        ]
        indexes = [
            models.Index(fields=["user", "asked_at"], name="analyses_of_a_player"),
            models.Index(
                fields=["asked_at"],
                condition=models.Q(state="WAITING"),
                name="analyses_that_wait",
            ),
            models.Index(
                fields=["done_at"], condition=models.Q(state="DONE"), name="analyses_of_the_field"
            ),
        ]

    def __str__(self) -> str:
        return f"analysis of match #{self.match_id}, deal {self.deal}, seat {self.seat}"


LONGEST_ANSWER = 400


class Puzzle(models.Model):
    """A position and its solution. Nothing in it reveals the deal or the player that it comes from.

    It has a rating like a player. Solving it is rated as a win against it.
    """

    game = models.CharField(_("game"), max_length=GAME_LENGTH)
    kind = models.CharField(_("kind"), max_length=10)
    # From `games.engine.game.DealPuzzles`: the question and the solution.
    task = models.JSONField(_("task"))
    solution = models.JSONField(_("solution"))
    value = models.FloatField(_("rating"))
    deviation = models.FloatField(_("deviation"))
    volatility = models.FloatField(_("volatility"))
    # Rated answers, and the correct ones among them.
    answers = models.PositiveIntegerField(_("answers"), default=0)
    right = models.PositiveIntegerField(_("right answers"), default=0)
    made_at = models.DateTimeField(_("created at"), db_default=Now())
    # The local day on which it was last the daily puzzle, or will be.
    daily_on = models.DateField(_("puzzle of the day"), null=True, blank=True)
    retired_at = models.DateTimeField(_("retired at"), null=True, blank=True)

    class Meta:
        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")
        permissions = [("retire_puzzle", _("Can retire a puzzle"))]
        constraints = [
            models.UniqueConstraint(fields=["daily_on"], name="a_day_has_one_puzzle"),
            models.CheckConstraint(
                condition=models.Q(right__lte=models.F("answers")),
                name="right_answers_are_answers",
            ),
        ]
        indexes = [
            models.Index(
                fields=["game", "kind", "value"],
                condition=models.Q(retired_at__isnull=True),
                name="puzzles_to_be_solved",
            ),
            models.Index(fields=["made_at"], name="puzzles_by_age"),
        ]

    def __str__(self) -> str:
        return f"puzzle #{self.pk}"


class PuzzleAnswer(models.Model):
    """A player's first answer to a puzzle. Later answers are not stored, with one exception.

    If the player answered in training and the puzzle later becomes the puzzle of the day, the answer on that day
    replaces the first one.
    """

    puzzle = models.ForeignKey(Puzzle, models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    answer = models.CharField(_("answer"), max_length=LONGEST_ANSWER)
    is_right = models.BooleanField(_("right"))
    # Points lost against the best answer.
    loss = models.FloatField(_("points given away"))
    answered_at = models.DateTimeField(_("answered at"), db_default=Now())
    # The day, if it was that day's daily puzzle.
    daily_on = models.DateField(_("puzzle of the day"), null=True, blank=True)
    # The player's rating before the answer.
    value_before = models.FloatField(_("rating before"))
    value = models.FloatField(_("rating"))

    class Meta:
        verbose_name = _("answer to a puzzle")
        verbose_name_plural = _("answers to puzzles")
        constraints = [
            models.UniqueConstraint(
                fields=["puzzle", "user"], name="a_puzzle_is_answered_once_by_a_player"
            )
        ]

    def __str__(self) -> str:
        return f"answer of user #{self.user_id} to puzzle #{self.puzzle_id}"


class PuzzleRating(models.Model):
    """A player's rating in the puzzles of a game, separate from match ratings."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    game = models.CharField(_("game"), max_length=GAME_LENGTH)
    value = models.FloatField(_("rating"))
    deviation = models.FloatField(_("deviation"))
    volatility = models.FloatField(_("volatility"))
    answers = models.PositiveIntegerField(_("answers"), default=0)
    right = models.PositiveIntegerField(_("right answers"), default=0)
    rated_at = models.DateTimeField(_("last answer"))

    class Meta:
        verbose_name = _("puzzle rating")
        verbose_name_plural = _("puzzle ratings")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "game"], name="a_player_has_one_puzzle_rating_in_a_game"
            )
        ]

    def __str__(self) -> str:
        return f"rating of user #{self.user_id} by puzzles of {self.game}"


class PuzzleRush(models.Model):
    """A run through puzzles of one game against the clock: three minutes, until `ends_at`.

    It ends early after too many mistakes, or when no puzzle is left.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    game = models.CharField(_("game"), max_length=GAME_LENGTH)
    began_at = models.DateTimeField(_("began at"))
    ends_at = models.DateTimeField(_("ends at"))
    right = models.PositiveSmallIntegerField(_("right answers"), default=0)
    wrong = models.PositiveSmallIntegerField(_("mistakes"), default=0)
    # Numbers of the puzzles in order; the last one is being asked, 0 is none.
    asked = models.JSONField(_("puzzles"))
    # For each answered puzzle whether it was solved.
    results = ArrayField(
        models.BooleanField(),
        verbose_name=_("results"),
        default=list,
        db_default=models.Value([], ArrayField(models.BooleanField())),
    )

    class Meta:
        verbose_name = _("puzzle rush")
        verbose_name_plural = _("puzzle rushes")
        indexes = [models.Index(fields=["user", "game", "-right"], name="rushes_of_a_player")]

    def __str__(self) -> str:
        return f"puzzle rush #{self.pk}"

    @property
    def streak(self) -> int:
        """The number of puzzles solved in a row, up to the most recent answer."""
        return next(self._count_rows(reversed(self.results)), 0)

    @property
    def longest_streak(self) -> int:
        return max(self._count_rows(self.results), default=0)

    @staticmethod
    def _count_rows(results: Iterable[bool]) -> Iterator[int]:
        """Yield the length of each run of equal results. Runs of mistakes have the length 0."""
        return (sum(row) for _is_right, row in groupby(results))


class PuzzleSearch(models.Model):
    """The progress of the search for puzzles. Matches up to `through` are done; only newer ones are searched.

    `match` is the id of the match that a job is searching until `deadline_at`. After that time another job starts over
    with the same match.
    """

    id = models.SmallIntegerField(primary_key=True, default=1)
    through = models.BigIntegerField(default=0)
    match = models.BigIntegerField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    deadline_at = models.DateTimeField(null=True)
    day = models.DateField(null=True)
    # Matches searched on that day.
    looked_at = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("search for puzzles")
        verbose_name_plural = _("searches for puzzles")
        constraints = [
            models.CheckConstraint(condition=models.Q(id=1), name="there_is_one_search_for_puzzles")
        ]

    def __str__(self) -> str:
        return f"search for puzzles through match #{self.through}"
