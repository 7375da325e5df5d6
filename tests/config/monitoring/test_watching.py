"""Monitoring: /readyz, /metrics, and the lines of the log."""

import json
import logging
import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db.models.functions import Now
from django.utils import timezone
from pythonjsonlogger.json import JsonFormatter

from config.desk import dashboard
from config.monitoring import health, metrics
from config.monitoring.metrics import WORKERS_SEEN, end_job
from config.settings.schedule import QUEUES
from config.tasks import maintain_exports
from core.models import Backup
from core.observability import logs
from tables.models import ClockBeat, Table
from tests.core.sockets.hubs import needs_nats, run_nats
from tests.points_tables import open_points_table
from tests.programs import ROOT
from wallet import api as wallet
from wallet.models import LedgerCheck

TOKEN = "a token of monitoring"


@pytest.fixture
def everything_runs(db):
    ClockBeat.objects.update_or_create(id=1, defaults={"beat_at": timezone.now()})
    cache.set(WORKERS_SEEN, 1)
    yield
    cache.delete(WORKERS_SEEN)


def test_the_site_is_ready_when_every_part_is(client, everything_runs):
    answer = client.get("/readyz")
    assert (answer.status_code, set(answer.json().values())) == (200, {"ok"})
    assert set(answer.json()) == {"database", "clock", "redis", "broker", "workers"}


def test_a_stopped_clock_is_not_ready(client, everything_runs):
    ClockBeat.objects.update(beat_at=Now() - timedelta(seconds=11))
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["clock"] == "has not been heard of for 10 seconds"
    assert answer.json()["database"] == "ok"


def test_a_503_of_a_probe_is_not_logged(client, everything_runs, caplog):
    cache.delete(WORKERS_SEEN)
    ClockBeat.objects.all().delete()
    LedgerCheck.objects.create(found=1)
    for probe in ("/readyz", "/ledgerz"):
        assert client.get(probe).status_code == 503
    assert caplog.records == []
    assert client.get("/nothing/").status_code == 404
    assert [record.name for record in caplog.records] == ["django.request"]


def test_silent_workers_are_not_ready_until_a_job_ends(client, everything_runs):
    cache.delete(WORKERS_SEEN)
    assert client.get("/readyz").json()["workers"] == "have done no job for a minute"
    end_job(task_id="1", task=maintain_exports, state="SUCCESS")
    assert client.get("/readyz").status_code == 200


def test_a_ledger_imbalance_fails_its_own_probe_only(client, everything_runs):
    assert client.get("/ledgerz").json() == {"ledger": "ok", "checked": None}
    good = LedgerCheck.objects.create(found=0)
    answer = client.get("/ledgerz")
    assert answer.status_code == 200
    assert answer.json() == {"ledger": "ok", "checked": good.checked_at.isoformat()}
    bad = LedgerCheck.objects.create(found=2, findings=[{"check": "x", "subject": "y"}])
    answer = client.get("/ledgerz")
    assert answer.status_code == 503
    assert answer.json() == {
        "ledger": "is off: manage.py check_ledger says where",
        "found": 2,
        "checked": bad.checked_at.isoformat(),
    }
    # The site must still start, so that the ledger can be repaired.
    assert client.get("/healthz").content == b"ok"
    assert client.get("/readyz").status_code == 200


def test_an_unreachable_redis_is_not_ready(client, everything_runs, settings):
    settings.RATES_REDIS_URL = "redis://127.0.0.1:1/0"
    found = {"redis": "does not answer", "broker": "unknown", "workers": "unknown"}
    assert health._redis_parts() == found
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["redis"]) == (503, "does not answer")


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_an_unreachable_broker_is_not_ready(client, watched, settings, scheme):
    settings.CELERY_BROKER_URL = f"{scheme}://127.0.0.1:1/1"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["broker"]) == (503, "does not answer")
    assert figures(client)["openrummy_jobs_waiting"] == -1


@needs_nats
def test_silent_nats_servers_are_counted(client, watched, settings):
    assert "nats" not in client.get("/readyz").json()
    with run_nats(2) as servers:
        settings.NATS_URLS = [server.url for server in servers]
        assert client.get("/readyz").json()["nats"] == "ok"
        assert figures(client)["openrummy_nats_silent"] == 0
        servers[1].kill()
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["nats"]) == (503, "1 of 2 servers do not answer")
        assert figures(client)["openrummy_nats_silent"] == 1


# --- /metrics -------------------------------------------------------------------------------------


def figures(client):
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


@pytest.fixture
def watched(settings, everything_runs):
    settings.METRICS_TOKEN = TOKEN


def test_metrics_are_404_without_a_token_in_the_settings(client, db):
    assert settings.METRICS_TOKEN == ""
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize("given", [None, "Bearer", "Bearer another", f"Basic {TOKEN}", "Bearer ü"])
def test_metrics_refuse_a_wrong_token(client, watched, given):
    headers = {} if given is None else {"Authorization": given}
    answer = client.get("/metrics", headers=headers)
    assert (answer.status_code, answer.content) == (401, b"A token is needed.\n")


