"""Everything that moves money: `from wallet import services as wallet`."""

from wallet.refusals import (
    AccountClosed,
    CashIsOff,
    DepositLimitReached,
    DepositOutOfRange,
    ExclusionTooShort,
    HoldEnded,
    HoldExceeded,
    HoldExpired,
    IdempotencyConflict,
    InsufficientFunds,
    MalformedPosting,
    NoFeeSchedule,
    PracticeChipsNotYet,
    SelfExcluded,
    UnknownHold,
    WalletRefusal,
)
from wallet.services.deposits import start_deposit, take_notice
from wallet.services.entries import settle_pot, take_entry_fees, take_rejoin_fee
from wallet.services.fees import set_starting_fees
from wallet.services.holds import Held, capture, expire_holds, hold, release
from wallet.services.limits import exclude_oneself, set_deposit_limit
from wallet.services.posting import Posting, Swept, post_transfers, sweep
from wallet.services.refunds import refund_entries
from wallet.services.seats import buy_in, cash_out, fund_bot, top_up
from wallet.services.settlement import PointsSettlement, settle_points
from wallet.services.welcome import grant_welcome_chips, may_reload_chips, reload_chips

__all__ = [
    "AccountClosed",
    "CashIsOff",
    "DepositLimitReached",
    "DepositOutOfRange",
    "ExclusionTooShort",
    "Held",
    "HoldEnded",
    "HoldExceeded",
    "HoldExpired",
    "IdempotencyConflict",
    "InsufficientFunds",
    "MalformedPosting",
    "NoFeeSchedule",
    "PointsSettlement",
    "Posting",
    "PracticeChipsNotYet",
    "SelfExcluded",
    "Swept",
    "UnknownHold",
    "WalletRefusal",
    "buy_in",
    "capture",
    "cash_out",
    "exclude_oneself",
    "expire_holds",
    "fund_bot",
    "grant_welcome_chips",
    "hold",
    "may_reload_chips",
    "post_transfers",
    "refund_entries",
    "release",
    "reload_chips",
    "set_deposit_limit",
    "set_starting_fees",
    "settle_points",
    "settle_pot",
    "start_deposit",
    "sweep",
    "take_entry_fees",
    "take_notice",
    "take_rejoin_fee",
    "top_up",
]
