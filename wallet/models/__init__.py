"""Everything of the wallet that is stored."""

from wallet.models.bonuses import Bonus
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
from wallet.models.limits import DepositLimit, LimitPeriod, LossLimit, SelfExclusion
from wallet.models.seals import LedgerCheck, LedgerSeal, SealHorizon
from wallet.models.taxes import TaxRule, YearEndTax
from wallet.models.withdrawals import (
    GIVEN_BACK,
    STEPS,
    PayoutNotice,
    Withdrawal,
    WithdrawalPolicy,
)

__all__ = [
    "GIVEN_BACK",
    "STEPS",
    "Bonus",
    "Deposit",
    "DepositLimit",
    "Entry",
    "FeeSchedule",
    "Hold",
    "HoldLine",
    "HoldResolution",
    "Journal",
    "LedgerAccount",
    "LedgerCheck",
    "LedgerSeal",
    "LimitPeriod",
    "LossLimit",
    "PaymentNotice",
    "PayoutNotice",
    "SealHorizon",
    "SelfExclusion",
    "TaxRule",
    "Transfer",
    "Withdrawal",
    "WithdrawalPolicy",
    "YearEndTax",
]
