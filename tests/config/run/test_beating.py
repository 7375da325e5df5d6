"""Beat itself reports an outage of the broker, since the job that checks alerts is sent through the broker."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone
from redis import Redis

from config.desk.alerts import check_alerts
from config.run.embedded.valkey import Valkey
from core.models.running import Alert
from tests.config.desk.test_alerts import receiver
from tests.core.stores.valkeys import run_valkey
from tests.given import require
from tests.programs import ROOT
from tests.workers import environment, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

# Runs the settings' beat scheduler for one entry, `check-alerts`, whenever it reads a line.
TURNS = """
import sys
import django
django.setup()
from celery.utils.imports import symbol_by_name
from config.celery import app
scheduler = symbol_by_name(app.conf.beat_scheduler)(app, schedule_filename=sys.argv[1])
for _line in sys.stdin:
    scheduler.apply_entry(scheduler.schedule["check-alerts"], producer=scheduler.producer)
    print("done", flush=True)
"""


@contextmanager
def run_beat(schedule: Path, **settings: str) -> Iterator[Callable[[], None]]:
    """Run beat in a separate process. Yield a function that makes it run the entry once."""
    process = subprocess.Popen(
        [sys.executable, "-c", TURNS, str(schedule)],
        env=environment() | settings, cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    asked, answered = require(process.stdin), require(process.stdout)

    def take_turn() -> None:
        asked.write("\n")
        asked.flush()
        assert answered.readline() == "done\n"

    try:
        yield take_turn
    finally:
        process.kill()
        process.communicate(timeout=15)


def kill(valkey: Valkey) -> None:
    with Redis.from_url(valkey.url) as redis:
        pid = redis.info("server")["process_id"]
    os.kill(pid, signal.SIGKILL)
    wait_until(valkey.is_gone)


def states(message: dict[str, Any]) -> dict[str, str]:
    return {alert["what"]: alert["state"] for alert in message["alerts"]}


def test_beat_reports_each_outage_of_the_broker_once_and_its_end_once(
    tmp_path: Path, settings: Any
) -> None:
    with run_valkey() as valkey, receiver([204]) as (url, received):
        kill(valkey)
        given = {"REDIS_URL": valkey.url, "ALERT_WEBHOOK_URL": url}
        settings.ALERT_WEBHOOK_URL = url
        with run_beat(tmp_path / "schedule", **given) as take_turn:
            for outage in (1, 2):  # at first beat has no connection yet
                take_turn()
                assert Alert.objects.get(ended_at=None, code="Jobs waiting").value == "?"
                assert len(received) == 2 * outage - 2
                Alert.objects.update(began_at=F("began_at") - timedelta(minutes=1))
                take_turn()
                take_turn()
                assert states(received[-1])["Jobs waiting"] == "running"
                valkey.start()
                take_turn()  # from now on a worker checks the alerts
                assert len(received) == 2 * outage - 1
                check_alerts(now=timezone.now())  # as a worker would, with the tests' Redis
                assert states(received[-1])["Jobs waiting"] == "over"
                kill(valkey)
        assert len(received) == 4
