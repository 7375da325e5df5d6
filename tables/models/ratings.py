"""The rating that a seat shows. `players.ranking.ratings` computes it (docs/ratings.md)."""

from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tables.models.stakes import FORMAT_LENGTH, GAME_LENGTH


class PlayerRating(models.Model):
    """A player's rating in one format of a game after the last rated match (docs/ratings.md)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="ratings")
    game = models.CharField(_("game"), max_length=GAME_LENGTH)
    format = models.CharField(_("format"), max_length=FORMAT_LENGTH)
    value = models.FloatField(_("rating"))
    deviation = models.FloatField(_("deviation"))
    volatility = models.FloatField(_("volatility"))
    matches = models.PositiveIntegerField(_("matches"), default=0)
    # The end of the last counted match.
    rated_at = models.DateTimeField(_("last match"))

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "game", "format"], name="a_player_has_one_rating_in_a_format"
            )
        ]

    def __str__(self) -> str:
        return f"rating of user #{self.user_id} in {self.game} {self.format}"


# A rating with a larger deviation is not established yet.
SURE_DEVIATION: Final = 110


def rating_text(value: float, deviation: float) -> str:
    """Return "1662", or "1662?" while the rating is not established."""
    return f"{round(value)}{'?' if deviation > SURE_DEVIATION else ''}"
