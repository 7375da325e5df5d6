"""Limits on open sockets: per process, player and address.

Sockets are counted apart from pages, so that pages are answered however many sockets are open. A client is refused
before its socket opens, and retries as after any failure.
"""

import asyncio
import contextlib
import resource
from collections import Counter, OrderedDict
from typing import Any, Final

from django.conf import settings

from tables.live.sockets import OPENINGS, Budget, get_address, get_limit_key

# Attempts of an address, counted before the cookie is looked up, which costs most. A refused player's
# attempts count this many times, so they soon cause no lookups.
ATTEMPTS: Final = Budget(a_second=20, at_once=500)
COST_OF_A_REFUSAL: Final = 25
SECONDS_TO_CLOSE: Final = 5
# uvicorn sends an event after its answer and another when the connection is closed.
_CLOSING_EVENTS: Final = 2
# Share of the process's file descriptors; pages, the database and Redis need the rest.
_SHARE_OF_FILES: Final = 0.75
# Sessions whose player was refused; further ones replace the oldest.
_SESSIONS_KEPT: Final = 10_000
# A refusal is sent after this pause, which delays the next attempt; at most this many wait.
SECONDS_TO_A_REFUSAL: Final = 3.0
_MOST_DELAYED: Final = 1_000


class SocketLimits:
    """Counts and limits the open sockets of this process."""

    def __init__(self) -> None:
        self.opened = 0
        self._by_guest: Counter[tuple[str, Any]] = Counter()
        self._turned_away: OrderedDict[tuple[str, str], tuple[str, Any]] = OrderedDict()
        self._delayed = 0

    def limit(self, application: Any) -> Any:
        """Wrap the application with limits on open sockets and on attempts to open one.

        These limits apply before anybody is authenticated.
        """

        async def enter(scope: Any, receive: Any, send: Any) -> None:
            if self.opened >= compute_most_sockets():
                await refuse(scope, receive, send, 503)
            elif not ATTEMPTS.take(get_address(scope)):
                await self._refuse_later(scope, receive, send)
            else:
                self.opened += 1
                try:
                    await application(scope, receive, send)
                finally:
                    self.opened -= 1

        return enter

    def refuse_returning(self, application: Any) -> Any:
        """Wrap the application so that sessions refused a moment ago are refused again.

        Looking up a session takes a thread and two queries. A client that retries immediately is therefore refused
        from memory. The wrapped application must contain `limit_each`, and the cookies must have been read.
        """

        async def enter(scope: Any, receive: Any, send: Any) -> None:
            guest = self._turned_away.get(_identify_visitor(scope))
            if guest is not None:
                if not self._may_enter(guest):
                    await self._refuse_later(scope, receive, send)
                    return
                del self._turned_away[_identify_visitor(scope)]
            await application(scope, receive, send)

        return enter

    def limit_each(self, application: Any) -> Any:
        """Wrap the application with a limit on the open sockets of each player or address."""

        async def enter(scope: Any, receive: Any, send: Any) -> None:
            guest = get_limit_key(scope)
            if not self._may_enter(guest):
                ATTEMPTS.take(get_address(scope), COST_OF_A_REFUSAL)
                self._remember(_identify_visitor(scope), guest)
                await self._refuse_later(scope, receive, send)
                return
            OPENINGS.take(guest)
            self._by_guest[guest] += 1
            try:
                await application(scope, receive, send)
            finally:
                self._by_guest[guest] -= 1
                if not self._by_guest[guest]:
                    del self._by_guest[guest]

        return enter

    async def _refuse_later(self, scope: Any, receive: Any, send: Any) -> None:
        # A delayed refusal holds a file descriptor like an open socket; pages keep theirs.
        has_room = self.opened + self._delayed < compute_most_sockets()
        if has_room and self._delayed < _MOST_DELAYED:
            self._delayed += 1
            try:
                await asyncio.sleep(SECONDS_TO_A_REFUSAL)
            finally:
                self._delayed -= 1
        await refuse(scope, receive, send, 429)

    def _may_enter(self, guest: tuple[str, Any]) -> bool:
        most = (
            settings.SOCKETS_OF_AN_ADDRESS if guest[0] == "from" else settings.SOCKETS_OF_A_PLAYER
        )
        return self._by_guest[guest] < most and OPENINGS.has_room(guest)

    def _remember(self, browser: tuple[str, str], guest: tuple[str, Any]) -> None:
        if browser[0]:
            self._turned_away[browser] = guest
        if len(self._turned_away) > _SESSIONS_KEPT:
            self._turned_away.popitem(last=False)


def _identify_visitor(scope: Any) -> tuple[str, str]:
    """Return the session key of the browser, empty without one, and its address. Together they identify a guest."""
    session = scope.get("cookies", {}).get(settings.SESSION_COOKIE_NAME, "")
    return session, get_address(scope)


def compute_most_sockets() -> int:
    files, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return int(settings.SOCKETS_AT_MOST)
    return min(int(settings.SOCKETS_AT_MOST), int(files * _SHARE_OF_FILES))


async def refuse(
    scope: Any,
    receive: Any,
    send: Any,
    status: int,
    text: bytes = b"Too many sockets.\n",
    *,
    challenge: str = "",
) -> None:
    """Answer with this status instead of opening a socket. Servers without the needed extension answer 403.

    A `text` in JSON is sent as a problem, otherwise the client is told to retry. `challenge` is the
    `WWW-Authenticate` header for a wrong token.
    """
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close"})
        return
    headers = [(b"content-type", b"text/plain"), (b"retry-after", b"5")]
    if text.startswith(b"{"):
        headers = [(b"content-type", b"application/problem+json")]
    if challenge:
        headers.append((b"www-authenticate", challenge.encode()))
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": text})
    # Wait until uvicorn has closed the connection: it logs an application that ends earlier.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(SECONDS_TO_CLOSE):
            for _ in range(_CLOSING_EVENTS):
                while (await receive())["type"] != "websocket.disconnect":
                    pass
