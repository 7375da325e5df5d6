"""Separate queues: a job that waits for an external server holds up no other kind of job."""

import fnmatch
import re
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
import redis
from celery import current_app
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from accounts import expiry
from accounts.expiry import KEYS_KEPT_FOR, forget_what_has_expired
from accounts.models import ApiRequest
from config.monitoring.metrics import WORKERS_SEEN
from config.settings.schedule import COACH, HISTORY, LIVE, MAIL, QUEUES, SLOW
from core.emails import sending
from core.emails.sending import send_emails, write_email
from core.models import OutgoingEmail
from tests.wallet.cash_players import make_player
from tests.workers import wait_until


@contextmanager
def run_silent_server() -> Iterator[int]:
    """Run a server that accepts connections but never answers. Yield its port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(50)
        yield listener.getsockname()[1]


def list_tasks():
    current_app.loader.import_default_modules()
    return {name: task for name, task in current_app.tasks.items() if "celery." not in name}


def test_every_queue_has_a_kind_of_worker_and_every_route_a_task():
    procfile = (settings.BASE_DIR / "Procfile").read_text()
    names = {LIVE, MAIL, SLOW, HISTORY, COACH}
    assert {queue.name for queue in settings.CELERY_TASK_QUEUES} == names == set(QUEUES)
    # `history` may have its own worker, which is optional.
    worked_at = [*QUEUES, "${SLOW_QUEUES:-slow,history}"]
    worked_at.remove(SLOW)
    assert sorted(re.findall(r"--queues (\S+) ", procfile)) == sorted(worked_at)
    given: Any = settings  # mypy's plugin does not know these settings
    for route in given.CELERY_TASK_ROUTES:
        assert fnmatch.filter(list_tasks(), route), route
    scheduled = {entry["task"] for entry in given.CELERY_BEAT_SCHEDULE.values()}
    assert len(scheduled) > 20
    assert scheduled <= list_tasks().keys()


def test_the_visibility_timeout_exceeds_every_time_limit():
    limits = [task.time_limit or settings.CELERY_TASK_TIME_LIMIT for task in list_tasks().values()]
    assert max(limits) == 3_600
    assert settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] >= 2 * max(limits)


def test_a_silent_payment_server_blocks_no_live_job(workers, transactional_db, monkeypatch):
    queues = redis.Redis.from_url(settings.JOBS_REDIS_URL)
    with run_silent_server() as port, queues:
        monkeypatch.setenv("PAYMENT_SANDBOX_URL", f"http://127.0.0.1:{port}")
        for _ in range(3):
            webhook = ["{}", "signature"]
            current_app.send_task("wallet.payments.sandbox.send_webhook", webhook)
        assert queues.llen(MAIL) == 3
        workers.start("--queues", LIVE, "--hostname", "live@test")
        current_app.send_task("tables.keep_supplied")
        wait_until(lambda: cache.get(WORKERS_SEEN), seconds=60)  # the worker has started
        workers.start("--queues", MAIL, "--hostname", "mail@test")
        wait_until(lambda: queues.llen(MAIL) == 2, seconds=60)
        cache.delete(WORKERS_SEEN)
        current_app.send_task("tables.keep_supplied")
        wait_until(lambda: cache.get(WORKERS_SEEN), seconds=5)
        assert queues.llen(MAIL) == 2  # the worker is still busy with the first job


def test_history_jobs_alternate_with_slow_jobs(workers, transactional_db):
    """A worker of both queues takes jobs from them in turn."""
    with redis.Redis.from_url(settings.JOBS_REDIS_URL) as queues:
        for _ in range(200):
            current_app.send_task("history.archive_matches")
        for _ in range(5):
            current_app.send_task("config.forget_origins")
        assert (queues.llen(HISTORY), queues.llen(SLOW)) == (200, 5)
        workers.start("--queues", f"{SLOW},{HISTORY}", "--hostname", "slow@test")
        wait_until(lambda: not queues.llen(SLOW), seconds=60)
        assert queues.llen(HISTORY) > 100


# --- emails --------------------------------------------------------------------------------------


@pytest.fixture
def silent_server(settings):
    with run_silent_server() as port:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        settings.EMAIL_TIMEOUT = 1
        yield


def write(count):
    user = make_player()
    for number in range(count):
        write_email(user_id=user.pk, kind="withdrawal", subject=str(number), text="It is here.")
    OutgoingEmail.objects.update(send_at=Now())


def test_a_silent_mail_server_ends_a_run_early(db, silent_server, monkeypatch):
    monkeypatch.setattr(sending, "SECONDS_A_RUN", 2)
    write(8)
    now = timezone.now() + timedelta(seconds=1)
    began = time.monotonic()
    assert send_emails(now=now) == 0
    assert 2 <= time.monotonic() - began < 7  # sending all eight would take longer
    assert OutgoingEmail.objects.count() == 8
    assert OutgoingEmail.objects.filter(send_at__lte=now).count() >= 5  # left for the next run


def test_only_one_worker_waits_for_a_mail_server(transactional_db, silent_server):
    write(2)
    now = timezone.now() + timedelta(seconds=1)

    def send():
        try:
            return send_emails(now=now)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        running = other.submit(send)
        wait_until(lambda: OutgoingEmail.objects.filter(send_at__gt=now).count() == 1)
        began = time.monotonic()
        assert send_emails(now=now) == 0
        assert time.monotonic() - began < 0.5
        assert running.result(10) == 0


# --- expired rows ---------------------------------------------------------------------------------


def test_expired_sessions_and_keys_are_deleted(db, monkeypatch):
    monkeypatch.setattr(expiry, "FORGOTTEN_AT_ONCE", 2)
    now = timezone.now()
    user = make_player()
    for number in range(7):
        age = timedelta(seconds=1 if number < 5 else -60)
        Session.objects.create(session_key=f"s{number}", expire_date=now - age)
        made = now - KEYS_KEPT_FOR - age
        ApiRequest.objects.create(user=user, key=f"key-{number}", made_at=made)
    assert forget_what_has_expired(now=now) == 10
    assert set(Session.objects.values_list("pk", flat=True)) == {"s5", "s6"}
    assert set(ApiRequest.objects.values_list("key", flat=True)) == {"key-5", "key-6"}
    assert forget_what_has_expired(now=now) == 0
