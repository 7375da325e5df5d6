from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallet.rules.bonuses import ReleaseTerms


class Bonus(models.Model):
    """Cash from the house that has to be played before it can be withdrawn.

    Of a player's bonuses the oldest is worked off first: `counts_from` is when play began to count
    for this one. `released` paise have gone to the winnings; what is neither released nor spent by
    `expires_at` goes back to the house.
    """

    class State(models.TextChoices):
        RUNNING = "RUNNING", _("running")
        RELEASED = "RELEASED", _("released")
        EXPIRED = "EXPIRED", _("expired")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="bonuses", verbose_name=_("player")
    )
    reference = models.TextField(_("reference"), unique=True)
    amount = models.BigIntegerField(_("amount"), help_text=_("In paise."))
    chunks = models.IntegerField(_("chunks"))
    play_multiple = models.IntegerField(_("times to be played"))
    reason = models.TextField(_("reason"))
    granted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        verbose_name=_("granted by"),
    )
    granted_at = models.DateTimeField(_("granted"), default=timezone.now)
    expires_at = models.DateTimeField(_("expires"))
    counts_from = models.DateTimeField(_("play counts from"), null=True)
    released = models.BigIntegerField(_("released"), default=0, help_text=_("In paise."))
    state = models.TextField(_("state"), choices=State.choices, default=State.RUNNING)
    ended_at = models.DateTimeField(_("ended"), null=True)
    looked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("bonus")
        verbose_name_plural = _("bonuses")
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gt=0, chunks__gt=0, chunks__lte=F("amount"))
                & Q(play_multiple__gt=0, expires_at__gt=F("granted_at")),
                name="wallet_bonus_terms_make_sense",
            ),
            models.CheckConstraint(
                condition=Q(released__gte=0, released__lte=F("amount")),
                name="wallet_bonus_releases_no_more_than_it_is",
            ),
            models.CheckConstraint(
                condition=Q(state="RUNNING", ended_at=None)
                | Q(~Q(state="RUNNING"), ended_at__isnull=False),
                name="wallet_bonus_ends_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["looked_at"],
                condition=Q(state="RUNNING"),
                name="wallet_bonus_to_be_looked_at",
            ),
        ]
        permissions = [("grant_bonus", "Can give players a bonus")]

    def __str__(self) -> str:
        return f"{self.reference} {self.state}"

    @property
    def terms(self) -> ReleaseTerms:
        return ReleaseTerms(self.amount, self.chunks, self.play_multiple)
