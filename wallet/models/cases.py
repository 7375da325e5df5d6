"""Cases of payment providers, and the reports in them."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallet.models.payments import Deposit
from wallet.money import Currency, format_amount


class PaymentCase(models.Model):
    """A dispute, a refund or an unexpected event of a payment provider that staff must act on.

    While a dispute or refund of a credited deposit is undecided, the site holds back up to the amount that
    the provider claims. `held` is how much of the player's money is in the case's own account so far. `taken`
    is the amount that the provider has kept, as booked by staff.
    """

    class Kind(models.TextChoices):
        DISPUTE = "DISPUTE", _("dispute")
        REFUND = "REFUND", _("refund by the provider")
        MISMATCH = "MISMATCH", _("does not fit our order")
        UNKNOWN = "UNKNOWN", _("unknown kind of event")

    class Stage(models.TextChoices):
        OPEN = "OPEN", _("not decided")
        TAKEN = "TAKEN", _("the provider takes the money")
        KEPT = "KEPT", _("the money stays with us")
        CLOSED = "CLOSED", _("closed")

    class State(models.TextChoices):
        OPEN = "OPEN", _("to be decided")
        OWED = "OWED", _("taken; the rest is being collected")
        TAKEN = "TAKEN", _("taken by the provider")
        BORNE = "BORNE", _("taken; the house bears the rest")
        GIVEN_BACK = "GIVEN_BACK", _("given back to the player")
        DONE = "DONE", _("done")

    kind = models.TextField(_("kind"), choices=Kind.choices)
    provider = models.TextField(_("provider"))
    subject_id = models.TextField(_("number"), help_text=_("The provider's own reference."))
    payment_id = models.TextField(
        _("payment"), blank=True, help_text=_("The provider's own reference.")
    )
    deposit = models.ForeignKey(
        Deposit, models.PROTECT, related_name="cases", null=True, verbose_name=_("deposit")
    )
    withdrawal = models.ForeignKey(
        "wallet.Withdrawal",
        models.PROTECT,
        related_name="cases",
        null=True,
        verbose_name=_("withdrawal"),
    )
    amount = models.BigIntegerField(_("amount"), default=0, help_text=_("In paise."))
    stage = models.TextField(
        _("the provider's statement"), choices=Stage.choices, default=Stage.OPEN
    )
    state = models.TextField(_("state"), choices=State.choices, default=State.OPEN)
    held = models.BigIntegerField(_("held back"), default=0, help_text=_("In paise."))
    taken = models.BigIntegerField(_("taken"), default=0, help_text=_("In paise."))
    # Numbers the case's postings.
    moves = models.IntegerField(default=0, editable=False)
    opened_at = models.DateTimeField(_("opened"), default=timezone.now)
    taken_at = models.DateTimeField(_("taken at"), null=True)
    ended_at = models.DateTimeField(_("ended"), null=True)

    class Meta:
        verbose_name = _("payment case")
        verbose_name_plural = _("payment cases")
        db_table = "wallet_payment_case"
        indexes = [
            models.Index(
                fields=["opened_at"],
                condition=Q(state__in=["OPEN", "OWED"]),
                name="wallet_payment_case_open_idx",
            ),
            models.Index(fields=["provider", "payment_id"], name="wallet_payment_case_payment"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "kind", "subject_id"], name="wallet_payment_case_comes_once"
            ),
            models.CheckConstraint(
                condition=Q(held__gte=0, taken__gte=0, amount__gte=0),
                name="wallet_payment_case_amounts_are_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(held=0, taken=0) | Q(deposit__isnull=False),
                name="wallet_payment_case_holds_of_a_deposit",
            ),
            models.CheckConstraint(
                condition=Q(taken=0, taken_at=None) | Q(taken__gt=0, taken_at__isnull=False),
                name="wallet_payment_case_taken_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["OPEN", "OWED"], ended_at=None)
                | ~Q(state__in=["OPEN", "OWED"]) & Q(ended_at__isnull=False),
                name="wallet_payment_case_ends_with_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["OPEN", "OWED", "TAKEN", "BORNE"]) | Q(held=0, taken=0),
                name="wallet_payment_case_gives_all_back",
            ),
        ]

    def __str__(self) -> str:
        amount = format_amount(self.amount, Currency.INR)
        return f"{self.get_kind_display()} {self.subject_id}: ₹{amount}"


class ProviderReport(models.Model):
    """A provider's webhook that belongs to a case, stored once. `facts` hold no personal data."""

    case = models.ForeignKey(PaymentCase, models.PROTECT, related_name="reports")
    provider = models.TextField(_("provider"))
    event_id = models.TextField(_("event"))
    event = models.TextField(_("kind"))
    amount = models.BigIntegerField(_("amount"))
    facts = models.JSONField(_("facts"), default=dict)
    received_at = models.DateTimeField(_("received"), default=timezone.now)

    class Meta:
        verbose_name = _("report of a provider")
        verbose_name_plural = _("reports of providers")
        db_table = "wallet_provider_report"
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "event_id"], name="wallet_provider_report_comes_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.event_id}"
