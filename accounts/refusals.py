"""Refusals about people: each has a code and a sentence."""

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class AccountRefusal(Exception):  # noqa: N818 - a refusal is expected, not an error
    """Nothing was changed. `str()` is the sentence for people."""

    code = "account_refusal"
    message: str | Promise = _("This was refused.")

    def __str__(self) -> str:
        return str(self.message)


class TooYoung(AccountRefusal):
    code = "too_young"
    message: str | Promise = _("This site is for people of 18 years and older.")

    def __init__(self, least_age: int) -> None:
        super().__init__()
        self.message = gettext("This site is for people of %(least_age)s years and older.") % {
            "least_age": least_age
        }


class TooManyGuests(AccountRefusal):
    code = "too_many_guests"
    message = _(
        "Many guests have come from your network or to this table just now. Register and play at "
        "once, or try again later."
    )


class SwitchedOff(AccountRefusal):
    code = "switched_off"
    message = _("This is switched off at the moment. Come back a little later.")


class PageIsPublished(AccountRefusal):
    code = "page_is_published"
    message = _("This version is published already; write a new draft.")


class TermsHaveChanged(AccountRefusal):
    code = "terms_have_changed"
    message = _("The terms have changed while you read. Read them again and accept them.")


class RegionIsStated(AccountRefusal):
    code = "region_is_stated"
    message = _("You have said where you live; our staff change it for you.")


class IdentityKnown(AccountRefusal):
    code = "identity_known"
    message = _("Your identity is being checked or has been approved; there is nothing to send.")


class IdentityDecided(AccountRefusal):
    code = "identity_decided"
    message = _("This identity check has been decided already.")


class OwnIdentity(AccountRefusal):
    code = "own_identity"
    message = _("You cannot decide about yourself; ask another administrator.")


class ReasonMissing(AccountRefusal):
    code = "reason_missing"
    message = _("Write a reason: the player reads it.")


class AccountClosed(AccountRefusal):
    code = "account_closed"
    message = _("This account is closed for ever.")


class NotFrozen(AccountRefusal):
    code = "not_frozen"
    message = _("This account is not frozen.")


class OwnAccount(AccountRefusal):
    code = "own_account"
    message = _("You cannot freeze your own account; ask another administrator.")


class ExportIsThere(AccountRefusal):
    code = "export_is_there"
    message = _("Your file is being made or is ready; you can ask for a new one later.")


class DocumentOfAnother(AccountRefusal):
    code = "document_of_another"
    message = _("This document has been approved for another account; refuse it or look into both.")


class TokenNotWanted(AccountRefusal):
    code = "token_not_wanted"
    message = _("Give the token a name and at least one right; you may have ten tokens.")


class KeyMissing(AccountRefusal):
    code = "idempotency_key_missing"
    message = _("Send an Idempotency-Key of 8 to 64 characters, a new one for each request.")


class KeyUsedOtherwise(AccountRefusal):
    code = "idempotency_conflict"
    message = _("This Idempotency-Key was used for another request; take a new one.")


class SubscriptionUnusable(AccountRefusal):
    code = "subscription_unusable"
    message = _("This browser's push service cannot be reached from here.")


class NotANumber(AccountRefusal):
    code = "not_a_number"
    message = _(
        "Write the number with its country, such as +91 98765 43210. We cannot reach every country."
    )


class TooManyCodes(AccountRefusal):
    code = "too_many_codes"
    message = _("Several codes were sent already. Use the newest one, or try again later.")


class WrongCode(AccountRefusal):
    code = "wrong_code"
    message = _(
        "This code is wrong or has expired. Check the newest message, or ask for a new code."
    )


class NoSuchPreference(AccountRefusal):
    code = "no_such_preference"
    message = _("This choice no longer exists. Reload the page.")


class NoBotAccount(AccountRefusal):
    code = "no_bot_account"
    message = _("Only a new account that has never played or paid in can become a BOT account.")


class NotABotAccount(AccountRefusal):
    code = "not_a_bot_account"
    message = _("This account is not a BOT account.")
