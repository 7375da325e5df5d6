"""Codes by text message or e-mail that prove who owns the number or address. Each session has one code at a time."""

import secrets
import time
import unicodedata
from typing import Any, Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from accounts.refusals import NOT_ANUMBER, TOO_MANY_CODES, WRONG_CODE
from core.refusals import Refusal
from core.site.content import site
from core.tasks import send_sms
from core.throttling import Rate, identify_household, take
from core.values.typed import spell_code

LASTS_SECONDS: Final = 600
GUESSES: Final = 5
OF_A_NUMBER: Final = 3
OF_A_NUMBER_SECONDS: Final = 600
OF_A_NUMBER_A_DAY: Final = 8
# Limit for a network: an IPv4 address may belong to a whole mobile carrier.
OF_A_NETWORK: Final = 30
_HOUR: Final = 3_600
_DAY: Final = 86_400
_KEY: Final = "phone_code"


def read_number(text: str) -> str:
    """Return a phone number in international form, "+919876543210". Adds the site's country code if there is none.

    Raises NOT_ANUMBER, also for a country to which the operator sends no messages.
    """
    import phonenumbers  # noqa: PLC0415 - a megabyte of numbers, for sites that send texts

    text = unicodedata.normalize("NFKC", text).strip()
    if text.startswith("00"):
        text = f"+{text[2:]}"
    country = phonenumbers.parse(f"{settings.SMS_COUNTRIES[0]}000000").country_code or 0
    try:
        read = phonenumbers.parse(text, phonenumbers.region_code_for_country_code(country))
    except phonenumbers.NumberParseException:
        raise Refusal(NOT_ANUMBER) from None
    number = phonenumbers.format_number(read, phonenumbers.PhoneNumberFormat.E164)
    kinds = phonenumbers.PhoneNumberType
    # In some countries mobile numbers look like others.
    reads_texts = phonenumbers.number_type(read) in {kinds.MOBILE, kinds.FIXED_LINE_OR_MOBILE}
    if not reads_texts or read.extension or not number.startswith(tuple(settings.SMS_COUNTRIES)):
        raise Refusal(NOT_ANUMBER)
    return number


def send_code(request: HttpRequest, number: str, **state: Any) -> None:
    """Send a code to a number. `state`, kept in the session, says what the code is for. Raises TOO_MANY_CODES."""
    rates = (
        Rate(f"sms:{number}", OF_A_NUMBER, OF_A_NUMBER_SECONDS),
        Rate(f"sms-day:{number}", OF_A_NUMBER_A_DAY, _DAY),
        Rate(f"sms-from:{identify_household(request)}", OF_A_NETWORK, _HOUR),
        Rate("sms", settings.SMS_A_DAY, _DAY),
    )
    if not take(*rates).is_allowed:
        raise Refusal(TOO_MANY_CODES)
    code = _begin(request, {**state, "number": number})
    text = _write(code)
    if settings.SHOW_MAIL_LINKS:
        request.session[_KEY]["shown"] = text
    send_sms.apply_async((number, text), expires=LASTS_SECONDS)


def mail_code(request: HttpRequest, email: str, **state: Any) -> None:
    """Send a code to the signed-in player's address, as `send_code` does to a number. Raises TOO_MANY_CODES."""
    rates = (
        Rate(f"mailed-code:{request.user.pk}", OF_A_NUMBER, OF_A_NUMBER_SECONDS),
        Rate(f"mailed-code-day:{request.user.pk}", OF_A_NUMBER_A_DAY, _DAY),
    )
    if not take(*rates).is_allowed:
        raise Refusal(TOO_MANY_CODES)
    code = _begin(request, {**state, "number": email, "reader": request.user.pk})
    if settings.SHOW_MAIL_LINKS:
        request.session[_KEY]["shown"] = _write(code)
    get_adapter().send_mail("accounts/email/code", email, {"code": code})


def _begin(request: HttpRequest, state: dict[str, Any]) -> str:
    """Make a code, keep its hash and `state` in the session, and return the code."""
    code, nonce = f"{secrets.randbelow(10**6):06d}", secrets.token_hex(8)
    request.session[_KEY] = {
        **state,
        "nonce": nonce,
        "code": _seal(nonce, code),
        "until": time.time() + LASTS_SECONDS,
    }
    return code


def _write(code: str) -> str:
    return _("%(code)s is your code for %(site)s. Do not give it to anybody.") % {
        "code": code,
        "site": site().name,
    }


def get_pending_code(session: SessionBase) -> dict[str, Any] | None:
    """Return the state of the pending code, with its `number`, or None if no code is pending."""
    state = session.get(_KEY)
    return state if state and time.time() < state["until"] else None


def take_code(session: SessionBase, code: str) -> dict[str, Any]:
    """Check the code, use it up and return its state. Raises WRONG_CODE, also after too many guesses."""
    state = get_pending_code(session)
    if state is None:
        raise Refusal(WRONG_CODE)
    guesses = Rate(f"sms-guess:{state['nonce']}", GUESSES, LASTS_SECONDS)
    if not take(guesses).is_allowed:
        forget_code(session)
        raise Refusal(WRONG_CODE)
    if not constant_time_compare(_seal(state["nonce"], spell_code(code)), state["code"]):
        raise Refusal(WRONG_CODE)
    forget_code(session)
    return dict(state)


def forget_code(session: SessionBase) -> None:
    """Forget the pending code, so that the person can start again with another number."""
    session.pop(_KEY, None)


def _seal(nonce: str, code: str) -> str:
    """Return the hash of a code. The session keeps only the hash, so that nobody can read the code there."""
    return salted_hmac(f"{_KEY}:{nonce}", code, algorithm="sha256").hexdigest()
