"""Authentication of sockets: by the session of a page of this site, or by a token from anywhere."""

import json
import logging
import re
from typing import Any, Final
from urllib.parse import urlparse

from channels.routing import URLRouter
from channels.security.websocket import OriginValidator
from channels.sessions import CookieMiddleware
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.urls import path, re_path

from accounts.api.access import pause_of_wrong_token
from accounts.api_tokens.browsers import is_registered
from accounts.api_tokens.services import find_token
from accounts.models import ApiToken, Scope, User
from config.api.problems import DOCS, list_error_codes
from config.sockets.consumers import MeConsumer, OwnNews
from config.sockets.identity import at_the_door, find_person
from config.sockets.socket_limits import SocketLimits, refuse
from core.threads import TooMuchAsked, aside
from tables.live.consumers import TableConsumer
from tables.live.sockets import get_address
from tables.play.lock import DATABASE_FAILED
from tables.seating.hosting.invitations import guest_at
from tournaments.live.consumers import websocket_urlpatterns as of_tournaments

logger = logging.getLogger(__name__)

# The subprotocol that a program's page offers beside its token. The answer chooses it, so no token is sent back.
PROTOCOL: Final = "openrummy"
_BEARER: Final = "bearer."

_limits = SocketLimits()


async def _refuse(scope: Any, receive: Any, send: Any) -> None:
    """Answer 404 for an unknown address. Without a route Channels would answer 500 and log a traceback."""
    problem = _build_problem(404, "not_found", "There is no such socket, or none for programs.")
    await refuse(scope, receive, send, 404, problem)


_TABLE = "ws/tables/<int:table_id>/"
# The stubs of path() only know views.
_table_of_page: Any = path(_TABLE, TableConsumer.as_asgi(news=OwnNews))  # type: ignore[arg-type]
_table_of_program: Any = path(_TABLE, TableConsumer.as_asgi())  # type: ignore[arg-type]
_me: Any = path("ws/me/", MeConsumer.as_asgi())  # type: ignore[arg-type] # for views alone
_elsewhere: Any = re_path("", _refuse)  # type: ignore[arg-type] # for views alone
_for_pages = URLRouter([_table_of_page, *of_tournaments, _me, _elsewhere])


_TABLE_PATH = re.compile(r"/ws/tables/([0-9]{1,18})/")


def _find_guest(session: Any, table_id: int) -> User | None:
    """Return this browser's guest, if it is a guest at this table."""
    number = guest_at(session, table_id)
    return None if number is None else User.objects.filter(pk=number, is_active=True).first()


class _Auth:
    """Authenticates a socket. A client without a session is anonymous, which needs no thread or database.

    Nothing is written to the session. Channels' own middleware would check the session for each frame that is sent.
    """

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        person: User | None = None
        session = SessionStore(scope["cookies"].get(settings.SESSION_COOKIE_NAME))
        if session.session_key:
            person = await at_the_door(find_person, session.session_key)
            if person is None and (table := _TABLE_PATH.fullmatch(scope["path"])):
                person = await aside(_find_guest, session, int(table[1]))
        known = {"session": session, "user": person or AnonymousUser()}
        await self._application({**scope, **known}, receive, send)


_known = _Auth(_limits.limit_each(_for_pages))
_routes = CookieMiddleware(_limits.refuse_returning(_known))


