"""The refusals of the wallet, each with a code for programs and a sentence for players."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from core.refusals import AnyRefusal, Refusal, RefusalKind


class InsufficientFunds(Refusal):
    code = "insufficient_funds"
    message = _("There is not enough in your wallet for this.")


WALLET_CLOSED: Final = RefusalKind("account_closed", _("This account is closed."))
BOTS_HAVE_NO_CASH: Final = RefusalKind(
    "bots_have_no_cash", _("BOT accounts play only where nothing is at stake, and have no cash.")
)
ACCOUNT_FROZEN: Final = RefusalKind("account_frozen", _("This account is frozen."))
ADDRESS_NOT_CONFIRMED: Final = RefusalKind(
    "address_not_confirmed",
    _(
        "You can use cash only with a confirmed e-mail address: open the link in our "
        "e-mail, or send it again from your settings."
    ),
)


class IdempotencyConflict(Refusal):
    """The key was used for an event with other facts: a bug or a forgery, never a retry."""

    code = "idempotency_conflict"
    message = _("This request was already carried out with other details.")


MALFORMED_POSTING: Final = RefusalKind("malformed_posting", _("This amount cannot be posted."))
ALREADY_REVERSED: Final = RefusalKind("already_reversed", _("This was already reversed."))
NOTHING_TO_REVERSE: Final = RefusalKind("nothing_to_reverse", _("There is nothing to reverse."))


class NoFeeSchedule(Refusal):
    code = "no_fee_schedule"
    message = _("There is no service fee for this stake yet.")


FEE_TERMS_WRONG: Final = RefusalKind(
    "fee_terms_wrong",
    _(
        "The fee must be 0 to 10000 hundredths of a percent, and the highest fee must not "
        "be negative."
    ),
)
FEE_TOO_EARLY: Final = RefusalKind(
    "fee_too_early", _("A fee that has been charged cannot change: choose a later time.")
)
FEE_HAS_ENDED: Final = RefusalKind(
    "fee_has_ended",
    _(
        "This fee will have ended by then: schedule the next fee from the "
        "current one, or add a new one."
    ),
)
CASH_IS_OFF: Final = RefusalKind(
    "cash_is_off", _("This site has no games for cash. You can play for chips.")
)
DEPOSIT_LIMIT_REACHED: Final = RefusalKind(
    "deposit_limit_reached", _("This deposit would go beyond the limit that you have set.")
)
LOSS_LIMIT_REACHED: Final = RefusalKind(
    "loss_limit_reached",
    _("If you pay this, you could lose more than the limit that you have set."),
)
SELF_EXCLUDED: Final = RefusalKind(
    "self_excluded", _("You have excluded yourself from playing for now.")
)


class ExclusionTooShort(Refusal):
    code = "exclusion_too_short"
    message = _(
        "A self-exclusion lasts at least 24 hours, and cannot end before one "
        "that is already running."
    )


DEPOSIT_OUT_OF_RANGE: Final = RefusalKind(
    "deposit_out_of_range",
    _("This amount is too small or too large for a single deposit."),
)
CAMPAIGN_UNKNOWN: Final = RefusalKind(
    "campaign_unknown", _("There is no such code. Check the spelling.")
)
CAMPAIGN_IS_OVER: Final = RefusalKind(
    "campaign_is_over", _("This code is not valid now, or has been used as many times as allowed.")
)
CAMPAIGN_USED: Final = RefusalKind("campaign_used", _("You have already used a code of this kind."))
NOT_FOR_THIS_ACCOUNT: Final = RefusalKind(
    "campaign_not_for_this_account", _("This code is for new accounts.")
)
TOO_MANY_CAMPAIGN_CODES: Final = RefusalKind(
    "too_many_codes", _("You have tried many codes. Try again in an hour.")
)
DEPOSITS_ARE_OFF: Final = RefusalKind(
    "deposits_are_off", _("No deposits are taken at the moment. Come back a little later.")
)


class RegionNotStated(Refusal):
    code = "region_not_stated"
    message = _("First tell us where you live: in your account, on the page “Where you live”.")


REGION_REFUSES_CASH: Final = RefusalKind(
    "region_refuses_cash", _("Play for cash is not allowed where you live. You can play for chips.")
)
AGE_NOT_PROVEN: Final = RefusalKind(
    "age_not_proven",
    _(
        "Where you live, you need to prove your age before you play for "
        "cash: have your identity checked first."
    ),
)
TOO_YOUNG_FOR_CASH: Final = RefusalKind(
    "too_young_for_cash",
    _("You are too young to play for cash where you live. You can play for chips."),
)
PROVIDER_AWAY: Final = RefusalKind(
    "provider_away",
    _("The payment provider is not answering. Nothing was paid; try again in a minute."),
)
IDENTITY_NOT_APPROVED: Final = RefusalKind(
    "identity_not_approved", _("Before you can withdraw, your identity has to be approved.")
)


class WithdrawalsNotOpen(Refusal):
    code = "withdrawals_not_open"
    message = _("Nothing can be withdrawn here yet.")


class WithdrawalsFrozen(Refusal):
    """The newest check of the ledger has findings; see wallet.models.LedgerCheck."""

    code = "withdrawals_frozen"
    message = _(
        "Withdrawals are paused while our books are being checked. Your money stays where it is; "
        "try again later."
    )


class NoTaxRule(Refusal):
    code = "no_tax_rule"
    message = _("Nothing can be withdrawn until the tax rate has been set.")


YEAR_NOT_SETTLED: Final = RefusalKind(
    "year_not_settled",
    _("The tax of the last financial year is being worked out; try again later."),
)
WITHDRAWAL_TOO_SMALL: Final = RefusalKind(
    "withdrawal_too_small", _("This is less than the minimum that can be withdrawn.")
)
WITHDRAWAL_LIMIT_REACHED: Final = RefusalKind(
    "withdrawal_limit_reached", _("This is more than can be withdrawn within 24 hours.")
)
WITHDRAWAL_CHANGED: Final = RefusalKind(
    "withdrawal_changed", _("The tax has changed since you looked; check the amounts again.")
)
WITHDRAWAL_DECIDED: Final = RefusalKind(
    "withdrawal_decided", _("This withdrawal has changed in the meantime; check its current state.")
)
OWN_WITHDRAWAL: Final = RefusalKind(
    "own_withdrawal", _("You cannot decide about your own withdrawal; ask another administrator.")
)
SAME_ADMINISTRATOR: Final = RefusalKind(
    "same_administrator", _("A second, different administrator has to approve this.")
)
BONUS_TERMS_WRONG: Final = RefusalKind(
    "bonus_terms_wrong",
    _(
        "These terms do not make a valid bonus: check the amount, the chunks, the "
        "multiple and the days."
    ),
)
BONUS_NOT_FOR_ONESELF: Final = RefusalKind(
    "bonus_not_for_oneself", _("You cannot give yourself a bonus; ask another administrator.")
)
CHIPS_NOT_FOR_ONESELF: Final = RefusalKind(
    "chips_not_for_oneself", _("You cannot give chips to yourself; ask another administrator.")
)


class TooFewChipsToTake(Refusal):
    """Staff want to take more chips from a player than are `free` to be taken."""

    code = "too_few_chips_to_take"
    message = _("This player has %(free)s free chips. Take no more than that.")

    def __init__(self, *, free: int) -> None:
        super().__init__(detail=f"{free} free")
        self.free = free

    def __str__(self) -> str:
        return str(self.message) % {"free": f"{self.free:,}"}


BONUS_NOT_FOR_EXCLUDED: Final = RefusalKind(
    "bonus_not_for_excluded",
    _("This player is taking a break from playing and gets no bonus until it ends."),
)
PAYMENT_REASON_MISSING: Final = RefusalKind(
    "reason_missing", _("Write a reason: it is shown to the player.")
)
PRACTICE_CHIPS_NOT_YET: Final = RefusalKind(
    "practice_chips_not_yet",
    _("You can get new practice chips once a day, when you have hardly any left."),
)
CHIPS_OF_DEVICE_GIVEN: Final = RefusalKind(
    "chips_of_device_given",
    _(
        "Free chips have already been given to as many accounts in this browser as we "
        "allow. Play with an account that you already have."
    ),
)
CHIPS_OF_ADDRESS_GIVEN: Final = RefusalKind(
    "chips_of_address_given",
    _(
        "Many accounts at your internet address have had free chips today. Confirm your "
        "e-mail address to get your welcome chips, or come back tomorrow for practice "
        "chips."
    ),
)
UNKNOWN_HOLD: Final = RefusalKind("unknown_hold", _("There is no such reservation."))


class HoldEnded(Refusal):
    code = "hold_ended"
    message = _("This reservation has already ended.")


HOLD_EXPIRED: Final = RefusalKind("hold_expired", _("This reservation has expired."))
HOLD_NOT_EXPIRED: Final = RefusalKind(
    "hold_not_expired", _("This reservation has not expired yet.")
)
HOLD_EXCEEDED: Final = RefusalKind("hold_exceeded", _("This is more than was reserved."))
REFUND_DECIDED: Final = RefusalKind(
    "refund_decided", _("This payment has changed in the meantime; check its current state.")
)
PLAYER_FROZEN: Final = RefusalKind(
    "player_frozen",
    _("This account is frozen: nothing is paid out to it. Unfreeze it, or refuse the withdrawal."),
)
CASE_DECIDED: Final = RefusalKind("case_decided", REFUND_DECIDED.message)
PAYMENT_DISPUTED: Final = RefusalKind(
    "payment_disputed",
    _(
        "The bank wants one of your payments back. You can withdraw again once this is "
        "settled. If you have questions, write to our support."
    ),
)


# Refusals by the SQLSTATE of the posting functions (wallet/sql) and by violated constraint.
BY_SQLSTATE: dict[str, AnyRefusal] = {
    "LG001": IdempotencyConflict,
    "LG002": WALLET_CLOSED,
    "LG003": MALFORMED_POSTING,
    "LG004": UNKNOWN_HOLD,
    "LG005": HoldEnded,
    "LG006": HOLD_EXPIRED,
    "LG007": HOLD_EXCEEDED,
    "LG009": NOTHING_TO_REVERSE,
    "LG011": HOLD_NOT_EXPIRED,
    "22003": MALFORMED_POSTING,  # a number that no account can hold
}
BY_CONSTRAINT: dict[str, AnyRefusal] = {
    "wallet_account_is_never_overdrawn": InsufficientFunds,
    "wallet_account_closes_empty": WALLET_CLOSED,
    "wallet_journal_reverses_id_key": ALREADY_REVERSED,
}

# Refusals of any play, even at tables without stakes.
OF_PLAYERS: Final = (ACCOUNT_FROZEN, SELF_EXCLUDED, WALLET_CLOSED)
# Refusals of payments for play from the wallet.
OF_STAKES: Final = (
    *OF_PLAYERS,
    ADDRESS_NOT_CONFIRMED,
    AGE_NOT_PROVEN,
    CASH_IS_OFF,
    InsufficientFunds,
    LOSS_LIMIT_REACHED,
    RegionNotStated,
    REGION_REFUSES_CASH,
    TOO_YOUNG_FOR_CASH,
)
