"""Prometheus counters for requests and Celery jobs."""

import time
from collections.abc import Callable
from typing import Any, Final

from celery.signals import task_postrun, task_prerun
from django.core.cache import cache
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from core.observability import logs
from core.observability.metrics import JOB_SECONDS, JOBS, REQUEST_SECONDS, REQUESTS

# In the cache, for /readyz: a worker has ended a job within the last minute.
WORKERS_SEEN: Final = "workers-seen"
SECONDS_SEEN: Final = 60

_began: dict[str, float] = {}


def count_request(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: how many requests of each page, and how long they took."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        response = get_response(request)
        resolved = request.resolver_match
        view = (resolved.view_name or "other") if resolved is not None else "none"
        REQUESTS.labels(view, str(response.status_code)).inc()
        REQUEST_SECONDS.labels(view).observe(time.perf_counter() - began)
        return response

    return handle


@task_prerun.connect
def begin_job(task_id: str, task: Any, **_signal: object) -> None:
    _began[task_id] = time.perf_counter()
    logs.bind(job=task.name, job_id=task_id)


@task_postrun.connect
def end_job(task_id: str, task: Any, state: str | None, **_signal: object) -> None:
    began = _began.pop(task_id, None)
    JOBS.labels(task.name, state or "UNKNOWN").inc()
    if began is not None:
        JOB_SECONDS.labels(task.name).observe(time.perf_counter() - began)
    cache.set(WORKERS_SEEN, 1, timeout=SECONDS_SEEN)
