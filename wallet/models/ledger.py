"""The ledger's tables, its chain of seals and its checks.

The posting functions of wallet/sql write these tables; Django only reads them. The database enforces every
rule that it can; the names of the constraints state the rules. More constraints are in wallet/sql: composite
foreign keys, triggers, and domains instead of CHECK constraints. Every statement parses CHECK constraints
anew; together they took a quarter of a posting's time.
"""

from enum import StrEnum

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallet.money import Currency

CURRENCIES = [(currency.value, currency.value) for currency in Currency]


class AccountKind(StrEnum):
    """The purpose of an account. The value is stored."""

    PLAYER = "PLAYER"  # chips, or cash that was deposited
    WINNINGS = "WINNINGS"  # cash that may be withdrawn
    BONUS = "BONUS"  # cash that must be played first
    SEAT = "SEAT"  # a player's stack at a table
    POT = "POT"  # at stake in a match
    PRIZE_POOL = "PRIZE_POOL"
    RAKE = "RAKE"  # the house's share, table by table
    HOUSE = "HOUSE"
    BONUS_EXPENSE = "BONUS_EXPENSE"
    OVERLAY = "OVERLAY"  # what the house adds to reach a guarantee
    TDS_PAYABLE = "TDS_PAYABLE"
    GST_PAYABLE = "GST_PAYABLE"
    DEPOSITS = "DEPOSITS"  # money outside, on its way in
    WITHDRAWALS = "WITHDRAWALS"  # money outside, paid out
    SUSPENSE = "SUSPENSE"
    # Held back for a case of the provider. Below zero: taken by the provider and not yet collected.
    DISPUTED = "DISPUTED"
    MINT = "MINT"  # where chips come from


class Reason(StrEnum):
    """The reason for a transfer. The value is stored."""

    WELCOME = "WELCOME"
    PRACTICE_CHIPS = "PRACTICE_CHIPS"
    DEPOSIT = "DEPOSIT"
    WITHDRAWAL = "WITHDRAWAL"
    BUY_IN = "BUY_IN"
    TOP_UP = "TOP_UP"
    CASH_OUT = "CASH_OUT"
    ENTRY_FEE = "ENTRY_FEE"
    REFUND = "REFUND"
    STAKE = "STAKE"
    WINNINGS = "WINNINGS"
    PRIZE = "PRIZE"
    RAKE = "RAKE"
    SWEEP = "SWEEP"
    BONUS = "BONUS"
    BONUS_RELEASE = "BONUS_RELEASE"
    BONUS_EXPIRY = "BONUS_EXPIRY"
    OVERLAY = "OVERLAY"
    TAX = "TAX"
    REVERSAL = "REVERSAL"
    ADJUSTMENT = "ADJUSTMENT"
    HELD_BACK = "HELD_BACK"
    CHARGEBACK = "CHARGEBACK"
    CORRECTION = "CORRECTION"


class LedgerAccount(models.Model):
    """An account. `balance - held` may be spent; `seq` counts the account's entries."""

    kind = models.TextField()
    owner_id = models.BigIntegerField()
    currency = models.TextField(choices=CURRENCIES)
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
        ]

    def __str__(self) -> str:
        return f"{self.kind}:{self.owner_id}:{self.currency}:{self.shard}"


class Journal(models.Model):
    """One event with its idempotency key, which names its cause ("match:42:settle")."""

    key = models.TextField(unique=True)
    request_hash = models.BinaryField()
    actor_id = models.BigIntegerField(null=True)
    subject = models.TextField()  # what the event is about, "table:7"
    # Only ledger_reverse writes it, after reading the event that it names.
    reverses = models.OneToOneField(
        "self", models.PROTECT, null=True, related_name="reversed_by", db_constraint=False
    )
    recorded_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.key


class Transfer(models.Model):
    """An amount from one account to another of the same currency, balanced by construction."""

    journal = models.ForeignKey(Journal, models.PROTECT, db_index=False, db_constraint=False)
    line = models.IntegerField()
    source = models.ForeignKey(
        LedgerAccount, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    destination = models.ForeignKey(
        LedgerAccount, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    currency = models.TextField(choices=CURRENCIES)
    amount = models.BigIntegerField()
    reason = models.TextField()
    happened_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["journal", "line"], name="wallet_transfer_one_for_each_line"
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

    def __str__(self) -> str:
        return f"{self.account_id}/{self.seq} {self.amount:+}"


class Hold(models.Model):
    """Amounts held until they are posted, released or expired; see HoldResolution."""

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
    currency = models.TextField(choices=CURRENCIES)
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
    """The end of a hold. Its primary key is the hold: a hold ends once."""

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


class LedgerSeal(models.Model):
    """A link of the sealed chain: a hash over the previous link's hash and over this link's transfers, in order of id.

    Only ledger_seal writes it; see docs/money.md.
    """

    number = models.BigIntegerField(primary_key=True)
    first_transfer_id = models.BigIntegerField()
    last_transfer_id = models.BigIntegerField()
    transfers = models.IntegerField()
    previous_hash = models.BinaryField()
    hash = models.BinaryField()
    sealed_at = models.DateTimeField()

    class Meta:
        db_table = "wallet_seal"

    def __str__(self) -> str:
        return f"{self.number}:{bytes(self.hash).hex()}"


class SealHorizon(models.Model):
    """The single row that bounds the next seal.

    Transfers up to `transfer_id` may be sealed once every transaction before `transaction_id` has ended,
    because then none can commit an earlier id.
    """

    id = models.SmallIntegerField(primary_key=True)
    transfer_id = models.BigIntegerField()
    transaction_id = models.BigIntegerField()

    class Meta:
        db_table = "wallet_seal_horizon"

    def __str__(self) -> str:
        return f"up to {self.transfer_id}"


class LedgerCheck(models.Model):
    """A check of the ledger. The newest one decides whether withdrawals are paid, and what /ledgerz answers.

    `findings` holds the first findings, [{"check": ..., "subject": ...}]; `found` is the number of all findings.
    """

    checked_at = models.DateTimeField(_("checked"), default=timezone.now, db_index=True)
    found = models.IntegerField(_("findings"))
    findings = models.JSONField(_("first findings"), default=list)
    # The last seal at the check, "number:hash". A chain that is shorter later was cut.
    head = models.TextField(_("last seal"), blank=True)

    class Meta:
        verbose_name = _("ledger check")
        verbose_name_plural = _("ledger checks")
        db_table = "wallet_ledger_check"

    def __str__(self) -> str:
        return f"{timezone.localtime(self.checked_at):%Y-%m-%d %H:%M} {self.found}"

    @property
    def first(self) -> str:
        """The first finding as text, or "" if there is none."""
        return next((f"{finding['check']}: {finding['subject']}" for finding in self.findings), "")
