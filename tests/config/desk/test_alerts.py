"""An alarm that lasts is sent once by e-mail and webhook, and once more when it is over."""

import json
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.core import mail
from django.core.cache import cache
from django.db import connections
from django.utils import timezone

from accounts.desk.staff_roles import Role
from config.desk import alerts
from config.desk.alerts import check_alerts
from config.tasks import check_alerts as job
from core.models.running import Alert
from tables.models import ClockBeat
from tests.accounts.staff import member, office
from tests.stand_in import Handler, run_server
from tests.together import run_at_once

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _site(settings):
    settings.ALERT_EMAILS = ["ops@example.com"]
    settings.ALERT_WEBHOOK_URL = ""


def beat(at):
    ClockBeat.objects.update_or_create(pk=1, defaults={"beat_at": at})


@pytest.fixture
def now():
    """A moment at which the clock process has been silent for five minutes and everything else works."""
    at = timezone.now()
    beat(at - timedelta(minutes=5))
    return at


def subjects():
    return [message.subject for message in mail.outbox]


def test_a_lasting_alert_is_mailed_once_and_its_end_once(now):
    assert check_alerts(now=now) == 1
    assert subjects() == []
    for minutes in (1, 2, 3):
        check_alerts(now=now + minutes * MINUTE)
    assert subjects() == ["[OpenRummy] Clock: stopped"]
    assert "since" in mail.outbox[0].body
    assert mail.outbox[0].to == ["ops@example.com"]
    later = now + 10 * MINUTE
    beat(later)
    assert check_alerts(now=later) == 0
    check_alerts(now=later)
    assert subjects()[1:] == ["[OpenRummy] All is well"]
    alert = Alert.objects.get()
    assert (alert.code, alert.value, alert.mailed) == ("Clock", "stopped", "ENDED")
    assert (alert.began_at, alert.ended_at) == (now, later)


def test_an_alert_that_ends_within_a_minute_is_not_mailed(now):
    check_alerts(now=now)
    beat(now + MINUTE / 2)
    check_alerts(now=now + MINUTE / 2)
    check_alerts(now=now + MINUTE)
    assert subjects() == []
    assert Alert.objects.get().ended_at is not None


def test_a_recurring_fault_is_another_alert(now):
    check_alerts(now=now)
    check_alerts(now=now + MINUTE)
    beat(now + 2 * MINUTE)
    check_alerts(now=now + 2 * MINUTE)
    for minutes in (9, 10):
        check_alerts(now=now + minutes * MINUTE)
    assert subjects() == [
        "[OpenRummy] Clock: stopped",
        "[OpenRummy] All is well",
        "[OpenRummy] Clock: stopped",
    ]
    assert Alert.objects.count() == 2


def test_a_refused_mail_is_retried(now, monkeypatch, caplog):
    check_alerts(now=now)
    with monkeypatch.context() as patch:
        patch.setattr(mail.EmailMessage, "send", Mock(side_effect=ConnectionRefusedError))
        check_alerts(now=now + MINUTE)
    assert "could not be mailed" in caplog.text
    assert Alert.objects.get().mailed == ""
    check_alerts(now=now + 2 * MINUTE)
    assert len(subjects()) == 1


@contextmanager
def receiver(status):
    """Run a server that keeps its requests and answers with the last entry of the list `status`."""
    received = []

    class Alarms(Handler):
        def respond(self):
            received.append(json.loads(self.read_body()))
            self.answer(status[-1])

    with run_server(Alarms) as address:
        yield f"{address}/hook", received


def test_the_webhook_gets_json_and_is_retried_until_it_succeeds(now, settings):
    settings.ALERT_EMAILS = []
    status = [500]
    with receiver(status) as (url, received):
        settings.ALERT_WEBHOOK_URL = url
        check_alerts(now=now)
        check_alerts(now=now + MINUTE)
        assert Alert.objects.get().posted == ""
        status.append(204)
        check_alerts(now=now + 2 * MINUTE)
        check_alerts(now=now + 3 * MINUTE)
        beat(now + 4 * MINUTE)
        check_alerts(now=now + 4 * MINUTE)
    states = [[alert["state"] for alert in one["alerts"]] for one in received]
    assert states == [["running"], ["running"], ["over"]]
    (told,) = received[0]["alerts"]
    assert (told["what"], told["value"], told["ended_at"]) == ("Clock", "stopped", None)
    assert told["began_at"] == now.isoformat()
    assert mail.outbox == []


def test_no_alert_is_sent_without_recipients(now, settings):
    settings.ALERT_EMAILS = []
    check_alerts(now=now)
    check_alerts(now=now + MINUTE)
    assert mail.outbox == []
    assert Alert.objects.get().mailed == ""


def test_staff_view_the_alerts(now):
    check_alerts(now=now)
    page = office(member(Role.GAMES)).get("/admin/core/alert/").text
    assert "Clock" in page
    assert job() == 1


@pytest.mark.django_db(transaction=True)
def test_two_concurrent_workers_send_an_alert_once(now):
    check_alerts(now=now)
    run_at_once(*[lambda: check_alerts(now=now + MINUTE)] * 2)
    assert len(subjects()) == 1
    assert Alert.objects.count() == 1


@contextmanager
def away():
    """Point this thread's connection at a closed port within the block, as if PostgreSQL were down."""
    usual: Any = connections["default"]
    nowhere = {**usual.settings_dict, "HOST": "127.0.0.1", "PORT": "1"}
    nowhere["OPTIONS"] = {key: value for key, value in nowhere["OPTIONS"].items() if key != "pool"}
    connections["default"] = type(usual)(nowhere, alias="default")
    try:
        yield
    finally:
        connections["default"] = usual


@pytest.fixture
def _no_outage():
    cache.delete(alerts._OUTAGE)
    yield
    cache.delete(alerts._OUTAGE)


@pytest.mark.usefixtures("_no_outage")
def test_an_outage_of_the_database_is_mailed_while_it_lasts():
    """Alerts are stored in the database, so its own outage needs a separate path."""
    now = timezone.now()
    beat(now + 5 * MINUTE)
    check_alerts(now=now)
    with away():
        cache.delete("site")  # the site's name cannot be read, either
        assert check_alerts(now=now) == 1
        assert subjects() == []
        for minutes in (1, 2, 3):
            assert check_alerts(now=now + minutes * MINUTE) == 1
    assert [subject.partition("] ")[2] for subject in subjects()] == ["Database: does not answer"]
    back = now + 4 * MINUTE
    beat(back)
    for _again in range(2):
        check_alerts(now=back)
    assert [subject.partition("] ")[2] for subject in subjects()[1:]] == ["All is well"]
    kept = Alert.objects.get(code="Database")
    assert (kept.began_at, kept.ended_at, kept.mailed) == (now, back, "ENDED")


@pytest.mark.usefixtures("_no_outage")
def test_a_short_outage_of_the_database_alerts_nobody():
    now = timezone.now()
    with away():
        check_alerts(now=now)
    beat(now + MINUTE)
    check_alerts(now=now + MINUTE)
    check_alerts(now=now + 2 * MINUTE)
    assert subjects() == []