class _FromOwnPages(OriginValidator):
    """Refuses sockets of pages from other origins, and tells them so."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        origin = _read_header(scope, b"origin")
        try:
            is_own = self.valid_origin(None if origin is None else urlparse(origin))
        except ValueError:  # "https://[" or "https://a.example:99999", which no browser sends
            is_own = False
        if is_own:
            await _routes(scope, receive, send)
        else:
            await _refuse_origin(scope, receive, send)


async def _refuse_origin(scope: Any, receive: Any, send: Any) -> None:
    told = "Sockets are for this site's own pages, registered origins, and programs with a token."
    problem = _build_problem(403, "origin_not_allowed", told)
    await refuse(scope, receive, send, 403, problem)


# A host name alone would admit every port and scheme of that host, so deployments list whole origins.
_by_session = _FromOwnPages(_routes, settings.WEBSOCKET_ORIGINS or settings.ALLOWED_HOSTS)
_by_token = _limits.limit_each(URLRouter([_table_of_program, _me, _elsewhere]))


async def _admit(scope: Any, receive: Any, send: Any) -> None:
    """Admit a socket by its token or its session.

    Browsers never send `Authorization` with a socket, so with that header the origin is irrelevant. A program's
    page offers its token as a subprotocol, from an origin that a program has registered. Programs may play and
    receive the news needed for that; the other sockets are for pages.
    """
    text, origin = _read_bearer(scope), None
    if text is None and (text := _read_offered_token(scope)) is not None:
        origin, send = _read_header(scope, b"origin"), _choose_protocol(send)
    if text is None:
        await _by_session(scope, receive, send)
        return
    # Not on the threads of moves: strangers must not delay them.
    token, pause = await at_the_door(_check_token, text, get_address(scope))
    if pause:
        await refuse(scope, receive, send, 429, b"Too many wrong tokens.\n")
        return
    if token is None:
        told = _build_problem(
            401, "authentication_failed", "The token is unknown, revoked or expired."
        )
        challenge = 'Bearer error="invalid_token"'
        await refuse(scope, receive, send, 401, told, challenge=challenge)
        return
    if origin is not None and not await at_the_door(is_registered, origin):
        await _refuse_origin(scope, receive, send)
        return
    if Scope.PLAY not in token.scopes:
        told = _build_problem(
            403, "permission_denied", "This token needs the right “play”.", scope="play"
        )
        challenge = 'Bearer error="insufficient_scope", scope="play"'
        await refuse(scope, receive, send, 403, told, challenge=challenge)
        return
    known = {"user": token.user, "token_id": token.pk, "token_scopes": token.scopes}
    admitted: Any = {**scope, **known}
    await _by_token(admitted, receive, send)


async def _admit_or_refuse(scope: Any, receive: Any, send: Any) -> None:
    """Admit a socket, or answer 503 if the person cannot be looked up now."""
    try:
        await _admit(scope, receive, send)
    except (*DATABASE_FAILED, TooMuchAsked) as error:
        logger.warning("a socket was not opened: %r", error)
        await refuse(scope, receive, send, 503)


websocket_application = _limits.limit(_admit_or_refuse)


def _check_token(text: str, address: str) -> tuple[ApiToken | None, float]:
    """Return the token with this text and 0, or None and the seconds to wait.

    The client only has to wait after too many wrong tokens from its address. As in the API, other people's wrong tokens
    never block a correct one.
    """
    token = find_token(text)
    return token, 0 if token is not None else pause_of_wrong_token(address)


def _build_problem(status: int, code: str, detail: str, **more: str) -> bytes:
    """Return a problem in the API's format (RFC 9457), for programs that read the response to their handshake."""
    title = list_error_codes()[code]
    return json.dumps(
        {
            "type": f"{DOCS}#{code}",
            "title": title,
            "status": status,
            "detail": detail,
            "code": code,
            "fields": {},
            **more,
        }
    ).encode()


def _read_header(scope: Any, name: bytes) -> str | None:
    header = dict(scope["headers"]).get(name)
    return None if header is None else str(header.decode("ascii", "replace"))


def _read_bearer(scope: Any) -> str | None:
    """Return the bearer token in the header: empty if the header has another scheme, None if there is no header."""
    header = _read_header(scope, b"authorization")
    if header is None:
        return None
    scheme, _space, text = header.partition(" ")
    return text.strip() if scheme.lower() == "bearer" else ""


def _read_offered_token(scope: Any) -> str | None:
    """Return the token among the subprotocols that a page offers, or None."""
    offered = scope.get("subprotocols", ())
    if PROTOCOL not in offered:
        return None
    tokens = [one.removeprefix(_BEARER) for one in offered if one.startswith(_BEARER)]
    return tokens[0] if tokens else None


def _choose_protocol(send: Any) -> Any:
    """Wrap `send` to name the subprotocol: browsers close a socket that accepts none of those they offered."""

    async def accept(message: Any) -> None:
        if message["type"] == "websocket.accept":
            message = {**message, "subprotocol": PROTOCOL}
        await send(message)

    return accept
