"""Limits on wrong passwords, which stop guessing without letting strangers lock the owner out.

Attempts are counted by account and address together, so a stranger's attempts at one address do not block the owner
at another. Attempts from a browser in which the account has signed in before are counted separately. Such a browser
is recognized by a signed cookie, which gives no access. Each address also has a higher limit for all accounts
together, because many phones may share one address of a mobile carrier.
"""

from dataclasses import dataclass
from hashlib import sha256
from uuid import uuid4

from allauth.account.utils import filter_users_by_email
from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from core import throttling
from core.throttling import Rate, Taken

_SECONDS = 300
OF_AN_ACCOUNT_AT_AN_ADDRESS = 5
OF_AN_ACCOUNT_ON_ITS_DEVICE = 10


def take_attempt(request: HttpRequest, email: str) -> Taken:
    """Count an attempt before the password is checked.

    If the password is correct, the caller gives the attempt back.
    """
    if (own := _device_rate(request, email)) is not None:
        return throttling.take(own)
    return throttling.take(_account_rate(request, email), _address_rate(request))


def forget_attempts(request: HttpRequest, email: str) -> None:
    """Reset the attempts of an account after a new password."""
    names = [_account_rate(request, email).name]
    if (own := _device_rate(request, email)) is not None:
        names.append(own.name)
    throttling.clear(*names)


def _device_rate(request: HttpRequest, email: str) -> Rate | None:
    device = read_device(request)
    if device is None or "\0" in email:
        return None
    seen_here = {user.pk for user in filter_users_by_email(email)} & set(device.people)
    if not seen_here:
        return None
    name = f"password:{min(seen_here)}:{device.name}"
    return Rate(name, OF_AN_ACCOUNT_ON_ITS_DEVICE, _SECONDS)


def _account_rate(request: HttpRequest, email: str) -> Rate:
    account = sha256(email.strip().lower().encode(errors="surrogatepass")).hexdigest()
    name = f"password:{account}:{throttling.identify_household(request)}"
    return Rate(name, OF_AN_ACCOUNT_AT_AN_ADDRESS, _SECONDS)


def _address_rate(request: HttpRequest) -> Rate:
    most = settings.WRONG_PASSWORDS_OF_AN_ADDRESS
    return Rate(f"password::{throttling.identify_site(request)}", most, _SECONDS)


COOKIE = "known_device"
_SALT = "accounts.sign_in_limits"
_SECONDS_KNOWN = 400 * 24 * 3600  # the longest that browsers keep a cookie
_PEOPLE_KEPT = 8


@dataclass(frozen=True, slots=True)
class Device:
    """A known browser. `people` holds the ids of the users who signed in there, the most recent last."""

    name: str
    people: tuple[int, ...]


def read_device(request: HttpRequest) -> Device | None:
    """Return the known browser that sent the request, or None without a valid signed cookie."""
    cookie = request.COOKIES.get(COOKIE)
    if not cookie:
        return None
    try:
        stored = signing.loads(cookie, salt=_SALT, max_age=_SECONDS_KNOWN)
    except signing.BadSignature:
        return None
    return Device(stored["device"], tuple(stored["people"]))


def remember(request: HttpRequest, response: HttpResponseBase, *, user_id: int) -> None:
    """Set the cookie by which this browser is recognized after the sign-in."""
    device = read_device(request) or Device(uuid4().hex, ())
    people = [person for person in device.people if person != user_id] + [user_id]
    response.set_cookie(
        COOKIE,
        signing.dumps({"device": device.name, "people": people[-_PEOPLE_KEPT:]}, salt=_SALT),
        max_age=_SECONDS_KNOWN,
        # Limit the cookie to the pages that ask for passwords.
        path="/accounts/",
        secure=bool(settings.SESSION_COOKIE_SECURE),
        httponly=True,
        samesite="Lax",
    )
