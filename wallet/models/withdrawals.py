"""Withdrawals of winnings, their policies and webhooks."""

from collections.abc import Mapping

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallet.models.ledger import Hold
from wallet.models.taxes import TaxRule
from wallet.money import Currency, format_amount


class WithdrawalPolicy(models.Model):
    """The limits of withdrawals, in paise, from a given time on. Of the valid policies, the newest applies."""

    least = models.BigIntegerField(_("minimum amount"), help_text=_("Of one withdrawal, in paise."))
    most_a_day = models.BigIntegerField(
        _("maximum within 24 hours"), help_text=_("Of all withdrawals of a player, in paise.")
    )
    second_approval_above = models.BigIntegerField(
        _("second approval above"),
        help_text=_("In paise. Larger withdrawals need a second, different administrator."),
    )
    valid_from = models.DateTimeField(_("valid from"), default=timezone.now, unique=True)

    class Meta:
        verbose_name = _("withdrawal policy")
        verbose_name_plural = _("withdrawal policies")
        db_table = "wallet_withdrawal_policy"
        permissions = [("lift_second_approval", "Can lift the second approval at once")]
        constraints = [
            models.CheckConstraint(
                condition=Q(least__gt=0, most_a_day__gte=F("least"), second_approval_above__gte=0),
                name="wallet_withdrawal_policy_makes_sense",
                violation_error_message=_(
                    "The minimum amount must be more than zero, and the maximum must not "
                    "be less than the minimum."
                ),
            ),
        ]

    def __str__(self) -> str:
        least, most = (format_amount(n, Currency.INR) for n in (self.least, self.most_a_day))
        return f"₹{least} - ₹{most}"


class Withdrawal(models.Model):
    """A withdrawal of winnings. A hold keeps the money until the withdrawal ends.

    `amount` leaves the winnings: `tax` of it goes to the tax office, `net` to the player.
    """

    class State(models.TextChoices):
        REQUESTED = "REQUESTED", _("waiting for approval")
        NEEDS_SECOND = "NEEDS_SECOND", _("waiting for a second approval")
        APPROVED = "APPROVED", _("approved")
        SENT = "SENT", _("on its way to you")
        PAID = "PAID", _("paid")
        REFUSED = "REFUSED", _("refused")
        CANCELLED = "CANCELLED", _("cancelled by the player")
        FAILED = "FAILED", _("failed")
        IN_DISPUTE = "IN_DISPUTE", _("being looked into")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="withdrawals",
        verbose_name=_("player"),
    )
    reference = models.TextField(_("reference"), unique=True)
    amount = models.BigIntegerField(_("amount"), help_text=_("In paise."))
    net_winnings = models.BigIntegerField(_("net winnings"), help_text=_("The part that is taxed."))
    tax = models.BigIntegerField(_("tax"))
    net = models.BigIntegerField(_("paid out"))
    rule = models.ForeignKey(TaxRule, models.PROTECT, related_name="+", verbose_name=_("tax rule"))
    policy = models.ForeignKey(
        WithdrawalPolicy, models.PROTECT, related_name="+", verbose_name=_("withdrawal policy")
    )
    pay_to = models.CharField(_("UPI address"), max_length=100)
    provider = models.TextField(_("provider"))
    payout_id = models.TextField(
        _("payment"), blank=True, help_text=_("The provider's own reference.")
    )
    hold = models.OneToOneField(Hold, models.PROTECT, related_name="withdrawal", null=True)
    state = models.TextField(_("state"), choices=State.choices, default=State.REQUESTED)
    reason = models.TextField(_("reason"), blank=True, help_text=_("Shown to the player."))
    requested_at = models.DateTimeField(_("requested"), default=timezone.now)
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        verbose_name=_("approved by"),
    )
    second_approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        verbose_name=_("second approval by"),
    )
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        verbose_name=_("ended by"),
    )
    # When the payout is sent to the provider next; set while approved and not yet sent.
    send_at = models.DateTimeField(_("to be sent"), null=True)
    ended_at = models.DateTimeField(_("ended"), null=True)

    class Meta:
        verbose_name = _("withdrawal")
        verbose_name_plural = _("withdrawals")
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gt=0, net__gt=0, tax__gte=0, amount=F("net") + F("tax")),
                name="wallet_withdrawal_is_net_and_tax",
            ),
            models.CheckConstraint(
                condition=Q(net_winnings__gte=0, net_winnings__lte=F("amount")),
                name="wallet_withdrawal_net_winnings_are_a_part",
            ),
            models.CheckConstraint(
                condition=Q(second_approved_by=None) | ~Q(second_approved_by=F("approved_by")),
                name="wallet_withdrawal_is_approved_by_two",
            ),
            models.CheckConstraint(
                condition=(Q(approved_by=None) | ~Q(approved_by=F("user")))
                & (Q(second_approved_by=None) | ~Q(second_approved_by=F("user"))),
                name="wallet_withdrawal_is_approved_by_others",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["APPROVED", "SENT", "PAID"], approved_by=None),
                name="wallet_withdrawal_leaves_approved",
            ),
            models.CheckConstraint(
                condition=Q(state="APPROVED", send_at__isnull=False)
                | Q(~Q(state="APPROVED"), send_at=None),
                name="wallet_withdrawal_is_sent_when_approved",
            ),
            models.CheckConstraint(
                condition=~Q(state="REFUSED", reason=""),
                name="wallet_withdrawal_refusal_has_a_reason",
            ),
        ]
        indexes = [
            models.Index(
                fields=["send_at"],
                condition=Q(send_at__isnull=False),
                name="wallet_withdrawal_to_be_sent",
            ),
        ]
        permissions = [("decide_withdrawal", "Can approve and refuse withdrawals")]

    def __str__(self) -> str:
        return (
            f"{self.reference}: ₹{format_amount(self.amount, Currency.INR)}, "
            f"{self.get_state_display()}"
        )

    @property
    def may_be_cancelled(self) -> bool:
        return Withdrawal.State.CANCELLED in STEPS[Withdrawal.State(self.state)]


