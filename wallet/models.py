"""The ledger as tables. The posting functions of wallet/sql write them; Django reads.

Whatever the database can refuse is refused there, not in Python; the constraints' names say what.
The rest of them is in wallet/sql: composite foreign keys, triggers, and the kinds and reasons as
domains (a CHECK with a long list is read anew by every statement: a quarter of a posting's time).
"""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallet.money import BPS, Currency

_CURRENCIES = [(currency.value, currency.value) for currency in Currency]


class LedgerAccount(models.Model):
    """`balance - held` is what may be spent; `seq` counts the account's entries."""

    kind = models.TextField()
    owner_id = models.BigIntegerField()
    currency = models.TextField(choices=_CURRENCIES)
    shard = models.SmallIntegerField(default=0, db_default=0)
    may_be_negative = models.BooleanField(default=False, db_default=False)
    balance = models.BigIntegerField(default=0, db_default=0)
    held = models.BigIntegerField(default=0, db_default=0)
    seq = models.BigIntegerField(default=0, db_default=0)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("ledger account")
        verbose_name_plural = _("ledger accounts")
        db_table = "wallet_account"
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "owner_id", "currency", "shard"],
                name="wallet_account_one_for_each_purpose",
            ),
            models.UniqueConstraint(
                fields=["id", "currency"], name="wallet_account_has_one_currency"
            ),
            models.CheckConstraint(
                condition=Q(balance__gte=F("held")) | Q(may_be_negative=True),
                name="wallet_account_is_never_overdrawn",
            ),
            models.CheckConstraint(
                condition=Q(held__gte=0), name="wallet_account_held_is_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None) | Q(balance=0, held=0),
                name="wallet_account_closes_empty",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}:{self.owner_id}:{self.currency}:{self.shard}"


class Journal(models.Model):
    """One event with its idempotency key, named after its cause ("match:42:settle")."""

    key = models.TextField(unique=True)
    request_hash = models.BinaryField()
    actor_id = models.BigIntegerField(null=True)
    subject = models.TextField()  # what the event is about, "table:7"
    reverses = models.OneToOneField("self", models.PROTECT, null=True, related_name="reversed_by")
    recorded_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.key


class Transfer(models.Model):
    """An amount from one account to another of the same currency: a pair, so always balanced."""

    journal = models.ForeignKey(Journal, models.PROTECT, db_index=False, db_constraint=False)
    line = models.IntegerField()
    source = models.ForeignKey(
        LedgerAccount, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    destination = models.ForeignKey(
        LedgerAccount, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    currency = models.TextField(choices=_CURRENCIES)
    amount = models.BigIntegerField()
    reason = models.TextField()
    happened_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["journal", "line"], name="wallet_transfer_one_for_each_line"
            ),
            models.CheckConstraint(
                condition=Q(amount__gt=0), name="wallet_transfer_amount_is_positive"
            ),
            models.CheckConstraint(
                condition=~Q(source=F("destination")), name="wallet_transfer_accounts_differ"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reason} {self.amount} {self.currency}"


class Entry(models.Model):
    """One side of a transfer, with the account's balance after it."""

    pk = models.CompositePrimaryKey("account_id", "seq")
    account = models.ForeignKey(LedgerAccount, models.PROTECT, db_index=False, db_constraint=False)
    seq = models.BigIntegerField()
    transfer = models.ForeignKey(Transfer, models.PROTECT, db_index=False, db_constraint=False)
    amount = models.BigIntegerField()
    balance_after = models.BigIntegerField()
    happened_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(amount=0), name="wallet_entry_amount_is_not_zero"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id}/{self.seq} {self.amount:+}"


class Hold(models.Model):
    """Amounts set aside until they are posted, voided or expired; see HoldResolution."""

    journal = models.OneToOneField(Journal, models.PROTECT)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"hold {self.pk}"


