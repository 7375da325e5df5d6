"""The context of a log line: the request, the person, the table, the match.

It is held in context variables, so it follows the work into threads; `ContextFilter` adds it to
every record. Ids alone: no names, addresses or secrets.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import uuid4

from django.http import HttpRequest
from django.http.response import HttpResponseBase

LONGEST_REQUEST_ID = 64
EMPTY: Mapping[str, object] = {}

_context: ContextVar[Mapping[str, object]] = ContextVar("log_context", default=EMPTY)


def bind(**fields: object) -> None:
    """Add to the context of what runs now."""
    _context.set({**_context.get(), **fields})


@contextmanager
def bound(**fields: object) -> Iterator[None]:
    """Add to the context for a while."""
    token = _context.set({**_context.get(), **fields})
    try:
        yield
    finally:
        _context.reset(token)


class ContextFilter(logging.Filter):
    """Puts the context into every record: as fields, and as one text for plain lines."""

    def filter(self, record: logging.LogRecord) -> bool:
        fields = _context.get()
        for name, value in fields.items():
            setattr(record, name, value)
        record.context = "".join(f" {name}={value}" for name, value in fields.items())
        return True


def note_request(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: each request has an id, the proxy's or a new one, which the answer names."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-ID", "")
        is_fit = given.isascii() and given.isprintable() and 0 < len(given) <= LONGEST_REQUEST_ID
        request_id = given if is_fit else uuid4().hex
        with bound(request=request_id):
            response = get_response(request)
        response.headers["X-Request-ID"] = request_id
        return response

    return handle
