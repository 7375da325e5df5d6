from wallet.bonuses.admin import BonusAdmin, CampaignAdmin, CampaignUseAdmin
from wallet.deposits.admin import DepositAdmin
from wallet.fees.admin import FeeScheduleAdmin
from wallet.ledger.admin import (
    JournalAdmin,
    LedgerAccountAdmin,
    LedgerCheckAdmin,
    LedgerSealAdmin,
    TransferAdmin,
)
from wallet.limits.admin import DepositLimitAdmin, LossLimitAdmin, SelfExclusionAdmin
from wallet.payments.admin import PaymentCaseAdmin, ProviderChoiceAdmin
from wallet.tax.admin import TaxRuleAdmin, YearEndTaxAdmin
from wallet.withdrawals.admin import WithdrawalAdmin, WithdrawalPolicyAdmin

__all__ = [
    "BonusAdmin",
    "CampaignAdmin",
    "CampaignUseAdmin",
    "DepositAdmin",
    "DepositLimitAdmin",
    "FeeScheduleAdmin",
    "JournalAdmin",
    "LedgerAccountAdmin",
    "LedgerCheckAdmin",
    "LedgerSealAdmin",
    "LossLimitAdmin",
    "PaymentCaseAdmin",
    "ProviderChoiceAdmin",
    "SelfExclusionAdmin",
    "TaxRuleAdmin",
    "TransferAdmin",
    "WithdrawalAdmin",
    "WithdrawalPolicyAdmin",
    "YearEndTaxAdmin",
]
