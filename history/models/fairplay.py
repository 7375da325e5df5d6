"""Measurements about pairs of players, from which evidence of collusion is computed (docs/fair-play.md)."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.match import Match
from tables.models.stakes import GAME_LENGTH


class MatchTrace(models.Model):
    """The sums for a giver and a taker in one match, as in `games.engine.game.PairSums`.

    All rows of a match are written once, together, and are kept for 90 days.
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
        verbose_name = _("fair-play trace of a match")
        verbose_name_plural = _("fair-play traces of matches")
        indexes = [models.Index(fields=["ended_at"], name="traces_by_age")]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "giver", "taker"], name="a_match_is_traced_once_for_a_pair"
            )
        ]

    def __str__(self) -> str:
        return f"trace of match #{self.match_id} from user #{self.giver_id} to #{self.taker_id}"


class SittingKey(models.Model):
    """A key with which addresses and devices are hashed during one period. It is deleted together with the hashes."""

    began_on = models.DateField(unique=True)
    secret = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("key for hashed addresses and devices")
        verbose_name_plural = _("keys for hashed addresses and devices")

    def __str__(self) -> str:
        return f"key from {self.began_on} on"


class SittingTrace(models.Model):
    """A record that a person played from an address and a device, as hashes with one key."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.ForeignKey(SittingKey, models.CASCADE, related_name="+", db_index=False)
    # 16 bytes of HMAC-SHA-256 each.
    address_hash = models.BinaryField(max_length=16)
    device_hash = models.BinaryField(max_length=16)
    seen_at = models.DateTimeField(_("last seen at"), db_default=Now())

    class Meta:
        verbose_name = _("hashed address and device of a sitting")
        verbose_name_plural = _("hashed addresses and devices of sittings")
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
    """A record that the pairs were examined on a day."""

    day = models.DateField(unique=True)
    tested = models.PositiveIntegerField()
    shown = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("nightly fair-play check of player pairs")
        verbose_name_plural = _("nightly fair-play checks of player pairs")

    def __str__(self) -> str:
        return f"pairs weighed on {self.day}"