class HoldLine(models.Model):
    hold = models.ForeignKey(Hold, models.PROTECT, related_name="lines", db_index=False)
    line = models.IntegerField()
    source = models.ForeignKey(
        LedgerAccount, models.PROTECT, related_name="hold_lines", db_constraint=False
    )
    destination = models.ForeignKey(
        LedgerAccount, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    currency = models.TextField(choices=_CURRENCIES)
    amount = models.BigIntegerField()
    reason = models.TextField()

    class Meta:
        db_table = "wallet_hold_line"
        constraints = [
            models.UniqueConstraint(fields=["hold", "line"], name="wallet_hold_line_is_unique"),
            models.CheckConstraint(
                condition=Q(amount__gt=0), name="wallet_hold_line_amount_is_positive"
            ),
            models.CheckConstraint(
                condition=~Q(source=F("destination")), name="wallet_hold_line_accounts_differ"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reason} {self.amount} {self.currency} held"


class HoldResolution(models.Model):
    """How a hold ended. Its primary key is the hold: a hold ends once."""

    class Outcome(models.TextChoices):
        POSTED = "POSTED", _("posted")
        VOIDED = "VOIDED", _("released")
        EXPIRED = "EXPIRED", _("expired")

    hold = models.OneToOneField(Hold, models.PROTECT, primary_key=True, related_name="resolution")
    outcome = models.TextField(choices=Outcome.choices)
    journal = models.OneToOneField(Journal, models.PROTECT)
    resolved_at = models.DateTimeField()

    class Meta:
        db_table = "wallet_hold_resolution"
        constraints = [
            models.CheckConstraint(
                condition=Q(outcome__in=["POSTED", "VOIDED", "EXPIRED"]),
                name="wallet_hold_resolution_outcome_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"hold {self.hold_id} {self.outcome}"


class FeeSchedule(models.Model):
    """The house's share for a range of stakes, both ends included, while it is valid.

    The stake is the value of a point in points rummy and the entry fee elsewhere. The database
    refuses overlapping rows, so at most one answers for any stake at any time.
    """

    class Variant(models.TextChoices):
        POINTS = "POINTS", _("points rummy")
        POOL = "POOL", _("pool rummy")
        DEALS = "DEALS", _("deals rummy")
        TOURNAMENT = "TOURNAMENT", _("tournament")

    variant = models.TextField(_("variant"), choices=Variant.choices)
    currency = models.TextField(_("currency"), choices=_CURRENCIES, default="CHIPS")
    stake_from = models.BigIntegerField(
        _("stake from"), help_text=_("In chips or paise: value of a point, or entry fee.")
    )
    stake_to = models.BigIntegerField(
        _("stake to"), null=True, blank=True, help_text=_("Included. Empty: no upper end.")
    )
    rake_bps = models.IntegerField(
        _("service fee"), help_text=_("In hundredths of a percent: 1000 is 10 %.")
    )
    rake_cap = models.BigIntegerField(
        _("highest fee"), null=True, blank=True, help_text=_("In chips or paise. Empty: none.")
    )
    valid_from = models.DateTimeField(_("valid from"), default=timezone.now)
    valid_until = models.DateTimeField(
        _("valid until"), null=True, blank=True, help_text=_("Not included. Empty: until changed.")
    )

    class Meta:
        verbose_name = _("fee schedule")
        verbose_name_plural = _("fee schedules")
        db_table = "wallet_fee_schedule"
        constraints = [
            models.CheckConstraint(
                condition=Q(stake_from__gte=0)
                & (Q(stake_to=None) | Q(stake_to__gte=F("stake_from"))),
                name="wallet_fee_schedule_stakes_are_a_range",
                violation_error_message=_("The stakes must go from a lower to a higher amount."),
            ),
            models.CheckConstraint(
                condition=Q(rake_bps__gte=0, rake_bps__lte=BPS),
                name="wallet_fee_schedule_rake_is_a_share",
                violation_error_message=_("The fee is 0 to 10000 hundredths of a percent."),
            ),
            models.CheckConstraint(
                condition=Q(rake_cap=None) | Q(rake_cap__gte=0),
                name="wallet_fee_schedule_cap_is_not_negative",
                violation_error_message=_("The highest fee must not be negative."),
            ),
            models.CheckConstraint(
                condition=Q(valid_until=None) | Q(valid_until__gt=F("valid_from")),
                name="wallet_fee_schedule_ends_after_it_begins",
                violation_error_message=_("It must end after it begins."),
            ),
        ]

    def __str__(self) -> str:
        upper = "" if self.stake_to is None else self.stake_to
        return f"{self.variant} {self.currency} {self.stake_from}-{upper}: {self.rake_bps} bps"

    def clean(self) -> None:
        """The same rule as the database's, with the row that is in the way."""
        if None in (self.stake_from, self.valid_from):
            return  # the fields themselves are refused already
        others = FeeSchedule.objects.exclude(pk=self.pk).filter(
            Q(stake_to=None) | Q(stake_to__gte=self.stake_from),
            Q(valid_until=None) | Q(valid_until__gt=self.valid_from),
            variant=self.variant,
            currency=self.currency,
        )
        if self.stake_to is not None:
            others = others.filter(stake_from__lte=self.stake_to)
        if self.valid_until is not None:
            others = others.filter(valid_from__lt=self.valid_until)
        other = others.first()
        if other is not None:
            raise ValidationError(
                _("This overlaps with “%(other)s”, valid from %(since)s."),
                code="fee_schedule_overlap",
                params={"other": other, "since": f"{other.valid_from:%Y-%m-%d %H:%M %Z}"},
            )


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


class DepositLimit(models.Model):
    """The most that a player wants to deposit within a period; the newest row in effect counts."""

    class Period(models.TextChoices):
        DAY = "DAY", _("within 24 hours")
        WEEK = "WEEK", _("within 7 days")
        MONTH = "MONTH", _("within 30 days")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    period = models.TextField(choices=Period.choices)
    amount = models.BigIntegerField(null=True, help_text=_("In paise. Empty: no limit."))
    effective_from = models.DateTimeField()

    class Meta:
        db_table = "wallet_deposit_limit"
        constraints = [
            models.CheckConstraint(
                condition=Q(amount=None) | Q(amount__gt=0),
                name="wallet_deposit_limit_is_positive",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.period} {self.amount}"


class SelfExclusion(models.Model):
    """A player's wish not to play or deposit. It is never shortened; `until` None is for good."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    began_at = models.DateTimeField(_("began"), default=timezone.now)
    until = models.DateTimeField(_("until"), null=True)

    class Meta:
        verbose_name = _("self-exclusion")
        verbose_name_plural = _("self-exclusions")
        db_table = "wallet_self_exclusion"

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d} - {self.until or ''}"
