"""The evidence about pairs of players, and staff decisions (docs/fair-play.md)."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.match import Match
from tables.models.stakes import GAME_LENGTH


class MatchTrace(models.Model):
    """The sums of a giver for a taker in one match: `games.engine.game.PairSums`.

    Written once, all rows of a match together. Kept for 90 days.
    """

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="traces", db_index=False, db_constraint=False
    )
    giver = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    taker = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    game = models.CharField(_("game"), max_length=GAME_LENGTH)
    version = models.PositiveSmallIntegerField()
    ended_at = models.DateTimeField(_("ended at"))
    feeding = models.FloatField()
    feeding_others = ArrayField(models.FloatField())
    withheld = models.FloatField()
    loss = models.FloatField()
    decisions = models.PositiveIntegerField()
    offered = models.PositiveIntegerField()
    picked = models.PositiveIntegerField()
    picks_due = models.FloatField()
    paid = models.FloatField()
    paid_due = models.FloatField()

    class Meta:
        verbose_name = _("trace of a match")
        verbose_name_plural = _("traces of matches")
        indexes = [models.Index(fields=["ended_at"], name="traces_by_age")]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "giver", "taker"], name="a_match_is_traced_once_for_a_pair"
            )
        ]

    def __str__(self) -> str:
        return f"trace of match #{self.match_id} from user #{self.giver_id} to #{self.taker_id}"


class SittingKey(models.Model):
    """The key that hashes addresses and devices for a time. It is deleted together with the hashes."""

    began_on = models.DateField(unique=True)
    secret = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("key of sittings")
        verbose_name_plural = _("keys of sittings")

    def __str__(self) -> str:
        return f"key from {self.began_on} on"


class SittingTrace(models.Model):
    """That a person played from an address and a device, as hashes with one key."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.ForeignKey(SittingKey, models.CASCADE, related_name="+", db_index=False)
    # 16 bytes of HMAC-SHA-256 each.
    address_hash = models.BinaryField(max_length=16)
    device_hash = models.BinaryField(max_length=16)
    seen_at = models.DateTimeField(_("last seen at"), db_default=Now())

    class Meta:
        verbose_name = _("trace of a sitting")
        verbose_name_plural = _("traces of sittings")
        indexes = [
            models.Index(fields=["key", "address_hash"], name="sittings_by_address"),
            models.Index(fields=["seen_at"], name="sittings_by_age"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "key", "address_hash", "device_hash"],
                name="a_place_is_traced_once_for_a_player",
            )
        ]

    def __str__(self) -> str:
        return f"trace of sittings of user #{self.user_id}"


class PairNight(models.Model):
    """That the pairs of a day were examined."""

    day = models.DateField(unique=True)
    tested = models.PositiveIntegerField()
    shown = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("night of weighing")
        verbose_name_plural = _("nights of weighing")

    def __str__(self) -> str:
        return f"pairs weighed on {self.day}"


class PairState(models.TextChoices):
    NEW = "NEW", _("New")
    WATCHED = "WATCHED", _("Watched")
    CLOSED = "CLOSED", _("Closed")


class PairVerdict(models.TextChoices):
    NONE = "", _("None yet")
    UPHELD = "UPHELD", _("They play together")
    UNFOUNDED = "UNFOUNDED", _("Nothing wrong")


class PairEvidence(models.Model):
    """The latest findings about two players, the lower number first, and the staff's decision.

    `kinds`: by kind of evidence `game`, `matches`, `p`, `q`, `z`, `giver`. `money`: by currency the first's
    losses to the second and the reverse.
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
    q = models.FloatField(_("rate of false discoveries"), default=1.0)
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
        return f"{self.low}, {self.high}"
