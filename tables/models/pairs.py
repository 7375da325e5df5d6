"""Evidence about pairs of players, and the staff's decisions (docs/fair-play.md).

Seating, waiting lists and tournament draws keep some pairs apart. `history.fairplay` finds the evidence.
"""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class PairState(models.TextChoices):
    NEW = "NEW", _("New")
    WATCHED = "WATCHED", _("Watched")
    CLOSED = "CLOSED", _("Closed")


class PairVerdict(models.TextChoices):
    NONE = "", _("None yet")
    UPHELD = "UPHELD", _("They play together")
    UNFOUNDED = "UNFOUNDED", _("Nothing wrong")


class PairEvidence(models.Model):
    """The latest evidence about two players, and the staff's decision. The first player is the one with the lower id.

    `kinds` maps each kind of evidence to a mapping with `game`, `matches`, `p`, `q`, `z` and `giver`. `money` maps each
    currency to two amounts: the first player's losses to the second, and the second player's losses to the first.
    """

    low = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        db_index=False,
        verbose_name=_("first player"),
    )
    high = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("second player")
    )
    matches = models.PositiveIntegerField(_("matches together"), default=0)
    q = models.FloatField(_("false discovery rate"), default=1.0)
    kinds = models.JSONField(default=dict)
    money = models.JSONField(default=dict)
    computed_at = models.DateTimeField(_("computed at"), null=True)
    state = models.CharField(_("state"), max_length=10, choices=PairState, default=PairState.NEW)
    verdict = models.CharField(
        _("verdict"), max_length=10, choices=PairVerdict, default=PairVerdict.NONE, blank=True
    )
    reason = models.CharField(_("reason"), max_length=500, default="", blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("decided by"),
    )
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)
    # `tables.play.seats` reads it for seating, waiting lists and tournament draws.
    kept_apart_since = models.DateTimeField(_("kept apart since"), null=True, blank=True)

    class Meta:
        verbose_name = _("pair of players")
        verbose_name_plural = _("fair play")
        permissions = [("decide_pairevidence", _("Can decide about two players"))]
        constraints = [
            models.UniqueConstraint(fields=["low", "high"], name="two_players_are_one_pair"),
            models.CheckConstraint(
                condition=models.Q(low__lt=models.F("high")), name="the_lower_player_comes_first"
            ),
        ]
        indexes = [
            models.Index(
                fields=["low", "high"],
                condition=models.Q(kept_apart_since__isnull=False),
                name="pairs_kept_apart",
            ),
            models.Index(fields=["q"], name="pairs_by_evidence"),
        ]

    def __str__(self) -> str:
        return f"user #{self.low_id} and user #{self.high_id}"
