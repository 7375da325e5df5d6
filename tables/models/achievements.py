"""Achievements of players, and the finished matches that count towards them."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from tables.models.match import Match

CODE_LENGTH = 30


class PlayerAchievement(models.Model):
    """The number of matches that count towards an achievement, and the highest tier reached so far.

    Codes and tiers are those of tables/ranking/achievements.py. Tier 0: none is reached yet.
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
