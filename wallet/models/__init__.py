"""Everything of the wallet that is stored."""

from wallet.models.bonuses import Bonus
from wallet.models.campaigns import Campaign, CampaignUse
from wallet.models.deposits import Deposit, PaymentWebhook
from wallet.models.fees import FeeSchedule
from wallet.models.free_chips import FreeChips
from wallet.models.ledger import (
    AccountKind,
    Entry,
    Hold,
    HoldLine,
    HoldResolution,
    Journal,
    LedgerAccount,
    Reason,
    Transfer,
)
from wallet.models.limits import DepositLimit, LimitPeriod, LossLimit, SelfExclusion
from wallet.models.providers import ProviderChoice
from wallet.models.reports import ReportFigure, ReportPeriod
from wallet.models.seals import LedgerCheck, LedgerSeal, SealHorizon
from wallet.models.taxes import TaxRule, YearEndTax
from wallet.models.withdrawals import (
    GIVEN_BACK,
    STEPS,
    PayoutWebhook,
    Withdrawal,
    WithdrawalPolicy,
)

__all__ = [
    "GIVEN_BACK",
    "STEPS",
    "AccountKind",
    "Bonus",
    "Campaign",
    "CampaignUse",
    "Deposit",
    "DepositLimit",
    "Entry",
    "FeeSchedule",
    "FreeChips",
    "Hold",
    "HoldLine",
    "HoldResolution",
    "Journal",
    "LedgerAccount",
    "LedgerCheck",
    "LedgerSeal",
    "LimitPeriod",
    "LossLimit",
    "PaymentWebhook",
    "PayoutWebhook",
    "ProviderChoice",
    "Reason",
    "ReportFigure",
    "ReportPeriod",
    "SealHorizon",
    "SelfExclusion",
    "TaxRule",
    "Transfer",
    "Withdrawal",
    "WithdrawalPolicy",
    "YearEndTax",
]
