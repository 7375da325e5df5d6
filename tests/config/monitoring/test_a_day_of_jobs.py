"""The day that `bin/bench growth --players` lets pass, and that it knows every job there is."""

import time
from dataclasses import replace

import pytest
from django.db import connection

from bench.day.loads import WORK, Habits, jobs
from bench.day.schedule import HOURS, Job, a_day
from bench.day.spending import Spending
from bench.day.workers import GOALS, enough
from config.settings.schedule import CELERY_BEAT_SCHEDULE, QUEUES


def job(**values):
    return Job(**{"name": "job", "queue": "slow", "period": 10, "expires": 10, **values})


def every_hour(number):
    return [number] * HOURS


def passed(*of_the_day, places=1):
    told = a_day(of_the_day, {"slow": places})
    return [told[one.name] for one in of_the_day]


def test_a_job_that_is_quick_enough_does_all_that_comes():
    mine = job(comes=every_hour(3600), each=0.5)
    (done,) = passed(mine)
    assert done.came == pytest.approx(86_400)
    assert done.left <= 20
    assert done.longest_wait <= 20
    assert done.verdict(mine) == "keeps up"
    assert (done.runs, done.expired) == (8_640, 0)


def test_one_that_does_so_many_a_run_falls_behind_where_more_come():
    mine = job(comes=every_hour(3600), each=0.01, most=5)
    (done,) = passed(mine)
    assert done.done == pytest.approx(5 * 8_640, abs=10)
    assert done.verdict(mine) == "behind"


def test_one_that_takes_long_keeps_a_place_from_the_others():
    """A hundred seconds of every fifty: the other one's messages grow old."""
    slow = job(name="slow", period=50, expires=50, comes=every_hour(36_000), each=0.1, within=100)
    quick = job(name="quick", period=5, expires=5)
    blocked, waiting = passed(slow, quick)
    assert waiting.expired > 0.85 * 86_400 / 5
    assert waiting.verdict(quick) == "behind"
    _blocked, waiting = passed(slow, quick, places=2)
    assert waiting.expired == 0
    assert waiting.verdict(quick) == "keeps up"
    assert blocked.done > 0


def test_where_one_works_at_a_time_a_second_place_does_not_help_and_sharing_does():
    comes = {"comes": every_hour(7200), "each": 1.0, "within": 30.0}
    alone, shared = job(**comes), job(**comes, shared=True)
    assert passed(alone, places=4)[0].done == pytest.approx(86_400, rel=0.02)
    assert passed(shared, places=4)[0].verdict(shared) == "keeps up"


def test_what_runs_share_is_waited_for_no_longer_than_it_takes_them_together():
    """Forty items a second of a tenth of a second each are the work of four; a run of a minute takes no
    minute's worth for itself alone."""
    mine = job(period=2, expires=2, comes=every_hour(40 * 3600), each=0.1, within=60, shared=True)
    (done,) = passed(mine, places=5)
    assert done.verdict(mine) == "keeps up"
    assert done.longest_wait < 20
    assert passed(mine, places=3)[0].verdict(mine) == "behind"


def test_workers_of_two_queues_take_of_each_in_turn():
    """Runs of a minute every two seconds take all places that they get; a quick job of the other queue
    has every second one."""
    long = job(
        name="long", queue="history", period=2, expires=2, within=60, shared=True,
        comes=every_hour(36_000), each=1.0,
    )  # fmt: skip
    quick = job(name="quick", period=60, expires=60)
    told = a_day([long, quick], {"slow,history": 2})
    assert told["long"].verdict(long) == "behind"
    assert told["quick"].verdict(quick) == "keeps up"
    assert told["quick"].expired == 0
    alone = a_day([long, quick], {"slow": 1, "history": 2})
    assert alone["long"].done == pytest.approx(told["long"].done, rel=0.01)


def test_so_many_workers_are_enough_and_one_less_is_not():
    """The work of five places, of which two and four change nothing."""
    busy = job(
        name="busy", queue="history", period=2, expires=2, within=60, shared=True,
        comes=every_hour(50 * 3600), each=0.1,
    )  # fmt: skip
    hopeless = job(name="hopeless", queue="slow", comes=every_hour(3600), each=2.0, within=10)
    idle = job(name="idle", queue="slow", period=60, expires=60)
    concurrency = {"history": 2, "slow": 2}
    behind = GOALS["nothing is left over at night"]
    assert enough([busy, hopeless, idle], concurrency, behind) == {"history": 3, "slow": 1}
    evening = [0.0] * 18 + [50 * 3600] * 4 + [0.0] * 2
    once = replace(busy, comes=evening)
    assert enough([once], {"history": 2}, behind) == {"history": 2}
    late = GOALS["nothing is late in the evening"]
    assert enough([once], {"history": 2}, late) == {"history": 3}


def test_what_comes_in_the_evening_is_done_by_night():
    evening = [0.0] * 18 + [7200.0] * 2 + [0.0] * 4
    mine = job(comes=evening, each=1.0, within=60)
    (done,) = passed(mine)
    assert done.left == pytest.approx(0, abs=1)
    assert done.verdict(mine) == "late"
    assert 3000 < done.longest_wait < 8000


def test_every_job_of_the_schedule_has_its_work():
    assert set(WORK) == {entry["task"] for entry in CELERY_BEAT_SCHEDULE.values()}
    of_the_day = jobs(Habits(players=1000), {}, {})
    assert {one.queue for one in of_the_day} <= set(QUEUES)
    assert len(of_the_day) == len(CELERY_BEAT_SCHEDULE)


def test_habits_of_a_million():
    habits = Habits(players=1_000_000)
    assert habits.matches_a_second == pytest.approx(1388.9, abs=0.1)
    assert sum(habits.matches()) / 86_400 < habits.matches_a_second
    assert max(habits.people(0.1)) * HOURS > sum(habits.people(0.1))


def test_what_is_spent_is_work_here_and_at_the_database_and_no_waiting(db):
    asleep = Spending()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(0.5)")
    time.sleep(0.5)
    assert asleep.seconds < 0.5
    at_work = Spending()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM generate_series(1, 5000000)")
    there = at_work.seconds
    assert there > 0.05
    sum(range(5_000_000))
    assert at_work.seconds > there + 0.01
