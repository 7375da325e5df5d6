"""Refusals about people: each has a code and a sentence."""

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.refusals import Refusal


class TooYoung(Refusal):
    code = "too_young"
    message: str | Promise = _("This site is for people of 18 years and older.")

    def __init__(self, least_age: int) -> None:
        super().__init__()
        self.message = gettext("This site is for people of %(least_age)s years and older.") % {
            "least_age": least_age
        }


class TooManyGuests(Refusal):
    code = "too_many_guests"
    message = _(
        "Many guests have come from your network or to this table just now. Register and play at "
        "once, or try again later."
    )


class PageIsPublished(Refusal):
    code = "page_is_published"
    message = _("This version is published already; write a new draft.")


class TermsHaveChanged(Refusal):
    code = "terms_have_changed"
    message = _("The terms have changed while you read. Read them again and accept them.")


class RegionIsStated(Refusal):
    code = "region_is_stated"
    message = _("You have said where you live; our staff change it for you.")


class IdentityKnown(Refusal):
    code = "identity_known"
    message = _("Your identity is being checked or has been approved; there is nothing to send.")


class IdentityDecided(Refusal):
    code = "identity_decided"
    message = _("This identity check has been decided already.")


class OwnIdentity(Refusal):
    code = "own_identity"
    message = _("You cannot decide about yourself; ask another administrator.")


class ReasonMissing(Refusal):
    code = "reason_missing"
    message = _("Write a reason: the player reads it.")


class AccountClosed(Refusal):
    code = "account_closed"
    message = _("This account is closed for ever.")


class NotFrozen(Refusal):
    code = "not_frozen"
    message = _("This account is not frozen.")


class OwnAccount(Refusal):
    code = "own_account"
    message = _("You cannot freeze your own account; ask another administrator.")


class ExportIsThere(Refusal):
    code = "export_is_there"
    message = _("Your file is being made or is ready; you can ask for a new one later.")


class DocumentOfAnother(Refusal):
    code = "document_of_another"
    message = _("This document has been approved for another account; refuse it or look into both.")


class TokenNotWanted(Refusal):
    code = "token_not_wanted"
    message = _("Give the token a name and at least one right; you may have ten tokens.")


class TooManyPrograms(Refusal):
    """A player has as many programs as the operator allows; also where it allows none."""

    code = "too_many_programs"

    def __init__(self, most: int) -> None:
        super().__init__()
        self.message = gettext(
            "You have as many as this site allows (%(most)s). Delete one to make another."
        ) % {"most": most}


class KeyMissing(Refusal):
    code = "idempotency_key_missing"
    status = 400
    message = _("Send an Idempotency-Key of 8 to 64 characters, a new one for each request.")


class KeyUsedOtherwise(Refusal):
    code = "idempotency_conflict"
    message = _("This Idempotency-Key was used for another request; take a new one.")


class SubscriptionUnusable(Refusal):
    code = "subscription_unusable"
    message = _("This browser's push service cannot be reached from here.")


class NotANumber(Refusal):
    code = "not_a_number"
    message = _(
        "Write the number with its country, such as +91 98765 43210. We cannot reach every country."
    )


class TooManyCodes(Refusal):
    code = "too_many_codes"
    message = _("Several codes were sent already. Use the newest one, or try again later.")


class WrongCode(Refusal):
    code = "wrong_code"
    message = _(
        "This code is wrong or has expired. Check the newest message, or ask for a new code."
    )


class NoSuchPreference(Refusal):
    code = "no_such_preference"
    message = _("This choice no longer exists. Reload the page.")


class NoBotAccount(Refusal):
    code = "no_bot_account"
    message = _("Only a new account that has never played or paid in can become a BOT account.")


class NotABotAccount(Refusal):
    code = "not_a_bot_account"
    message = _("This account is not a BOT account.")
