"""Ratings and leaderboards (docs/ratings.md), ranks in seasons of three months, achievements and daily goals."""

from datetime import date, timedelta

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tables.models.match import Match
from tables.models.stakes import FORMAT_LENGTH, GAME_LENGTH

CODE_LENGTH = 30
GOAL_LENGTH = 20


class RatingChange(models.Model):
    """The change of one rating by one match. The newest change of a rating holds the player's current rating."""

    match = models.ForeignKey(
        Match,
        models.PROTECT,
        related_name="rating_changes",
        db_index=False,
        db_constraint=False,
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    game = models.CharField(_("game"), max_length=GAME_LENGTH)
    format = models.CharField(_("format"), max_length=FORMAT_LENGTH)
    value_before = models.FloatField(_("rating before"))
    deviation_before = models.FloatField(_("deviation before"))
    value = models.FloatField(_("rating"))
    deviation = models.FloatField(_("deviation"))
    volatility = models.FloatField(_("volatility"))

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        constraints = [
            models.UniqueConstraint(fields=["match", "user"], name="a_match_changes_a_rating_once")
        ]

    def __str__(self) -> str:
        return f"rating of user #{self.user_id} after match #{self.match_id}"


class DayTotal(models.Model):
    """A player's totals of one day in the site's time zone, for the leaderboards."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    game = models.CharField(max_length=GAME_LENGTH)
    format = models.CharField(max_length=FORMAT_LENGTH)
    day = models.DateField()
    # Chips won less chips lost, at open tables without bots.
    chips = models.BigIntegerField(default=0)
    matches = models.PositiveIntegerField(default=0)
    rated_matches = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("player's daily total")
        verbose_name_plural = _("players' daily totals")
        constraints = [
            models.UniqueConstraint(
                fields=["game", "format", "day", "user"], name="a_player_has_one_total_of_a_day"
            )
        ]

    def __str__(self) -> str:
        return f"user #{self.user_id} on {self.day}"


class Board(models.TextChoices):
    RATING = "RATING", _("Rating")
    CHIPS = "CHIPS", _("Chips won")


class Period(models.TextChoices):
    DAY = "DAY", _("Today")
    WEEK = "WEEK", _("This week")
    ALL = "ALL", _("All time")


class LeaderboardPlace(models.Model):
    """One row of a leaderboard as last computed. `value` is a rating, or chips."""

    board = models.CharField(max_length=10, choices=Board)
    game = models.CharField(max_length=GAME_LENGTH)
    format = models.CharField(max_length=FORMAT_LENGTH)
    period = models.CharField(max_length=10, choices=Period)
    place = models.PositiveIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    value = models.BigIntegerField()
    matches = models.PositiveIntegerField()
    drawn_at = models.DateTimeField()

    class Meta:
        verbose_name = _("leaderboard place")
        verbose_name_plural = _("leaderboard places")
        indexes = [
            models.Index(
                fields=["board", "game", "format", "period", "place"],
                name="places_of_a_leaderboard",
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["board", "game", "format", "period", "user"],
                name="a_player_has_one_place_on_a_leaderboard",
            )
        ]

    def __str__(self) -> str:
        return f"place {self.place} of {self.board} {self.game} {self.format} {self.period}"


class RankSeason(models.Model):
    """A season. At `ends_at` a job closes it and opens the next one. Exactly one season is open."""

    begins_at = models.DateTimeField(_("begins at"), unique=True)
    ends_at = models.DateTimeField(_("ends at"))
    closed_at = models.DateTimeField(_("closed at"), null=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        db_table = "players_rank_season"
        constraints = [
            models.UniqueConstraint(
                fields=["closed_at"], name="one_season_is_open", nulls_distinct=False
            ),
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("begins_at")), name="a_season_lasts"
            ),
        ]

    def __str__(self) -> str:
        return f"season from {timezone.localdate(self.begins_at)}"

    @property
    def last_day(self) -> date:
        return timezone.localdate(self.ends_at - timedelta(microseconds=1))


class SeasonRank(models.Model):
    """A player's rank in one format during one season. `matches` is the number of rated matches in the season."""

    season = models.ForeignKey(RankSeason, models.PROTECT, related_name="ranks", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    game = models.CharField(_("game"), max_length=GAME_LENGTH)
    format = models.CharField(_("format"), max_length=FORMAT_LENGTH)
    value = models.FloatField(_("rank"))
    matches = models.PositiveIntegerField(_("matches"), default=0)

    class Meta:
        verbose_name = _("rank of a season")
        verbose_name_plural = _("ranks of seasons")
        db_table = "players_season_rank"
        constraints = [
            models.UniqueConstraint(
                fields=["season", "user", "game", "format"],
                name="a_player_has_one_rank_of_a_format_in_a_season",
            )
        ]
        indexes = [
            models.Index(fields=["season", "game", "format", "-value"], name="ranks_of_a_season")
        ]

    def __str__(self) -> str:
        return f"rank of user #{self.user_id} in season #{self.season_id}"


class PlayerAchievement(models.Model):
    """The number of matches that count towards an achievement, and the highest tier reached.

    Codes and tiers are those of players/ranking/achievements.py. Tier 0 means none yet.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="achievements")
    code = models.CharField(_("achievement"), max_length=CODE_LENGTH)
    count = models.PositiveIntegerField(_("matches"), default=0)
    tier = models.PositiveSmallIntegerField(_("tier"), default=0)
    # The match that reached the tier, and its end.
    reached_in = models.ForeignKey(
        Match, models.PROTECT, related_name="+", null=True, db_index=False, db_constraint=False
    )
    reached_at = models.DateTimeField(_("reached at"), null=True)

    class Meta:
        verbose_name = _("achievement of a player")
        verbose_name_plural = _("achievements of players")
        db_table = "players_player_achievement"
        constraints = [
            models.UniqueConstraint(
                fields=["user", "code"], name="a_player_has_an_achievement_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.code} of user #{self.user_id}"


class AchievementMatch(models.Model):
    """The achievements that one match has counted towards for one player, so that it is never counted twice."""

    match = models.ForeignKey(
        Match, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    codes = ArrayField(models.CharField(max_length=CODE_LENGTH))

    class Meta:
        verbose_name = _("match that counts towards achievements")
        verbose_name_plural = _("matches that count towards achievements")
        db_table = "players_achievement_match"
        constraints = [
            models.UniqueConstraint(
                fields=["match", "user"], name="a_match_counts_towards_achievements_once"
            )
        ]

    def __str__(self) -> str:
        return f"achievements of user #{self.user_id} by match #{self.match_id}"


class GoalDay(models.Model):
    """The goals that a player has reached on one local day (players/ranking/goals.py)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    day = models.DateField(_("day"))
    codes = ArrayField(models.CharField(max_length=GOAL_LENGTH))

    class Meta:
        verbose_name = _("goals of a day")
        verbose_name_plural = _("goals of days")
        db_table = "players_goal_day"
        constraints = [
            models.UniqueConstraint(fields=["user", "day"], name="a_player_has_a_day_of_goals_once")
        ]

    def __str__(self) -> str:
        return f"goals of user #{self.user_id} on {self.day}"


class LastVisit(models.Model):
    """The time of a player's last visit to the first page.

    `away_since` is the start of the absence whose news is still shown to the player, or None.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    seen_at = models.DateTimeField()
    away_since = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("last visit of a player")
        verbose_name_plural = _("last visits of players")
        db_table = "players_last_visit"

    def __str__(self) -> str:
        return f"last visit of user #{self.user_id}"
