"""Corrections of finished cash matches.

A correction moves money from one player of a match to another. Two members of staff agree to it.
"""

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.match import Match
from wallet.money import Currency, format_amount


class MatchCorrection(models.Model):
    """A correction, from its proposal to its approval or refusal. `by_house` is the part of it that the house paid."""

    class State(models.TextChoices):
        PROPOSED = "PROPOSED", _("waiting for a second approval")
        APPROVED = "APPROVED", _("approved")
        REFUSED = "REFUSED", _("refused")

    match = models.ForeignKey(
        Match,
        models.PROTECT,
        related_name="corrections",
        db_constraint=False,
        verbose_name=_("match"),
    )
    payer = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        verbose_name=_("player who gives money back"),
    )
    payee = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        verbose_name=_("player who receives money"),
    )
    amount = models.BigIntegerField(
        _("amount"), validators=[MinValueValidator(1)], help_text=_("In paise.")
    )
    by_house = models.BigIntegerField(_("paid by the house"), default=0, help_text=_("In paise."))
    reason = models.CharField(_("reason"), max_length=500, help_text=_("Both players see it."))
    state = models.TextField(_("state"), choices=State.choices, default=State.PROPOSED)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("proposed by")
    )
    proposed_at = models.DateTimeField(_("proposed"), db_default=Now())
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        verbose_name=_("decided by"),
    )
    decided_at = models.DateTimeField(_("decided"), null=True)

    class Meta:
        verbose_name = _("correction of a match")
        verbose_name_plural = _("corrections of matches")
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gt=0, by_house__gte=0, by_house__lte=F("amount")),
                name="a_correction_has_an_amount",
            ),
            models.CheckConstraint(
                condition=~Q(payer=F("payee")), name="a_correction_is_between_two"
            ),
            models.CheckConstraint(
                condition=~Q(state="APPROVED", decided_by=F("proposed_by")),
                name="a_correction_is_approved_by_another",
            ),
            models.CheckConstraint(
                condition=Q(state="PROPOSED", decided_by=None, decided_at=None)
                | ~Q(state="PROPOSED") & Q(decided_by__isnull=False, decided_at__isnull=False),
                name="a_correction_is_decided_by_somebody",
            ),
            models.CheckConstraint(
                condition=~Q(proposed_by=F("payer"))
                & ~Q(proposed_by=F("payee"))
                & (Q(decided_by=None) | ~Q(decided_by=F("payer")) & ~Q(decided_by=F("payee"))),
                name="a_correction_is_decided_by_others",
            ),
        ]

    def __str__(self) -> str:
        amount = format_amount(self.amount, Currency.INR)
        return f"{self.match_id}: ₹{amount}, {self.get_state_display()}"
