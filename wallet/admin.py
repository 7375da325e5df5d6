from wallet.bonus_admin import BonusAdmin
from wallet.cash_admin import (
    DepositAdmin,
    TaxRuleAdmin,
    WithdrawalAdmin,
    WithdrawalPolicyAdmin,
    YearEndTaxAdmin,
)
from wallet.fee_admin import FeeScheduleAdmin
from wallet.ledger_admin import (
    JournalAdmin,
    LedgerAccountAdmin,
    LedgerCheckAdmin,
    LedgerSealAdmin,
    TransferAdmin,
)
from wallet.limit_admin import DepositLimitAdmin, LossLimitAdmin, SelfExclusionAdmin

__all__ = [
    "BonusAdmin",
    "DepositAdmin",
    "DepositLimitAdmin",
    "FeeScheduleAdmin",
    "JournalAdmin",
    "LedgerAccountAdmin",
    "LedgerCheckAdmin",
    "LedgerSealAdmin",
    "LossLimitAdmin",
    "SelfExclusionAdmin",
    "TaxRuleAdmin",
    "TransferAdmin",
    "WithdrawalAdmin",
    "WithdrawalPolicyAdmin",
    "YearEndTaxAdmin",
]
