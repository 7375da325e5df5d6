"""Links by which players show a match of theirs to whomever they like."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.match import Match

TOKEN_BYTES = 18


class MatchLink(models.Model):
    """A link to a match. Its holder sees the cards and points, never the money."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="links", db_index=False)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    token = models.CharField(_("token"), max_length=32, unique=True)
    made_at = models.DateTimeField(_("made at"), db_default=Now())

    class Meta:
        verbose_name = _("link to a match")
        verbose_name_plural = _("links to matches")
        constraints = [
            models.UniqueConstraint(
                fields=["match", "made_by"], name="a_player_has_one_link_to_a_match"
            )
        ]

    def __str__(self) -> str:
        return f"link to match #{self.match_id}"