def test_metrics_are_read_from_the_database(client, watched):
    before = figures(client)
    assert before["openrummy_ledger_imbalance"] == 0
    assert before["openrummy_ledger_check_age_seconds"] == -1
    assert before["openrummy_deadlines_late"] == 0
    LedgerCheck.objects.create(found=3, findings=[])
    wallet.set_starting_fees(valid_from=timezone.now())
    open_points_table()
    Table.objects.update(status="STARTING", deadline_at=Now() - timedelta(seconds=5))
    after = figures(client)
    assert after["openrummy_ledger_imbalance"] == 3
    assert 0 <= after["openrummy_ledger_check_age_seconds"] < 60
    assert after["openrummy_deadlines_late"] == 1
    assert 5 <= after["openrummy_latest_deadline_seconds"] < 60
    assert after["openrummy_transfers_not_checked"] == after["openrummy_transfers_total"]
    assert after["openrummy_jobs_waiting"] >= 0
    by_queue = [after[f'openrummy_queue_jobs{{queue="{name}"}}'] for name in QUEUES]
    assert sum(by_queue) == after["openrummy_jobs_waiting"]


def test_the_silence_of_beat_is_measured_apart_from_other_jobs(client, watched, monkeypatch):
    cache.delete(metrics._BEAT_SEEN)
    monkeypatch.setattr(metrics, "_beat_said_so_at", float("-inf"))
    assert figures(client)["openrummy_beat_silence_seconds"] == -1
    metrics.record_beat(headers={"id": "1"})  # a job that a web process sent, not beat
    assert figures(client)["openrummy_beat_silence_seconds"] == -1
    metrics.record_beat(headers={"id": "2", "celery_beat_task": True})
    assert 0 <= figures(client)["openrummy_beat_silence_seconds"] < 10


def test_the_age_of_backups_is_measured_and_an_old_one_an_alarm(client, watched):
    now = timezone.now()
    assert figures(client)["openrummy_backup_age_seconds"] == -1
    assert dashboard.list_backup_figures(now) == []
    old = Backup.objects.create(name="old", size_bytes=7, made_at=now - timedelta(hours=27))
    after = figures(client)
    assert 97_000 < after["openrummy_backup_age_seconds"] < 98_000
    assert 97_000 < after["openrummy_backup_check_age_seconds"] < 98_000
    late, unchecked = dashboard.list_backup_figures(now)
    assert (late.label, late.is_alarm, unchecked.is_alarm) == ("Newest backup", True, False)
    old.checked_at = now
    old.save()
    Backup.objects.create(name="new", size_bytes=7, made_at=now)
    assert dashboard.list_backup_figures(now) == []
    assert figures(client)["openrummy_backup_check_age_seconds"] < 60


def test_requests_are_counted_by_page_and_status(client, watched):
    name = 'openrummy_requests_total{status="200",view="rules"}'
    before = figures(client).get(name, 0)
    client.get("/rules/")
    client.get("/rules/")
    assert figures(client)[name] == before + 2


# --- the log --------------------------------------------------------------------------------------


def test_every_answer_names_its_request(client, db):
    answer = client.get("/rules/", headers={"X-Request-ID": "from-the-proxy"})
    assert answer["X-Request-ID"] == "from-the-proxy"
    first, second = (client.get("/rules/")["X-Request-ID"] for _ in range(2))
    assert len(first) == 32
    assert first != second


@pytest.mark.parametrize("given", ["x" * 65, "two\tlines", "ü"])
def test_an_invalid_request_id_is_replaced(client, db, given):
    assert client.get("/rules/", headers={"X-Request-ID": given})["X-Request-ID"] != given


def test_a_log_line_carries_its_context():
    given = dict(settings.LOGGING["formatters"]["json"])
    formatter = JsonFormatter(
        given["format"],
        **{name: given[name] for name in ("style", "rename_fields", "static_fields")},
    )
    record = logging.LogRecord(
        "tables.live.clock", logging.WARNING, "", 1, "late by %s", ("2 s",), None
    )
    with logs.bind_context(table=7, match=9):
        assert logs.ContextFilter().filter(record)
    line = json.loads(formatter.format(record))
    assert line["message"] == "late by 2 s"
    assert (line["level"], line["logger"]) == ("WARNING", "tables.live.clock")
    assert (line["table"], line["match"]) == (7, 9)
    plain = logging.Formatter(settings.LOGGING["formatters"]["line"]["format"], style="{")
    assert plain.format(record) == "WARNING tables.live.clock: late by 2 s table=7 match=9"


def test_log_context_ends_with_its_block():
    record = logging.LogRecord("x", logging.INFO, "", 1, "", (), None)
    with logs.bind_context(request="1"):
        pass
    logs.ContextFilter().filter(record)
    assert not hasattr(record, "request")


@pytest.mark.parametrize("asking", ["docs/grafana.json", "deploy/alerts.yml"])
def test_the_example_dashboard_and_alerts_use_existing_metrics(client, watched, asking):
    client.get("/rules/")
    served = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
    families = set(re.findall(r"^# TYPE (\w+) ", served, re.MULTILINE))
    text = (ROOT / asking).read_text()
    asked = {name.removesuffix("_bucket") for name in re.findall(r"openrummy_\w+", text)}
    assert len(asked) > 7
    assert asked <= families