_State = Withdrawal.State
# The allowed steps. A success may follow a failure: the money has left all the same.
STEPS: Mapping[Withdrawal.State, frozenset[Withdrawal.State]] = {
    _State.REQUESTED: frozenset(
        {_State.NEEDS_SECOND, _State.APPROVED, _State.REFUSED, _State.CANCELLED}
    ),
    _State.NEEDS_SECOND: frozenset({_State.APPROVED, _State.REFUSED, _State.CANCELLED}),
    _State.APPROVED: frozenset({_State.SENT, _State.PAID, _State.FAILED, _State.IN_DISPUTE}),
    _State.SENT: frozenset({_State.PAID, _State.FAILED, _State.IN_DISPUTE}),
    _State.FAILED: frozenset({_State.PAID, _State.IN_DISPUTE}),
    _State.IN_DISPUTE: frozenset({_State.PAID, _State.FAILED}),
    _State.PAID: frozenset(),
    _State.REFUSED: frozenset(),
    _State.CANCELLED: frozenset(),
}
# States in which the money is back with the player.
GIVEN_BACK = (_State.REFUSED, _State.CANCELLED, _State.FAILED)


class PayoutWebhook(models.Model):
    """A provider's webhook about a payout, stored once, with its effect."""

    class Effect(models.TextChoices):
        PAID = "PAID", _("marked as paid")
        FAILED = "FAILED", _("marked as failed")
        IGNORED = "IGNORED", _("no effect: already decided")
        MISMATCH = "MISMATCH", _("to be checked: the message does not match the payment")
        REPEATED = "REPEATED", _("no effect: received before")
        UNKNOWN = "UNKNOWN", _("no effect: unknown reference")

    withdrawal = models.ForeignKey(Withdrawal, models.PROTECT, related_name="webhooks")
    provider = models.TextField(_("provider"))
    event_id = models.TextField(_("event"))
    payment_id = models.TextField(_("payment"))
    outcome = models.TextField(_("outcome"))
    amount = models.BigIntegerField(_("amount"))
    currency = models.TextField(_("currency"))
    effect = models.TextField(_("effect"), choices=Effect.choices)
    received_at = models.DateTimeField(_("received"), default=timezone.now)

    class Meta:
        verbose_name = _("payout webhook")
        verbose_name_plural = _("payout webhooks")
        db_table = "wallet_payout_webhook"
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "event_id"], name="wallet_payout_webhook_comes_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.effect}"
