"""`/metrics` for Prometheus: the processes' counters, and figures from the database and Redis.

The processes of one machine write their counters (core/observability/metrics.py) to the folder
PROMETHEUS_MULTIPROC_DIR, which the supervisor names, so any web process can answer for all of them.
"""

import math
import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from hmac import compare_digest
from typing import Any, Final, cast
from urllib.parse import urlsplit

from celery.signals import after_task_publish, task_postrun, task_prerun
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from kombu import Connection
from kombu.exceptions import OperationalError
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from config.settings.schedule import QUEUES
from core.database.replica import Lag, has_replica, measure_replica_lag
from core.observability import logs
from core.observability.metrics import JOB_SECONDS, JOBS, REQUEST_SECONDS, REQUESTS

# Seconds since the last WAL segment was archived if the next one failed, otherwise 0 (docs/recovery.md).
WAL_ARCHIVE_FAILING_SECONDS: Final = """
(SELECT CASE WHEN last_failed_time > coalesce(last_archived_time, '-infinity')
        THEN extract(epoch FROM clock_timestamp() - coalesce(last_archived_time, stats_reset))
        ELSE 0 END
   FROM pg_stat_archiver)
"""
# The next attempt comes within a minute.
WAL_ARCHIVE_FAILS_FROM_SECONDS: Final = 300

# One row. Transfers and changes are counted by their sequences, which only grow.
_FIGURES: Final = f"""
SELECT
  coalesce({WAL_ARCHIVE_FAILING_SECONDS}, 0) AS wal_archive_failing_seconds,
  (SELECT CASE WHEN current_setting('archive_mode') = 'off' THEN 0
          ELSE extract(epoch FROM clock_timestamp() - coalesce(last_archived_time, stats_reset)) END
     FROM pg_stat_archiver) AS wal_archive_age_seconds,
  (SELECT coalesce(max(id), 0) FROM wallet_transfer) AS transfers,
  (SELECT coalesce(max(id), 0) FROM tables_change) AS changes,
  (SELECT count(*) FROM tables_table WHERE status = 'PLAYING') AS tables_playing,
  (SELECT count(*) FROM tables_table
    WHERE due_at < clock_timestamp() - interval '1 second' AND broken_at IS NULL)
    AS deadlines_late,
  (SELECT coalesce(greatest(extract(epoch FROM clock_timestamp() - min(due_at)), 0), 0)
     FROM tables_table WHERE broken_at IS NULL) AS latest_deadline_seconds,
  (SELECT count(*) FROM tables_tablefault WHERE resolved_at IS NULL) AS tables_out_of_order,
  (SELECT coalesce(extract(epoch FROM clock_timestamp() - max(beat_at)), -1)
     FROM tables_clockbeat) AS clock_silence_seconds,
  (SELECT count(*) FROM tournaments_tournament
    WHERE status IN ('PLAYING', 'BREAK')) AS tournaments_running,
  (SELECT count(*) FROM wallet_withdrawal
    WHERE state IN ('REQUESTED', 'NEEDS_SECOND')) AS withdrawals_waiting,
  (SELECT coalesce(extract(epoch FROM clock_timestamp() - max(made_at)), -1)
     FROM core_backup) AS backup_age_seconds,
  (SELECT coalesce(extract(epoch FROM clock_timestamp() - coalesce(max(checked_at), min(made_at))), -1)
     FROM core_backup) AS backup_check_age_seconds,
  (SELECT coalesce(extract(epoch FROM clock_timestamp() - max(checked_at)), -1)
     FROM wallet_ledger_check) AS ledger_check_age_seconds,
  coalesce((SELECT found FROM wallet_ledger_check ORDER BY checked_at DESC, id DESC LIMIT 1), 0)
    AS ledger_imbalance,
  (SELECT coalesce(max(id), 0) FROM wallet_transfer)
    - coalesce((SELECT last_transfer_id FROM wallet_seal WHERE number = (
        SELECT split_part(head, ':', 1)::bigint FROM wallet_ledger_check WHERE head <> ''
        ORDER BY checked_at DESC, id DESC LIMIT 1)), 0) AS transfers_not_checked
"""  # noqa: S608 - our own words
_MEANINGS: Final = {
    "wal_archive_failing_seconds": (
        "Since a part of the WAL was kept aside, where the next one was tried in vain; 0: none fails"
    ),
    "wal_archive_age_seconds": "Since a part of the WAL was kept aside; 0: the WAL is not archived",
    "transfers": "Transfers posted to the ledger",
    "changes": "Changes of tables stored",
    "tables_playing": "Tables with a match running",
    "deadlines_late": "Deadlines of tables that passed more than a second ago",
    "latest_deadline_seconds": "How long ago the oldest open deadline passed",
    "tables_out_of_order": "Tables at which a game has failed; they wait for staff",
    "clock_silence_seconds": "Since a clock process was heard of; -1: never",
    "tournaments_running": "Tournaments being played",
    "withdrawals_waiting": "Withdrawals that wait for staff",
    "backup_age_seconds": "Since the newest backup was made; -1: none was recorded",
    "backup_check_age_seconds": (
        "Since a backup was restored and found to be good, or since the first one; -1: none was recorded"
    ),
    "ledger_check_age_seconds": "Since the ledger was checked; -1: never",
    "ledger_imbalance": "Findings of the last check of the ledger; more than 0 is an incident",
    "transfers_not_checked": "Transfers after the last seal that a check of the ledger has seen",
}
_GROWING: Final = {"transfers", "changes"}


