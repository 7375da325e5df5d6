"""The wallet's models."""

from wallet.models.cases import PaymentCase, ProviderReport
from wallet.models.fees import FeeSchedule
from wallet.models.gifts import Bonus, Campaign, CampaignUse, FreeChips
from wallet.models.ledger import (
    AccountKind,
    Entry,
    Hold,
    HoldLine,
    HoldResolution,
    Journal,
    LedgerAccount,
    LedgerCheck,
    LedgerSeal,
    Reason,
    SealHorizon,
    Transfer,
)
from wallet.models.limits import DepositLimit, LimitPeriod, LossLimit, SelfExclusion
from wallet.models.payments import Deposit, PaymentWebhook, ProviderChoice
from wallet.models.reports import ReportFigure, ReportPeriod
from wallet.models.taxes import TaxRule, YearEndTax
from wallet.models.withdrawals import GIVEN_BACK, STEPS, PayoutWebhook, Withdrawal, WithdrawalPolicy

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
    "PaymentCase",
    "PaymentWebhook",
    "PayoutWebhook",
    "ProviderChoice",
    "ProviderReport",
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
