"""Outages of the database: recognizing the errors of an outage, asking whether it lasts, and limiting its log lines."""

import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Final

import psycopg
from django.db import InterfaceError, OperationalError, connection

# For a load balancer and monitoring, which wait about a second; the pool's own timeout is several.
SECONDS_TO_ANSWER: Final = 0.8
SECONDS_BETWEEN_LINES: Final = 60
# Classes and codes of errors: no connection, the server shuts down or starts, too many connections.
_AWAY: Final = ("08", "57P01", "57P02", "57P03", "53300")
_POOL: Final = "psycopg.pool"


def is_away(error: BaseException) -> bool:
    """Return whether the database could not be reached, or was lost during a statement.

    After a lost connection it is unknown whether the transaction was committed. psycopg's own errors, such as a pool
    without a free connection, have no database error code.
    """
    if isinstance(error, InterfaceError):
        return "closed" in str(error)
    if not isinstance(error, OperationalError):
        return False
    code = getattr(error.__cause__, "sqlstate", None)
    return code is None or code.startswith(_AWAY)


def is_database_answering() -> bool:
    """Return whether the database answers in time. The query runs in a thread.

    Callers that come while a query is running wait for the same one.
    """
    try:
        return _ask_once().result(timeout=SECONDS_TO_ANSWER)
    except TimeoutError:
        return False


_asking = threading.Lock()
_asked: Future[bool] | None = None


def _ask_once() -> Future[bool]:
    global _asked  # noqa: PLW0603 - one question for each process
    with _asking:
        if _asked is None or _asked.done():
            _asked = _open_thread().submit(_ask)
        return _asked


@cache
def _open_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="database-probe")


def _ask() -> bool:
    """Query the database over a new connection: a pool with no free connection says nothing about the database."""
    parameters = connection.get_connection_params() | {"autocommit": True}
    try:
        with psycopg.connect(**parameters) as own:
            own.execute("SELECT 1")
    except psycopg.Error:
        return False
    return True


class OutageLimit(logging.Filter):
    """Passes one log record a minute of each kind during an outage of the database, as one line without a traceback.

    Each process tries again several times a second, and all jobs and pages fail in the same way. A kind is a logger
    with an unformatted message.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        away = next((one for one in _list_errors(record) if is_away(one)), None)
        is_of_outage = away is not None or getattr(record, "is_outage", record.name == _POOL)
        if record.levelno < logging.WARNING or not is_of_outage:
            return True
        kind = (record.name, str(record.msg))
        passed_at, dropped = self._kinds.get(kind, (-SECONDS_BETWEEN_LINES, 0))
        now = time.monotonic()
        if now - passed_at < SECONDS_BETWEEN_LINES:
            self._kinds[kind] = (passed_at, dropped + 1)
            return False
        self._kinds[kind] = (now, 0)
        self._shorten(record, away, dropped)
        return True

    def _shorten(
        self, record: logging.LogRecord, error: BaseException | None, dropped: int
    ) -> None:
        more = f" ({dropped} more in the last minutes)" if dropped else ""
        said = record.getMessage()
        because = f": {error}" if error is not None and str(error) not in said else ""
        record.msg = " ".join(f"{said}{because}".split()) + more
        record.args = ()
        record.exc_info = record.exc_text = None


def _list_errors(record: logging.LogRecord) -> Iterator[BaseException]:
    """Yield the errors of a record, each with its causes."""
    named = record.args if isinstance(record.args, tuple) else ()
    for error in (record.exc_info[1] if record.exc_info else None, *named):
        cause = error if isinstance(error, BaseException) else None
        while cause is not None:
            yield cause
            cause = cause.__cause__ or cause.__context__
