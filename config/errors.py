"""The error pages.

Under ASGI Django renders them in a separate thread. Their header shows a balance, so that thread opens a database
connection. The end of the request does not return it to the pool, so the pages do so themselves.
"""

import logging
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.core.exceptions import BadRequest
from django.db import DataError, InternalError, OperationalError, connections
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template import loader
from django.utils.decorators import sync_only_middleware
from django.views import defaults

from core.database.outage import is_away

logger = logging.getLogger(__name__)

SECONDS_TO_COME_BACK: Final = 1
# The pool looks for a database that is away twice a second.
SECONDS_TO_COME_BACK_AFTER_OUTAGE: Final = 5
# Lock and statement timeouts, deadlocks, serialization failures, and transactions that were idle for too
# long.
_BUSY: Final = frozenset({"55P03", "57014", "40P01", "40001", "25P03"})
# Values that no column can hold. psycopg refuses NUL itself, without a database error code.
_UNUSABLE: Final = frozenset({None, "22003", "22021", "22P05"})


def _tidy(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def page(*args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(*args, **kwargs)
        finally:
            for connection in connections.all(initialized_only=True):
                if not connection.in_atomic_block:
                    connection.close_if_unusable_or_obsolete()

    return page


def _answer_server_error(request: HttpRequest) -> HttpResponse:
    """Answer when a middleware fails: `AnswerDatabaseErrors` handles only errors of views."""
    error = sys.exc_info()[1]
    if isinstance(error, Exception) and (is_busy(error) or is_away(error)):
        return _answer_given_up(error)
    return defaults.server_error(request)


bad_request = _tidy(defaults.bad_request)
permission_denied = _tidy(defaults.permission_denied)
page_not_found = _tidy(defaults.page_not_found)
server_error = _tidy(_answer_server_error)


def is_busy(error: Exception) -> bool:
    """Return whether the database gave up this request in favour of another one.

    Nothing was changed, so the request may be repeated.
    """
    return isinstance(error, OperationalError | InternalError) and _get_code(error) in _BUSY


def is_unusable(error: Exception) -> bool:
    """Return whether a request contains a value that cannot be stored or queried: NUL, or a number out of range."""
    return isinstance(error, DataError) and _get_code(error) in _UNUSABLE


def _get_code(error: Exception) -> str | None:
    return getattr(error.__cause__, "sqlstate", None)


def log_given_up(kind: str, error: Exception) -> int:
    """Log one line about a request that the database refused, and return the seconds after which to retry it.

    A traceback for each request would let one blocked row fill the log.
    """
    is_outage = not is_busy(error)
    line = str(error).strip().splitlines()[0]
    logger.warning(f"{kind} was given up: %s", line, extra={"is_outage": is_outage})  # noqa: G004 - a kind of lines
    return SECONDS_TO_COME_BACK_AFTER_OUTAGE if is_outage else SECONDS_TO_COME_BACK


def _answer_given_up(error: Exception) -> HttpResponse:
    seconds = log_given_up("a page", error)
    return HttpResponse(
        loader.get_template("503.html").render({"is_outage": not is_busy(error)}),
        status=503,
        headers={"Retry-After": str(seconds), "Cache-Control": "no-store"},
    )


class AnswerDatabaseErrors:
    """Middleware: show an error page if the database refuses a request for reasons that are not defects of the site."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if is_busy(error) or is_away(error):
            return _answer_given_up(error)
        if is_unusable(error):
            if "\0" in request.path:
                return page_not_found(request, Http404())
            return bad_request(request, BadRequest())
        return None


@sync_only_middleware
def drop_unusable_cookies(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Any:
    """Middleware: drop cookies that contain NUL, as a quoted value may.

    It runs before the session middleware, which looks up the session cookie in the database.
    """

    def handle(request: HttpRequest) -> HttpResponseBase:
        for name in [name for name, value in request.COOKIES.items() if "\0" in value]:
            del request.COOKIES[name]
        return get_response(request)

    return handle
