"""The goals of a day that players have reached, and their last visits."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

CODE_LENGTH = 20


class GoalDay(models.Model):
    """The goals that a player has reached on one day in the site's time zone (tables/ranking/goals.py)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    day = models.DateField(_("day"))
    codes = ArrayField(models.CharField(max_length=CODE_LENGTH))

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
    """The last time a player opened the first page, and since when there is news that is not dismissed yet."""

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
