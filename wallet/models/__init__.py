"""Everything of the wallet that is stored."""

from wallet.models.deposits import Deposit, PaymentNotice
from wallet.models.fees import FeeSchedule
from wallet.models.ledger import (
    Entry,
    Hold,
    HoldLine,
    HoldResolution,
    Journal,
    LedgerAccount,
    Transfer,
)
from wallet.models.limits import DepositLimit, SelfExclusion

__all__ = [
    "Deposit",
    "DepositLimit",
    "Entry",
    "FeeSchedule",
    "Hold",
    "HoldLine",
    "HoldResolution",
    "Journal",
    "LedgerAccount",
    "PaymentNotice",
    "SelfExclusion",
    "Transfer",
]
