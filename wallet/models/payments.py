"""Deposits, their webhooks, and the choice of the payment provider."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallet.money import Currency, format_amount

_PAID_BACK = ["REFUNDING", "REFUNDED", "REFUND_REFUSED"]


class Deposit(models.Model):
    """A deposit of cash, from the player's request to the provider's answer."""

    class State(models.TextChoices):
        WAITING = "WAITING", _("waiting for the payment")
        PAID = "PAID", _("paid")
        FAILED = "FAILED", _("failed")
        IN_DISPUTE = "IN_DISPUTE", _("being looked into")
        EXPIRED = "EXPIRED", _("expired")
        REFUNDING = "REFUNDING", _("not credited, being paid back")
        REFUNDED = "REFUNDED", _("not credited, paid back")
        REFUND_REFUSED = "REFUND_REFUSED", _("not credited, the provider refuses to pay it back")

    class RefusedFor(models.TextChoices):
        """The reason why a payment was not credited."""

        CLOSED = "CLOSED", _("the account is closed")
        FROZEN = "FROZEN", _("the account is frozen")
        EXCLUDED = "EXCLUDED", _("the player has excluded themself")
        LIMIT = "LIMIT", _("beyond the player's limit")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="deposits")
    amount = models.BigIntegerField(_("amount"), help_text=_("In paise."))
    provider = models.TextField(_("provider"))
    reference = models.TextField(
        _("reference"), help_text=_("Our own reference, which the provider knows.")
    )
    payment_id = models.TextField(
        _("payment"), blank=True, help_text=_("The provider's own reference.")
    )
    state = models.TextField(_("state"), choices=State.choices, default=State.WAITING)
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    decided_at = models.DateTimeField(_("decided"), null=True)
    refused_for = models.TextField(
        _("not credited because"), choices=RefusedFor.choices, blank=True
    )
    # When the refund is sent to the provider next.
    refund_at = models.DateTimeField(_("to be paid back at"), null=True)
    refund_id = models.TextField(
        _("refund"), blank=True, help_text=_("The provider's own reference.")
    )
    # Counts the orders after refused ones: each is known to the provider by a reference of its own.
    refund_attempt = models.SmallIntegerField(default=0, db_default=0, editable=False)

    class Meta:
        verbose_name = _("deposit")
        verbose_name_plural = _("deposits")
        indexes = [
            models.Index(
                fields=["started_at"],
                condition=Q(state="WAITING"),
                name="wallet_deposit_waiting_idx",
            ),
            models.Index(
                fields=["refund_at"],
                condition=Q(state="REFUNDING"),
                name="wallet_deposit_refund_idx",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "reference"], name="wallet_deposit_reference_is_unique"
            ),
            models.CheckConstraint(
                condition=Q(amount__gt=0), name="wallet_deposit_amount_is_positive"
            ),
            models.CheckConstraint(
                condition=Q(state__in=_PAID_BACK) & ~Q(refused_for="")
                | ~Q(state__in=_PAID_BACK) & Q(refused_for=""),
                name="wallet_deposit_refund_says_why",
            ),
            models.CheckConstraint(
                condition=Q(state="REFUNDING", refund_at__isnull=False)
                | ~Q(state="REFUNDING") & Q(refund_at=None),
                name="wallet_deposit_refund_is_tried_again",
            ),
        ]

    def __str__(self) -> str:
        return (
            f"{self.reference}: ₹{format_amount(self.amount, Currency.INR)}, "
            f"{self.get_state_display()}"
        )

    @property
    def refund_reference(self) -> str:
        """The reference of the current refund order."""
        return f"{self.reference}-{self.refund_attempt}" if self.refund_attempt else self.reference


class PaymentWebhook(models.Model):
    """A provider's webhook about a payment, stored once, with its effect."""

    class Effect(models.TextChoices):
        CREDITED = "CREDITED", _("credited")
        FAILED = "FAILED", _("marked as failed")
        IGNORED = "IGNORED", _("no effect: already decided")
        MISMATCH = "MISMATCH", _("not credited: the amount differs, or it is a second payment")
        REFUNDED = "REFUNDED", _("not credited: goes back to the payer")
        REFUND_FAILED = "REFUND_FAILED", _("not credited, the provider refuses to pay it back")
        REPEATED = "REPEATED", _("no effect: received before")
        UNKNOWN = "UNKNOWN", _("no effect: unknown reference")

    deposit = models.ForeignKey(Deposit, models.PROTECT, related_name="webhooks")
    provider = models.TextField(_("provider"))
    event_id = models.TextField(_("event"))
    payment_id = models.TextField(_("payment"))
    outcome = models.TextField(_("outcome"))
    amount = models.BigIntegerField(_("amount"))
    currency = models.TextField(_("currency"))
    effect = models.TextField(_("effect"), choices=Effect.choices)
    received_at = models.DateTimeField(_("received"), default=timezone.now)

    class Meta:
        verbose_name = _("payment webhook")
        verbose_name_plural = _("payment webhooks")
        db_table = "wallet_payment_webhook"
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "event_id"], name="wallet_payment_webhook_comes_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.effect}"


class ProviderChoice(models.Model):
    """The provider of new payments from a given time on. Of the choices in effect, the newest applies."""

    provider = models.CharField(_("provider"), max_length=40)
    valid_from = models.DateTimeField(_("valid from"), default=timezone.now, unique=True)

    class Meta:
        verbose_name = _("payment provider")
        verbose_name_plural = _("payment providers")
        db_table = "wallet_provider_choice"

    def __str__(self) -> str:
        return self.provider
