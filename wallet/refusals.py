"""The refusals of the wallet, each with a code for programs and a sentence for players."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from core.refusals import Refusal


class InsufficientFunds(Refusal):
    code = "insufficient_funds"
    message = _("There is not enough in your wallet for this.")


class WalletClosed(Refusal):
    code = "account_closed"
    message = _("This account is closed.")


class BotsHaveNoCash(Refusal):
    code = "bots_have_no_cash"
    message = _("BOT accounts play for nothing and have no cash.")


class AccountFrozen(Refusal):
    code = "account_frozen"
    message = _("This account is frozen.")


class AddressNotConfirmed(Refusal):
    code = "address_not_confirmed"
    message = _(
        "Cash is for accounts with a confirmed e-mail address: follow the link in our mail, or "
        "have it sent again in your settings."
    )


class IdempotencyConflict(Refusal):
    """The key was used for something else: a bug or a forgery, never a retry."""

    code = "idempotency_conflict"
    message = _("This was already done differently.")


class MalformedPosting(Refusal):
    code = "malformed_posting"
    message = _("This amount cannot be posted.")


class AlreadyReversed(Refusal):
    code = "already_reversed"
    message = _("This was already reversed.")


class NothingToReverse(Refusal):
    code = "nothing_to_reverse"
    message = _("There is nothing to reverse.")


class NoFeeSchedule(Refusal):
    code = "no_fee_schedule"
    message = _("There is no service fee for this stake yet.")


class FeeTermsWrong(Refusal):
    code = "fee_terms_wrong"
    message = _("The fee is 0 to 10000 hundredths of a percent, and the highest fee not negative.")


class FeeTooEarly(Refusal):
    code = "fee_too_early"
    message = _("A fee that has been charged cannot change: choose a later time.")


class FeeHasEnded(Refusal):
    code = "fee_has_ended"
    message = _("This fee has ended by then: follow the current one, or add a new one.")


class CashIsOff(Refusal):
    code = "cash_is_off"
    message = _("Nothing is played for cash here.")


class DepositLimitReached(Refusal):
    code = "deposit_limit_reached"
    message = _("This deposit would go beyond the limit that you have set.")


class LossLimitReached(Refusal):
    code = "loss_limit_reached"
    message = _("With this you could lose more than the limit that you have set.")


class SelfExcluded(Refusal):
    code = "self_excluded"
    message = _("You have excluded yourself from playing for now.")


class ExclusionTooShort(Refusal):
    code = "exclusion_too_short"
    message = _("It takes at least 24 hours, and never ends before one that runs already.")


class DepositOutOfRange(Refusal):
    code = "deposit_out_of_range"
    message = _("A single deposit may not be this small or this large.")


class CampaignUnknown(Refusal):
    code = "campaign_unknown"
    message = _("There is no such code. Check the spelling.")


class CampaignIsOver(Refusal):
    code = "campaign_is_over"
    message = _("This code does not count now, or has been used as often as it may be.")


class CampaignUsed(Refusal):
    code = "campaign_used"
    message = _("You have used a code of this kind already.")


class NotForThisAccount(Refusal):
    code = "campaign_not_for_this_account"
    message = _("This code is for new accounts.")


class TooManyCampaignCodes(Refusal):
    code = "too_many_codes"
    message = _("You have tried many codes. Try again in an hour.")


class DepositsAreOff(Refusal):
    code = "deposits_are_off"
    message = _("No deposits are taken at the moment. Come back a little later.")


class RegionNotStated(Refusal):
    code = "region_not_stated"
    message = _("Say first where you live: in your account, on the page “Where you live”.")


class RegionRefusesCash(Refusal):
    code = "region_refuses_cash"
    message = _("Where you live nobody plays for cash. You can play for chips.")


class AgeNotProven(Refusal):
    code = "age_not_proven"
    message = _("Where you live cash waits for your age: have your identity checked first.")


class TooYoungForCash(Refusal):
    code = "too_young_for_cash"
    message = _("Where you live you are too young to play for cash. You can play for chips.")


class ProviderAway(Refusal):
    code = "provider_away"
    message = _("The payment provider does not answer. Nothing was paid; try again in a minute.")


class IdentityNotApproved(Refusal):
    code = "identity_not_approved"
    message = _("Before a withdrawal your identity has to be approved.")


class WithdrawalsNotOpen(Refusal):
    code = "withdrawals_not_open"
    message = _("Nothing can be withdrawn here yet.")


class WithdrawalsFrozen(Refusal):
    """The last check of the ledger found something; see wallet.models.LedgerCheck."""

    code = "withdrawals_frozen"
    message = _(
        "Withdrawals are paused while our books are being checked. Your money stays where it is; "
        "try again later."
    )


class NoTaxRule(Refusal):
    code = "no_tax_rule"
    message = _("Nothing can be withdrawn until the tax on it has been set.")


class YearNotSettled(Refusal):
    code = "year_not_settled"
    message = _("The tax of the last financial year is being worked out; try again later.")


class WithdrawalTooSmall(Refusal):
    code = "withdrawal_too_small"
    message = _("This is less than the least that can be withdrawn.")


class WithdrawalLimitReached(Refusal):
    code = "withdrawal_limit_reached"
    message = _("This is more than can be withdrawn within 24 hours.")


class WithdrawalChanged(Refusal):
    code = "withdrawal_changed"
    message = _("The tax has changed since you looked; look at the amounts again.")


class WithdrawalDecided(Refusal):
    code = "withdrawal_decided"
    message = _("This withdrawal has moved on; look at its current state.")


class OwnWithdrawal(Refusal):
    code = "own_withdrawal"
    message = _("You cannot decide about your own money; ask another administrator.")


class SameAdministrator(Refusal):
    code = "same_administrator"
    message = _("A second, different administrator has to approve this.")


class BonusTermsWrong(Refusal):
    code = "bonus_terms_wrong"
    message = _(
        "These terms do not make a valid bonus: check the amount, the chunks, the times and the days."
    )


class BonusNotForOneself(Refusal):
    code = "bonus_not_for_oneself"
    message = _("You cannot give yourself a bonus; ask another administrator.")


class ChipsNotForOneself(Refusal):
    code = "chips_not_for_oneself"
    message = _("You cannot give chips to yourself; ask another administrator.")


class TooFewChipsToTake(Refusal):
    """`free`: the chips that the player could be asked for."""

    code = "too_few_chips_to_take"
    message = _("This player has %(free)s free chips. Take no more than that.")

    def __init__(self, *, free: int) -> None:
        super().__init__(detail=f"{free} free")
        self.free = free

    def __str__(self) -> str:
        return str(self.message) % {"free": f"{self.free:,}"}


class BonusNotForExcluded(Refusal):
    code = "bonus_not_for_excluded"
    message = _("This player takes a break from playing and gets no bonus until it ends.")


class PaymentReasonMissing(Refusal):
    code = "reason_missing"
    message = _("Write a reason: the player reads it.")


class PracticeChipsNotYet(Refusal):
    code = "practice_chips_not_yet"
    message = _("New practice chips are there once a day, when you have hardly any left.")


class ChipsOfDeviceGiven(Refusal):
    code = "chips_of_device_given"
    message = _(
        "This browser has had free chips for as many accounts as it may. Play with the account "
        "that you had before."
    )


class ChipsOfAddressGiven(Refusal):
    code = "chips_of_address_given"
    message = _(
        "Many accounts at your internet address have had free chips today. Confirm your email "
        "address to get your welcome chips, or come back tomorrow for practice chips."
    )


class UnknownHold(Refusal):
    code = "unknown_hold"
    message = _("There is no such reservation.")


class HoldEnded(Refusal):
    code = "hold_ended"
    message = _("This reservation has already ended.")


class HoldExpired(Refusal):
    code = "hold_expired"
    message = _("This reservation has expired.")


class HoldNotExpired(Refusal):
    code = "hold_not_expired"
    message = _("This reservation has not expired yet.")


class HoldExceeded(Refusal):
    code = "hold_exceeded"
    message = _("This is more than was reserved.")


class RefundDecided(Refusal):
    code = "refund_decided"
    message = _("This payment has moved on; look at its current state.")


class PlayerFrozen(Refusal):
    code = "player_frozen"
    message = _("This account is frozen: nothing is paid out to it. Unfreeze it or refuse.")


class CaseDecided(Refusal):
    code = "case_decided"
    message = RefundDecided.message


class PaymentDisputed(Refusal):
    code = "payment_disputed"
    message = _(
        "The bank wants a payment of yours back. You can withdraw again once this is settled; "
        "write to our support."
    )


# Refusals by the SQLSTATE of the posting functions (wallet/sql) and by violated constraint.
BY_SQLSTATE: dict[str, type[Refusal]] = {
    "LG001": IdempotencyConflict,
    "LG002": WalletClosed,
    "LG003": MalformedPosting,
    "LG004": UnknownHold,
    "LG005": HoldEnded,
    "LG006": HoldExpired,
    "LG007": HoldExceeded,
    "LG009": NothingToReverse,
    "LG011": HoldNotExpired,
    "22003": MalformedPosting,  # a number that no account can hold
}
BY_CONSTRAINT: dict[str, type[Refusal]] = {
    "wallet_account_is_never_overdrawn": InsufficientFunds,
    "wallet_account_closes_empty": WalletClosed,
    "wallet_journal_reverses_id_key": AlreadyReversed,
}

# Of anybody who plays, also for nothing.
OF_PLAYERS: Final = (AccountFrozen, SelfExcluded, WalletClosed)
# Of paying for play from the wallet.
OF_STAKES: Final = (
    *OF_PLAYERS,
    AddressNotConfirmed,
    AgeNotProven,
    CashIsOff,
    InsufficientFunds,
    LossLimitReached,
    RegionNotStated,
    RegionRefusesCash,
    TooYoungForCash,
)
