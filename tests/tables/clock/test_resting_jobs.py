"""Periodic jobs of a local run, which run less often while nobody plays."""

import json
from datetime import timedelta

import pytest
import redis
from allauth.usersessions.models import UserSession
from django.conf import settings

from config.celery import app
from config.run import jobs
from config.run.jobs import RestingScheduler, is_deserted
from config.settings.schedule import LIVE
from tests.tables.driving import leave, make_cup, seat_all
from tests.workers import empty_redis
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
OFFERS, OFFER = "open-split-offers", "tables.open_split_offers"
A_SECOND = timedelta(seconds=1)


@pytest.fixture
def scheduler(tmp_path):
    empty_redis()
    made = RestingScheduler(app, schedule_filename=str(tmp_path / "schedule"))
    yield made
    made.close()
    empty_redis()


def count_asked(scheduler):
    """Run one round of beat. Return how many of the every-second jobs that open split offers are queued."""
    scheduler.schedule[OFFERS].last_run_at -= A_SECOND
    scheduler.populate_heap()
    while scheduler.tick() == 0:
        pass
    with redis.Redis.from_url(settings.JOBS_REDIS_URL) as queues:
        return sum(
            OFFER in json.loads(job)["headers"]["task"] for job in queues.lrange(LIVE, 0, -1)
        )


@pytest.mark.django_db(transaction=True)  # beat's thread closes its connections
def test_a_job_comes_once_in_half_a_minute_while_nobody_is_there(
    scheduler, make_player, monkeypatch
):
    monkeypatch.setattr(jobs, "SECONDS_BETWEEN_CHECKS", 3_600)
    monkeypatch.setattr(jobs, "SECONDS_OF_REST", 3_600)
    assert [count_asked(scheduler) for _ in range(3)] == [1, 1, 1]
    UserSession.objects.create(user=make_player(), session_key="key", ip="127.0.0.1", user_agent="")
    assert count_asked(scheduler) == 1  # the job checks for players only now and then
    monkeypatch.setattr(jobs, "SECONDS_BETWEEN_CHECKS", 0)
    assert [count_asked(scheduler) for _ in range(2)] == [2, 3]


@pytest.mark.django_db(transaction=True)
def test_a_rest_is_over_after_half_a_minute(scheduler, monkeypatch):
    monkeypatch.setattr(jobs, "SECONDS_OF_REST", 3_600)
    assert [count_asked(scheduler) for _ in range(3)] == [1, 1, 1]
    monkeypatch.setattr(jobs, "SECONDS_OF_REST", 0)
    assert count_asked(scheduler) == 2


def test_jobs_do_not_rest_while_somebody_sits_at_a_table(make_player, make_table):
    assert is_deserted()
    table, player = make_table(), make_player()
    seat_all(table, player)
    assert not is_deserted()
    leave(table, player)
    assert is_deserted()


@pytest.mark.parametrize(
    ("status", "rests"), [("REGISTERING", True), ("BREAK", False), ("FINISHED", True)]
)
def test_jobs_do_not_rest_while_a_tournament_runs(status, rests):
    make_cup()
    Tournament.objects.update(status=status)
    assert is_deserted() == rests
