"""Wrong passwords: how many are let through, so that nobody guesses one and nobody is locked out.

Counted for account and address together: five wrong ones at an address end nothing for the owner
of the account at another. A browser in which that account has been signed in before has attempts
of its own, apart from those at its address. And an address has a wider limit for all accounts
together, which leaves room for the many telephones behind one address of a carrier.
"""

from hashlib import sha256

from allauth.account.utils import filter_users_by_email
from django.conf import settings
from django.http import HttpRequest

from accounts.throttling.known_devices import device_of
from core import throttling
from core.throttling import Rate, Taken

_SECONDS = 300
OF_AN_ACCOUNT_AT_AN_ADDRESS = 5
OF_AN_ACCOUNT_ON_ITS_DEVICE = 10


def take_attempt(request: HttpRequest, email: str) -> Taken:
    """Count an attempt before the password is looked at; a right one is given back."""
    if (own := _device_rate(request, email)) is not None:
        return throttling.take(own)
    return throttling.take(_account_rate(request, email), _address_rate(request))


def forget_attempts(request: HttpRequest, email: str) -> None:
    """The account has a new password: its owner may type it wrong as often as anybody."""
    names = [_account_rate(request, email).name]
    if (own := _device_rate(request, email)) is not None:
        names.append(own.name)
    throttling.clear(*names)


def _device_rate(request: HttpRequest, email: str) -> Rate | None:
    device = device_of(request)
    if device is None or "\0" in email:
        return None
    seen_here = {user.pk for user in filter_users_by_email(email)} & set(device.people)
    if not seen_here:
        return None
    name = f"password:{min(seen_here)}:{device.name}"
    return Rate(name, OF_AN_ACCOUNT_ON_ITS_DEVICE, _SECONDS)


def _account_rate(request: HttpRequest, email: str) -> Rate:
    account = sha256(email.strip().lower().encode(errors="surrogatepass")).hexdigest()
    name = f"password:{account}:{throttling.household(request)}"
    return Rate(name, OF_AN_ACCOUNT_AT_AN_ADDRESS, _SECONDS)


def _address_rate(request: HttpRequest) -> Rate:
    most = settings.WRONG_PASSWORDS_OF_AN_ADDRESS
    return Rate(f"password::{throttling.site(request)}", most, _SECONDS)
