"""Refusals about people. Each has a code and a sentence."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.refusals import Refusal, RefusalKind


class TooYoung(Refusal):
    code = "too_young"
    message: str | Promise = _("This site is for people aged 18 and over.")

    def __init__(self, least_age: int) -> None:
        super().__init__()
        self.message = gettext("This site is for people aged %(least_age)s and over.") % {
            "least_age": least_age
        }


TOO_MANY_GUESTS: Final = RefusalKind(
    "too_many_guests",
    _(
        "Too many guests have just come from your network or to this table. Register to "
        "play at once, or try again later."
    ),
)
PAGE_IS_PUBLISHED: Final = RefusalKind(
    "page_is_published", _("This version is already published; write a new draft.")
)


class TermsHaveChanged(Refusal):
    code = "terms_have_changed"
    message = _("The terms changed while you were reading. Read them again and accept them.")


REGION_IS_STATED: Final = RefusalKind(
    "region_is_stated", _("You have already said where you live; ask our staff to change it.")
)
IDENTITY_KNOWN: Final = RefusalKind(
    "identity_known",
    _("Your identity is being checked or has been approved; there is nothing to send."),
)
IDENTITY_DECIDED: Final = RefusalKind(
    "identity_decided", _("This identity check has been decided already.")
)
OWN_IDENTITY: Final = RefusalKind(
    "own_identity", _("You cannot decide your own case; ask another administrator.")
)
REASON_MISSING: Final = RefusalKind(
    "reason_missing", _("Write a reason: it is shown to the player.")
)
ACCOUNT_CLOSED: Final = RefusalKind("account_closed", _("This account is closed permanently."))
NOT_FROZEN: Final = RefusalKind("not_frozen", _("This account is not frozen."))
OWN_ACCOUNT: Final = RefusalKind(
    "own_account", _("You cannot freeze your own account; ask another administrator.")
)
EXPORT_IS_THERE: Final = RefusalKind(
    "export_is_there", _("Your file is being made or is ready; you can ask for a new one later.")
)
DOCUMENT_OF_ANOTHER: Final = RefusalKind(
    "document_of_another",
    _("This document has been approved for another account; refuse it or look into both."),
)


class TokenNotWanted(Refusal):
    code = "token_not_wanted"
    message = _("Give the token a name and at least one right; you may have at most ten tokens.")


class TooManyPrograms(Refusal):
    """The player has as many programs or webhooks as the operator allows, which may be none."""

    code = "too_many_programs"

    def __init__(self, most: int) -> None:
        super().__init__()
        self.message = gettext(
            "You have as many as this site allows (%(most)s). Delete one to make another."
        ) % {"most": most}


KEY_MISSING: Final = RefusalKind(
    "idempotency_key_missing",
    _("Send an Idempotency-Key of 8 to 64 characters, a new one for each request."),
    status=400,
)
KEY_USED_OTHERWISE: Final = RefusalKind(
    "idempotency_conflict", _("This Idempotency-Key was used for another request; use a new one.")
)


class SubscriptionUnusable(Refusal):
    code = "subscription_unusable"
    message = _("This browser's push service cannot be reached from here.")


NOT_ANUMBER: Final = RefusalKind(
    "not_a_number",
    _(
        "Enter the number with its country code, such as +91 98765 43210. We cannot send "
        "codes to every country."
    ),
)
TOO_MANY_CODES: Final = RefusalKind(
    "too_many_codes",
    _("Several codes have already been sent. Use the newest one, or try again later."),
)
WRONG_CODE: Final = RefusalKind(
    "wrong_code",
    _("This code is wrong or has expired. Check the newest message, or ask for a new code."),
)


class NoSuchPreference(Refusal):
    code = "no_such_preference"
    message = _("This choice no longer exists. Reload the page.")


class NoBotAccount(Refusal):
    code = "no_bot_account"
    message = _(
        "Only a new account that has never played or made a deposit can become a BOT account."
    )


NOT_ABOT_ACCOUNT: Final = RefusalKind("not_a_bot_account", _("This account is not a BOT account."))
