"""The sealed chain over the ledger's history, and what its checks found."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class LedgerSeal(models.Model):
    """One link: a hash over the link before and every transfer after its last one, in the order of
    their ids, up to this `last_transfer_id`. Only ledger_seal writes it; see docs/money.md."""

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
    """The one row: transfers up to `transfer_id` may be sealed once every transaction before
    `transaction_id` has ended, because none of them can bring an earlier id then."""

    id = models.SmallIntegerField(primary_key=True)
    transfer_id = models.BigIntegerField()
    transaction_id = models.BigIntegerField()

    class Meta:
        db_table = "wallet_seal_horizon"

    def __str__(self) -> str:
        return f"up to {self.transfer_id}"


class LedgerCheck(models.Model):
    """A check of the ledger. The last one decides about withdrawals and /ledgerz.

    `findings` are the first ones, [{"check": ..., "subject": ...}]; `found` counts all.
    """

    checked_at = models.DateTimeField(_("checked"), default=timezone.now, db_index=True)
    found = models.IntegerField(_("findings"))
    findings = models.JSONField(_("first findings"), default=list)
    # The end of the chain as it was seen, "number:hash"; a chain that is shorter later was cut.
    head = models.TextField(_("last seal"), blank=True)

    class Meta:
        verbose_name = _("ledger check")
        verbose_name_plural = _("ledger checks")
        db_table = "wallet_ledger_check"

    def __str__(self) -> str:
        return f"{timezone.localtime(self.checked_at):%Y-%m-%d %H:%M} {self.found}"

    @property
    def first(self) -> str:
        """The first finding, as it is logged."""
        return next((f"{finding['check']}: {finding['subject']}" for finding in self.findings), "")
