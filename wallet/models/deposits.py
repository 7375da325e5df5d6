from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Deposit(models.Model):
    """Cash that a player wants to bring, from asking for it to the provider's answer."""

    class State(models.TextChoices):
        WAITING = "WAITING", _("waiting for the payment")
        PAID = "PAID", _("paid")
        FAILED = "FAILED", _("failed")
        IN_DISPUTE = "IN_DISPUTE", _("being looked into")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="deposits")
    amount = models.BigIntegerField(_("amount"), help_text=_("In paise."))
    provider = models.TextField(_("provider"))
    reference = models.TextField(_("reference"), help_text=_("Ours, known to the provider."))
    payment_id = models.TextField(_("payment"), blank=True, help_text=_("The provider's."))
    state = models.TextField(_("state"), choices=State.choices, default=State.WAITING)
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    decided_at = models.DateTimeField(_("decided"), null=True)

    class Meta:
        verbose_name = _("deposit")
        verbose_name_plural = _("deposits")
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "reference"], name="wallet_deposit_reference_is_unique"
            ),
            models.CheckConstraint(
                condition=Q(amount__gt=0), name="wallet_deposit_amount_is_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reference} {self.state}"


class PaymentNotice(models.Model):
    """A provider's webhook as it came, once, and what it did."""

    class Effect(models.TextChoices):
        CREDITED = "CREDITED", _("credited")
        FAILED = "FAILED", _("marked as failed")
        IGNORED = "IGNORED", _("nothing: already decided")
        MISMATCH = "MISMATCH", _("not credited: another amount or a second payment")
        REPEATED = "REPEATED", _("nothing: came before")
        UNKNOWN = "UNKNOWN", _("nothing: unknown reference")

    deposit = models.ForeignKey(Deposit, models.PROTECT, related_name="notices")
    provider = models.TextField(_("provider"))
    event_id = models.TextField(_("event"))
    payment_id = models.TextField(_("payment"))
    outcome = models.TextField(_("outcome"))
    amount = models.BigIntegerField(_("amount"))
    currency = models.TextField(_("currency"))
    effect = models.TextField(_("effect"), choices=Effect.choices)
    received_at = models.DateTimeField(_("received"), default=timezone.now)

    class Meta:
        verbose_name = _("payment notice")
        verbose_name_plural = _("payment notices")
        db_table = "wallet_payment_notice"
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "event_id"], name="wallet_payment_notice_comes_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.effect}"
