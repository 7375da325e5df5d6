"""Seasons of three months, and the rank of each player in one (docs/ratings.md)."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tables.models.stakes import FORMAT_LENGTH, GAME_LENGTH


class RankSeason(models.Model):
    """A season. `ends_at` is when a job closes it and opens the next one; one season is open."""

    begins_at = models.DateTimeField(_("begins at"), unique=True)
    ends_at = models.DateTimeField(_("ends at"))
    closed_at = models.DateTimeField(_("closed at"), null=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        db_table = "tables_rank_season"
        constraints = [
            models.UniqueConstraint(
                fields=["closed_at"], name="one_season_is_open", nulls_distinct=False
            ),
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("begins_at")), name="a_season_lasts"
            ),
        ]

    def __str__(self) -> str:
        return f"season from {self.begins_at:%Y-%m-%d}"


class SeasonRank(models.Model):
    """A player's rank in one format during one season. `matches` are the rated ones of the season."""

    season = models.ForeignKey(RankSeason, models.PROTECT, related_name="ranks", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    game = models.CharField(_("game"), max_length=GAME_LENGTH)
    format = models.CharField(_("format"), max_length=FORMAT_LENGTH)
    value = models.FloatField(_("rank"))
    matches = models.PositiveIntegerField(_("matches"), default=0)

    class Meta:
        verbose_name = _("rank of a season")
        verbose_name_plural = _("ranks of seasons")
        db_table = "tables_season_rank"
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
