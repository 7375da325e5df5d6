"""Log context and log filters.

A log line's context (request, player, table, match) lives in context variables, so it follows the
work into threads. `ContextFilter` adds it to every record. It holds ids only: no names, addresses
or secrets.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from http import HTTPStatus
from typing import Final
from uuid import uuid4

from django.http import HttpRequest
from django.http.response import HttpResponseBase

LONGEST_REQUEST_ID = 64
EMPTY: Mapping[str, object] = {}

_context: ContextVar[Mapping[str, object]] = ContextVar("log_context", default=EMPTY)


def bind(**fields: object) -> None:
    """Add fields to the current context."""
    _context.set({**_context.get(), **fields})


@contextmanager
def bind_context(**fields: object) -> Iterator[None]:
    """Add fields to the context within the block."""
    token = _context.set({**_context.get(), **fields})
    try:
        yield
    finally:
        _context.reset(token)


class ContextFilter(logging.Filter):
    """Adds the context to every record: as fields, and as one string for plain lines."""

    def filter(self, record: logging.LogRecord) -> bool:
        fields = _context.get()
        for name, value in fields.items():
            setattr(record, name, value)
        record.context = "".join(f" {name}={value}" for name, value in fields.items())
        return True


def record_request(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: give each request an id, the proxy's or a new one, and return it in the response's header."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-ID", "")
        is_fit = given.isascii() and given.isprintable() and 0 < len(given) <= LONGEST_REQUEST_ID
        request_id = given if is_fit else uuid4().hex
        with bind_context(request=request_id):
            response = get_response(request)
        response.headers["X-Request-ID"] = request_id
        return response

    return handle


# Limit for warnings that one client may cause through its sockets, which bind `client`, and for uvicorn's
# own warnings, which name no client.
LINES_A_MINUTE: Final = 20
LINES_OF_THE_SERVER: Final = 60
_MINUTE: Final = 60
_CLIENTS_KEPT: Final = 5_000
_SERVER: Final = "uvicorn.error"


class ChosenAnswers(logging.Filter):
    """Drops Django's ERROR record for a 503 response.

    The site sends 503 deliberately: to a health check, or for a page given up as busy, which logs a warning with
    the reason. Defects are answered with 500.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", None) != HTTPStatus.SERVICE_UNAVAILABLE


class ClientLimit(logging.Filter):
    """Passes only the first records of a client in each minute. The last one says that further records are dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        client = getattr(record, "client", None)
        if record.levelno < logging.WARNING or (client is None and record.name != _SERVER):
            return True
        most = LINES_A_MINUTE if client is not None else LINES_OF_THE_SERVER
        count = self._count(str(client))
        if count == most:
            record.msg = f"{record.msg} (no more of this client for a minute)"
        return count <= most

    def _count(self, client: str) -> int:
        now = time.monotonic()
        began, count = self._counts.pop(client, (now, 0))
        if now - began >= _MINUTE:
            began, count = now, 0
        self._counts[client] = (began, count + 1)
        if len(self._counts) > _CLIENTS_KEPT:
            self._counts.popitem(last=False)
        return count + 1
