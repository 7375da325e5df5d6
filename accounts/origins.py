"""The origin of a request as marks: one for the browser, by a random number in a cookie, and one for the address.

The number identifies nobody. docs/fair-play.md tells players its purpose.
"""

import re
import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.decorators import sync_only_middleware

from accounts.models.sessions import Origin, compute_mark
from core.throttling import identify_household

COOKIE: Final = "device"
# The longest that browsers keep a cookie.
_COOKIE_LASTS: Final = timedelta(days=400)
_NUMBER_BYTES: Final = 16
_NUMBER: Final = re.compile(r"[A-Za-z0-9_-]{22}")


def read_origin(request: HttpRequest) -> Origin:
    number, today = request.COOKIES.get(COOKIE, ""), timezone.localdate()
    return Origin(
        device=compute_mark("device", number, day=today) if _NUMBER.fullmatch(number) else "",
        address=compute_mark("address", identify_household(request), day=today),
    )


@sync_only_middleware
def number_browsers(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Any:
    """Middleware: when a response sets the CSRF or session cookie, also give the browser a number if it has none."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        needed = {settings.CSRF_COOKIE_NAME, settings.SESSION_COOKIE_NAME} & set(response.cookies)
        if needed and not _NUMBER.fullmatch(request.COOKIES.get(COOKIE, "")):
            response.set_cookie(
                COOKIE,
                secrets.token_urlsafe(_NUMBER_BYTES),
                max_age=_COOKIE_LASTS,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    return handle
