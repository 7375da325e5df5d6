"""The limits that players set for themselves."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class LimitPeriod(models.TextChoices):
    DAY = "DAY", _("within 24 hours")
    WEEK = "WEEK", _("within 7 days")
    MONTH = "MONTH", _("within 30 days")


class PlayerLimit(models.Model):
    """A player's own limit within a period, in paise. Of the rows in effect, the newest applies."""

    Period = LimitPeriod

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    period = models.TextField(choices=LimitPeriod.choices)
    amount = models.BigIntegerField(null=True, help_text=_("In paise. Empty: no limit."))
    effective_from = models.DateTimeField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.period} {self.amount}"


class DepositLimit(PlayerLimit):
    """A limit on deposits."""

    class Meta:
        db_table = "wallet_deposit_limit"
        constraints = [
            models.CheckConstraint(
                condition=Q(amount=None) | Q(amount__gt=0),
                name="wallet_deposit_limit_is_positive",
            ),
        ]


class LossLimit(PlayerLimit):
    """A limit on the net loss of a player's own cash. Cash at stake is treated as lost."""

    class Meta:
        db_table = "wallet_loss_limit"
        constraints = [
            models.CheckConstraint(
                condition=Q(amount=None) | Q(amount__gt=0),
                name="wallet_loss_limit_is_positive",
            ),
        ]


class SelfExclusion(models.Model):
    """A player's decision not to play or deposit. It cannot be shortened. With `until` None it is permanent."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    began_at = models.DateTimeField(_("began"), default=timezone.now)
    until = models.DateTimeField(_("until"), null=True)

    class Meta:
        verbose_name = _("self-exclusion")
        verbose_name_plural = _("self-exclusions")
        db_table = "wallet_self_exclusion"

    def __str__(self) -> str:
        began = timezone.localtime(self.began_at)
        until = "" if self.until is None else f"{timezone.localtime(self.until):%Y-%m-%d %H:%M}"
        return f"{began:%Y-%m-%d} - {until}"
