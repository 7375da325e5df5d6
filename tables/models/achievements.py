"""Achievements, the matches that count towards them, daily goals, and last visits."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from tables.models.match import Match

CODE_LENGTH = 30
GOAL_LENGTH = 20


class PlayerAchievement(models.Model):
    """The number of matches that count towards an achievement, and the highest tier reached.

    Codes and tiers are those of tables/ranking/achievements.py. Tier 0 means none yet.
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
        db_table = "tables_player_achievement"
        constraints = [
            models.UniqueConstraint(
                fields=["user", "code"], name="a_player_has_an_achievement_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.code} of user #{self.user_id}"


class AchievementMatch(models.Model):
    """The achievements that one match counts towards for one player, so that it counts once."""

    match = models.ForeignKey(
        Match, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    codes = ArrayField(models.CharField(max_length=CODE_LENGTH))

    class Meta:
        verbose_name = _("match that counts towards achievements")
        verbose_name_plural = _("matches that count towards achievements")
        db_table = "tables_achievement_match"
        constraints = [
            models.UniqueConstraint(
                fields=["match", "user"], name="a_match_counts_towards_achievements_once"
            )
        ]

    def __str__(self) -> str:
        return f"achievements of user #{self.user_id} by match #{self.match_id}"


class GoalDay(models.Model):
    """The goals that a player has reached on one local day (tables/ranking/goals.py)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    day = models.DateField(_("day"))
    codes = ArrayField(models.CharField(max_length=GOAL_LENGTH))

    class Meta:
        verbose_name = _("goals of a day")
        verbose_name_plural = _("goals of days")
        db_table = "tables_goal_day"
        constraints = [
            models.UniqueConstraint(fields=["user", "day"], name="a_player_has_a_day_of_goals_once")
        ]

    def __str__(self) -> str:
        return f"goals of user #{self.user_id} on {self.day}"


class LastVisit(models.Model):
    """The last time a player opened the first page, and since when they have undismissed news."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    seen_at = models.DateTimeField()
    away_since = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("last visit of a player")
        verbose_name_plural = _("last visits of players")
        db_table = "tables_last_visit"

    def __str__(self) -> str:
        return f"last visit of user #{self.user_id}"
