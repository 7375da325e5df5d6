"""Reads past data from a streaming replica (docs/adr/0014-a-replica.md).

Only the pages of `PAGES` use the replica, for the models that they name; everything else, and all writes, use the
primary. A page waits until the replica has everything that the primary had when the request arrived, so users see
their own writes. If the replica is down, lags behind or lacks a row, the primary answers.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import DEFAULT_DB_ALIAS, Error, connection, connections
from django.db.models import Model
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from core.circuit_breaker import CircuitBreaker
from core.observability.metrics import REPLICA_READS

logger = logging.getLogger(__name__)

REPLICA: Final = "replica"
# How long a request waits for the replica to catch up with the primary.
SECONDS_TO_CATCH_UP: Final = 0.1
SECONDS_BETWEEN_CHECKS: Final = 0.005
# For this long nobody asks a replica that did not answer, and nobody waits for one that was behind.
SECONDS_TO_RETRY: Final = 2.0
NOT_FOUND: Final = 404
# From this lag on staff are alerted; pages have switched to the primary long before.
REPLICA_IS_BEHIND_FROM_SECONDS: Final = 10


@dataclass(frozen=True, slots=True)
class Page:
    """The models that a page reads from the replica, and by how many seconds they may be out of date.

    With 0 a page shows everything that was committed before the request.
    """

    models: frozenset[str]
    most_seconds: int = 0


_MATCHES: Final = Page(
    frozenset(
        {"tables.match", "tables.deal", "tables.change", "history.matcharchive"}
        | {"history.matchlink", "players.ratingchange"}
    )
)
_FIGURES: Final = Page(frozenset({"wallet.reportperiod", "wallet.reportfigure"}))
_TRANSFERS: Final = Page(frozenset({"wallet.transfer"}))
# By the view's name. Pages for decisions (withdrawals, reports of players) are not among them.
PAGES: Final[Mapping[str, Page]] = {
    "my_matches": _MATCHES,
    "match": _MATCHES,
    "shared_match": _MATCHES,
    "deal_replay": _MATCHES,
    "shared_replay": _MATCHES,
    "deal_record": _MATCHES,
    "shared_record": _MATCHES,
    "deal_verify": _MATCHES,
    "shared_verify": _MATCHES,
    # The page refreshes itself, so seconds do not matter.
    "leaderboards": Page(frozenset({"players.leaderboardplace"}), most_seconds=10),
    "admin:tables_match_changelist": _MATCHES,
    "admin:core_auditentry_changelist": Page(frozenset({"core.auditentry"})),
    "admin:wallet_transfer_changelist": _TRANSFERS,
    "admin:wallet_journal_changelist": Page(frozenset({"wallet.journal"})),
    "admin:reports": _FIGURES,
    "admin:reports_fees": _FIGURES,
    "admin:reports_ledger": _TRANSFERS,
}

_asked: ContextVar[frozenset[str]] = ContextVar("asked_of_the_replica", default=frozenset())


class ReplicaRouter:
    """Django's database router. It never returns None, so that a row read from the replica is saved to the primary."""

    def db_for_read(self, model: type[Model], **_hints: Any) -> str:
        label = model._meta.label_lower  # noqa: SLF001 - Django's word
        return REPLICA if label in _asked.get() else DEFAULT_DB_ALIAS

    def db_for_write(self, _model: type[Model], **_hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, *_objects: Model, **_hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, *_names: Any, **_hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS


@contextmanager
def read_from_replica(page: Page) -> Iterator[None]:
    """Read the models of this page from the replica within the block."""
    token = _asked.set(page.models)
    try:
        yield
    finally:
        _asked.reset(token)


@dataclass(frozen=True, slots=True)
class Lag:
    """The lag of the replica: the bytes of the primary's log that it has not replayed, and its delay in seconds.

    While the primary is idle, `seconds` may be too large, but is never too small.
    """

    bytes: int
    seconds: float


def has_replica() -> bool:
    return REPLICA in connections.settings


def measure_replica_lag() -> Lag | None:
    """Return the lag, or None if the replica does not answer or was promoted. Errors of the primary are raised."""
    return _lag_behind(_position_of_primary())


@dataclass(frozen=True, slots=True)
class _LogPosition:
    """The end of the primary's log at one moment. All commits acknowledged by then are in the log before it."""

    timeline: int
    wal: str
    at: datetime


_POSITION: Final = """
SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
       pg_current_wal_lsn()::text, clock_timestamp()"""


def _position_of_primary() -> _LogPosition:
    with connection.cursor() as cursor:
        cursor.execute(_POSITION)
        return _LogPosition(*cursor.fetchone())


# A failed primary that returns as a copy may have written beyond the new primary's start, on an abandoned
# timeline. A copy that follows reports so after its next restartpoint, within `checkpoint_timeout`.
_LAG: Final = """
SELECT pg_is_in_recovery(), min_recovery_end_timeline >= %s,
       coalesce(pg_wal_lsn_diff(%s::pg_lsn, pg_last_wal_replay_lsn()), 0)::bigint,
       extract(epoch FROM %s::timestamptz - pg_last_xact_replay_timestamp())::float8
FROM pg_control_recovery()"""


def _lag_behind(primary: _LogPosition) -> Lag | None:
    try:
        with connections[REPLICA].cursor() as cursor:
            cursor.execute(_LAG, [primary.timeline, primary.wal, primary.at])
            is_copy, follows, missing, seconds = cursor.fetchone()
    except Error as error:
        logger.warning("the replica does not answer: %s", str(error).strip().partition("\n")[0])
        _give_up_connection()
        return None
    if not is_copy:
        _give_up_connection()  # a pool would keep it even after there is a new replica elsewhere
        return None
    if missing <= 0 and follows:
        return Lag(0, 0.0)
    return Lag(max(missing, 1), float("inf") if seconds is None else max(seconds, 0.0))


def _give_up_connection() -> None:
    copy = connections[REPLICA]
    if copy.connection is not None:
        copy.connection.close()
    try:
        copy.close()
    except Error:
        copy.connection = None


class ReadFromReplica:
    """Middleware that reads the pages of `PAGES` from the replica. It must be the last one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._away = CircuitBreaker(SECONDS_TO_RETRY)
        self._behind = CircuitBreaker(SECONDS_TO_RETRY)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], arguments: Any, named: Any
    ) -> HttpResponseBase | None:
        """Answer from the replica. Returns None to let the view use the primary."""
        resolved = request.resolver_match
        page = PAGES.get(resolved.view_name) if resolved is not None else None
        if page is None or request.method not in ("GET", "HEAD"):
            return None
        answer = self._from_replica(request, page, lambda: view(request, *arguments, **named))
        REPLICA_READS.labels("primary" if answer is None else "replica").inc()
        return answer

    def _from_replica(
        self, request: HttpRequest, page: Page, make: Callable[[], Any]
    ) -> HttpResponseBase | None:
        if not self._away.allows():
            return None
        _ = request.user.is_authenticated  # look the user up in the primary
        try:
            if not self._has_caught_up(page):
                return None
            with read_from_replica(page):
                answer = make()
                if callable(getattr(answer, "render", None)):
                    answer = answer.render()
        except Http404:
            return None  # it may have been created a moment ago
        except Error as error:
            # Any error, such as a query cancelled by replay or a replica that has just gone: ask the
            # primary, whose own errors are raised as usual.
            logger.warning("a page is read from the primary: %s", str(error).partition("\n")[0])
            _give_up_connection()
            return None
        return None if answer.status_code == NOT_FOUND else answer

    def _has_caught_up(self, page: Page) -> bool:
        primary = _position_of_primary()
        began = time.monotonic()
        patience = SECONDS_TO_CATCH_UP if self._behind.allows() else 0.0
        while True:
            behind = _lag_behind(primary)
            if behind is None:
                self._away.fail()
                return False
            self._away.succeed()
            if behind.bytes == 0 or behind.seconds < page.most_seconds:
                self._behind.succeed()
                return True
            if time.monotonic() - began >= patience:
                self._behind.fail()
                return False
            time.sleep(SECONDS_BETWEEN_CHECKS)