class Figures(Collector):
    """Figures that are queried at every scrape."""

    def collect(self) -> Iterable[Metric]:
        yield from self._of_the_database()
        yield from self._of_the_queues()
        silent = GaugeMetricFamily("openrummy_redis_silent", "1 while Redis does not answer")
        silent.add_metric([], 0 if redis_answers() else 1)
        yield silent
        nats = GaugeMetricFamily(
            "openrummy_nats_silent", "NATS servers that do not answer; 0 also without any"
        )
        nats.add_metric([], count_silent_nats_servers())
        yield nats
        beat = GaugeMetricFamily(
            "openrummy_beat_silence_seconds", "Since beat asked for a periodic job; -1: unknown"
        )
        beat.add_metric([], count_seconds_without_beat())
        yield beat
        yield from self._of_the_replica()

    def _of_the_queues(self) -> Iterator[Metric]:
        by_queue = count_jobs_by_queue()
        jobs = GaugeMetricFamily("openrummy_jobs_waiting", "Jobs before the workers; -1: no broker")
        jobs.add_metric([], -1 if by_queue is None else sum(by_queue.values()))
        yield jobs
        each = GaugeMetricFamily(
            "openrummy_queue_jobs",
            "The same of each queue; nothing without the broker",
            labels=["queue"],
        )
        for queue, waiting in (by_queue or {}).items():
            each.add_metric([queue], waiting)
        yield each

    def _of_the_replica(self) -> Iterator[Metric]:
        seconds = GaugeMetricFamily(
            "openrummy_replica_lag_seconds",
            "How far the replica is behind; 0 also without one, -1: it does not answer",
        )
        size = GaugeMetricFamily("openrummy_replica_lag_bytes", "The same, of WAL")
        behind = measure_replica_lag() if has_replica() else Lag(0, 0.0)
        seconds.add_metric([], -1 if behind is None else behind.seconds)
        size.add_metric([], -1 if behind is None else behind.bytes)
        yield seconds
        yield size

    def _of_the_database(self) -> Iterator[Metric]:
        with connection.cursor() as cursor:
            cursor.execute(_FIGURES)
            row = dict(zip(_MEANINGS, cursor.fetchone() or (), strict=True))
        for name, meaning in _MEANINGS.items():
            kind = CounterMetricFamily if name in _GROWING else GaugeMetricFamily
            family = kind(f"openrummy_{name}", meaning)
            family.add_metric([], float(row[name]))
            yield family


def metrics(request: HttpRequest) -> HttpResponse:
    """Serve the metrics to callers with METRICS_TOKEN as bearer token. Answers 404 without that setting."""
    if not settings.METRICS_TOKEN:
        raise Http404
    given = request.headers.get("Authorization", "")
    if not compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()):
        return HttpResponse("A token is needed.\n", status=401, content_type="text/plain")
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(REGISTRY)
    registry.register(Figures())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


