"""Rate and concurrency limits on requests, the same as in deploy/nginx.conf, whatever proxy is in front.

Each process counts in its own memory, before Django runs. A flood therefore uses no thread, database or Redis.
"""

import re
from collections import Counter
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final

from django.conf import settings

from tables.live.sockets import Budget, get_address

# Addresses that check passwords or create accounts.
DOORS: Final = re.compile(
    r"/(?:accounts/login|accounts/signup|accounts/password|accounts/phone|admin/login|oauth/token|oauth/revoke|oauth/device|oauth/userinfo|device)"
)
MOST_AT_ONCE_OF_A_VISITOR: Final = 100
MOST_AT_ONCE_OF_A_NETWORK: Final = 4_000
_TOO_MANY: Final = b"Too many requests. Try again in a moment.\n"

Application = Callable[[Any, Any, Any], Awaitable[None]]


class RequestLimits:
    """The counters of one process.

    A visitor is identified by their session, so that thousands of phones behind one address are told apart, or else
    by their network. Since anybody can invent sessions, each network also has wider limits of its own.
    """

    def __init__(self) -> None:
        self._pages = Budget(a_second=20, at_once=60), Budget(a_second=300, at_once=900)
        self._doors = Budget(a_second=1, at_once=20), Budget(a_second=10, at_once=200)
        self._at_once: Counter[tuple[str, str]] = Counter()

    def limit(self, application: Application) -> Application:
        """Wrap the application so that excessive requests are answered with 429."""

        async def answer(scope: Any, receive: Any, send: Any) -> None:
            network = get_address(scope)
            if not network or scope["path"].startswith(settings.STATIC_URL):
                await application(scope, receive, send)
                return
            visitor = _read_session(scope) or network
            if not self._take(scope["path"], visitor, network):
                await _refuse(send)
                return
            keys = ("visitor", visitor), ("network", network)
            self._at_once.update(keys)
            try:
                await application(scope, receive, send)
            finally:
                for key in keys:
                    self._at_once[key] -= 1
                    if not self._at_once[key]:
                        del self._at_once[key]

        return answer

    def _take(self, path: str, visitor: str, network: str) -> bool:
        of_visitor, of_network = self._doors if DOORS.match(path) else self._pages
        return (
            self._at_once["visitor", visitor] < MOST_AT_ONCE_OF_A_VISITOR
            and self._at_once["network", network] < MOST_AT_ONCE_OF_A_NETWORK
            and of_visitor.take(visitor)
            and of_network.take(network)
        )


def _read_session(scope: Any) -> str:
    """Return the session key in a browser's cookie, or an empty string if it is missing or unreadable."""
    for name, value in scope["headers"]:
        if name == b"cookie":
            try:
                cookie = SimpleCookie(value.decode("latin-1")).get(settings.SESSION_COOKIE_NAME)
            except CookieError:
                return ""
            return "" if cookie is None else cookie.value
    return ""


async def _refuse(send: Any) -> None:
    headers = [(b"content-type", b"text/plain"), (b"retry-after", b"1")]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": _TOO_MANY})
