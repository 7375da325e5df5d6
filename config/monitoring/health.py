"""Health checks for load balancers and monitoring."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, ProgrammingError
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from config.monitoring import metrics
from config.monitoring.metrics import (
    WORKERS_SEEN,
    count_silent_nats_servers,
    count_waiting_jobs,
    redis_answers,
)
from core.database.outage import is_database_answering
from core.database.replica import REPLICA_IS_BEHIND_FROM_SECONDS, has_replica, measure_replica_lag
from tables.models import ClockBeat
from wallet.api import get_last_ledger_check

CLOCK_STANDS_AFTER: Final = timedelta(seconds=10)


def alive(request: HttpRequest) -> HttpResponse:
    """Answer 200 "ok", or 503 "database" within a second if the database does not respond.

    Failures of other parts are ignored: another process would be no better, and a new version that fixes them must
    be able to start.
    """
    if not is_database_answering():
        return HttpResponse("database", status=503, content_type="text/plain")
    return HttpResponse("ok", content_type="text/plain")


def ready(request: HttpRequest) -> HttpResponse:
    """Answer with the state of each part of the platform, "ok" or its problem. The status is 503 unless all are ok."""
    parts = list_parts()
    is_ready = all(state == "ok" for state in parts.values())
    return JsonResponse(parts, status=200 if is_ready else 503)


def ledger(request: HttpRequest) -> HttpResponse:
    """Answer with the result and time of the newest ledger check. The status is 503 if the check found anything."""
    if not is_database_answering():
        return JsonResponse({"ledger": "unknown", "database": "does not answer"}, status=503)
    last = get_last_ledger_check()
    if last is None:
        return JsonResponse({"ledger": "ok", "checked": None})
    checked = last.checked_at.isoformat()
    if last.found:
        wrong = "is off: manage.py check_ledger says where"
        report = {"ledger": wrong, "found": last.found, "checked": checked}
        return JsonResponse(report, status=503)
    return JsonResponse({"ledger": "ok", "checked": checked})


def list_parts() -> dict[str, str]:
    """Return a mapping from the name of each part of the platform to its state: "ok" or its problem."""
    return {**_database_parts(), **_replica_parts(), **_redis_parts(), **_nats_parts()}


def _database_parts() -> dict[str, str]:
    if not is_database_answering():
        return {"database": "does not answer", "clock": "unknown"}
    try:
        beats = ClockBeat.objects.filter(beat_at__gt=Now() - CLOCK_STANDS_AFTER).exists()
    except ProgrammingError:  # no table: nothing has been migrated yet
        return {"database": "ok", "clock": "unknown"}
    return {
        "database": "ok",
        "clock": "ok" if beats else "has not been heard of for 10 seconds",
    }


def _replica_parts() -> dict[str, str]:
    """Return the replica's state. Empty if there is no replica."""
    if not has_replica():
        return {}
    try:
        lag = measure_replica_lag()
    except DatabaseError:
        return {"replica": "unknown"}
    if lag is None:
        return {"replica": "does not answer"}
    is_behind = lag.seconds > REPLICA_IS_BEHIND_FROM_SECONDS
    return {"replica": f"is {lag.seconds:.0f} s behind" if is_behind else "ok"}


def _redis_parts() -> dict[str, str]:
    if not redis_answers():
        return {"redis": "does not answer", "broker": "unknown", "workers": "unknown"}
    seen = cache.get(WORKERS_SEEN)
    return {
        "redis": "ok",
        "broker": "does not answer" if count_waiting_jobs() is None else "ok",
        "workers": "ok" if seen else "have done no job for a minute",
    }


def _nats_parts() -> dict[str, str]:
    """Return the state of NATS. Empty if Redis carries the messages to sockets."""
    there = len(settings.NATS_URLS)
    if not there:
        return {}
    silent = count_silent_nats_servers()
    return {"nats": f"{silent} of {there} servers do not answer" if silent else "ok"}


_PAGES: Final[dict[str, Callable[[HttpRequest], HttpResponse]]] = {
    "/healthz": alive,
    "/readyz": ready,
    "/ledgerz": ledger,
    "/metrics": metrics.metrics,
}


def answer_monitoring(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: answer health checks before other middleware redirects to TLS or refuses unknown hosts."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        page = _PAGES.get(request.path)
        if page is not None:
            try:
                return page(request)
            except Http404:  # as for any address that does not exist
                pass
        return get_response(request)

    return handle
