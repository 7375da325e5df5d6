"""Browsers in which somebody has signed in before, known again by a signed cookie.

Who guesses at a password comes from elsewhere, so guesses never lock out a known browser.
The cookie opens nothing: it is only worth attempts of its own.
"""

from dataclasses import dataclass
from uuid import uuid4

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase

COOKIE = "known_device"
_SALT = "accounts.throttling.known_devices"
_SECONDS_KNOWN = 400 * 24 * 3600  # the longest that browsers keep a cookie
_PEOPLE_KEPT = 8


@dataclass(frozen=True, slots=True)
class Device:
    """`people`: the ids of those who have signed in here, the last one last."""

    name: str
    people: tuple[int, ...]


def device_of(request: HttpRequest) -> Device | None:
    """None for a browser that nobody has signed in with, or that shows what we have not signed."""
    cookie = request.COOKIES.get(COOKIE)
    if not cookie:
        return None
    try:
        stored = signing.loads(cookie, salt=_SALT, max_age=_SECONDS_KNOWN)
    except signing.BadSignature:
        return None
    return Device(stored["device"], tuple(stored["people"]))


def remember(request: HttpRequest, response: HttpResponseBase, *, user_id: int) -> None:
    """This person has signed in with this browser."""
    device = device_of(request) or Device(uuid4().hex, ())
    people = [person for person in device.people if person != user_id] + [user_id]
    response.set_cookie(
        COOKIE,
        signing.dumps({"device": device.name, "people": people[-_PEOPLE_KEPT:]}, salt=_SALT),
        max_age=_SECONDS_KNOWN,
        # Where passwords are asked for: no other page has any use for it.
        path="/accounts/",
        secure=bool(settings.SESSION_COOKIE_SECURE),
        httponly=True,
        samesite="Lax",
    )