# Cache key for /readyz: a worker has finished a job within the last minute.
WORKERS_SEEN: Final = "workers-seen"
SECONDS_SEEN: Final = 60

_began: dict[str, float] = {}


def count_request(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: count the requests of each page and measure their time."""

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


# Cache key of the time at which beat last sent a job. It expires after a day; then beat's age is unknown.
_BEAT_SEEN: Final = "beat-seen"
_BEAT_SEEN_FOR_SECONDS: Final = 86_400
_BEAT_SAYS_SO_EVERY_SECONDS: Final = 5.0
_beat_said_so_at = -math.inf


@after_task_publish.connect
def record_beat(headers: Mapping[str, Any] | None = None, **_signal: object) -> None:
    """Record the time at which beat sent a job. A header marks the jobs that beat has sent."""
    global _beat_said_so_at  # noqa: PLW0603 - of this process
    now = time.monotonic()
    if (
        not (headers or {}).get("celery_beat_task")
        or now - _beat_said_so_at < _BEAT_SAYS_SO_EVERY_SECONDS
    ):
        return
    _beat_said_so_at = now
    cache.set(_BEAT_SEEN, time.time(), timeout=_BEAT_SEEN_FOR_SECONDS)


def count_seconds_without_beat() -> float:
    """Return the seconds since beat last sent a job, or -1 if Redis does not know."""
    seen = cache.get(_BEAT_SEEN)
    return -1.0 if seen is None else max(time.time() - seen, 0.0)


_ANSWERS_WITHIN_SECONDS = 2
_PORT_OF_NATS = 4222


def count_waiting_jobs() -> int | None:
    """Return the number of jobs that no worker has taken yet, or None if the broker is down."""
    by_queue = count_jobs_by_queue()
    return None if by_queue is None else sum(by_queue.values())


def count_jobs_by_queue() -> Mapping[str, int] | None:
    """Return the number of waiting jobs in each queue, or None if the broker is down."""
    broker: Any = Connection(settings.CELERY_BROKER_URL, connect_timeout=_ANSWERS_WITHIN_SECONDS)
    timeouts = ("read_timeout", "write_timeout", "socket_timeout", "socket_connect_timeout")
    broker.transport_options = dict.fromkeys(timeouts, _ANSWERS_WITHIN_SECONDS)
    try:
        with broker:
            broker.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
            return {queue: _count_jobs(broker, queue) for queue in QUEUES}
    except (OperationalError, *broker.connection_errors, OSError):
        return None


def _count_jobs(broker: Any, queue: str) -> int:
    """Return the number of waiting jobs. An undeclared queue has 0, as Redis deletes empty queues."""
    try:
        with broker.channel() as channel:
            return cast("int", channel.queue_declare(queue, passive=True).message_count)
    except broker.channel_errors:
        return 0


def redis_answers() -> bool:
    """Return whether the Redis server of the cache, rate limits and presence answers."""
    try:
        with _make_client(settings.RATES_REDIS_URL) as redis:
            return bool(redis.ping())
    except (RedisError, OSError):
        return False


def count_silent_nats_servers() -> int:
    """Return how many of the servers in NATS_URLS do not answer."""
    return sum(not _greets(url) for url in settings.NATS_URLS)


def _greets(url: str) -> bool:
    place = urlsplit(url)
    address = (place.hostname or "", place.port or _PORT_OF_NATS)
    try:
        with socket.create_connection(address, timeout=_ANSWERS_WITHIN_SECONDS) as server:
            return server.recv(4) == b"INFO"
    except OSError:
        return False


def _make_client(url: str) -> Any:
    return Redis.from_url(
        url,
        socket_timeout=_ANSWERS_WITHIN_SECONDS,
        socket_connect_timeout=_ANSWERS_WITHIN_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )


def measure_wal_failure() -> float:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {WAL_ARCHIVE_FAILING_SECONDS}")
        [seconds] = cursor.fetchone() or (0,)
    return float(seconds)
