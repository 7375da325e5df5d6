"""The day of jobs of `bin/bench growth --players`, and that it knows every job there is."""

import time

import pytest
from django.db import connection

from bench.day.loads import HOURS, WORK, Habits, Load, Work, left_over, loads, workers
from bench.day.measuring import Spending
from config.settings.schedule import CELERY_BEAT_SCHEDULE, QUEUES

EVENING = [0.0] * 18 + [1.0] * 4 + [0.0] * 2


def load(comes, *, queue="slow", period=10, fixed=0.0, each=0.0, **work):
    return Load(
        task="job", queue=queue, period=period, fixed=fixed, each=each, comes=comes, work=Work(**work)
    )  # fmt: skip


def every_hour(number):
    return [number] * HOURS


def enough(*of_the_day, places=2, in_the_evening=False):
    return workers(of_the_day, of_the_day[0].queue, places, in_the_evening=in_the_evening)


def test_what_waits_is_what_was_not_done_in_time():
    assert left_over([1, 5, 0, 3], 2) == [0, 3, 1, 2]


def test_a_job_that_is_quick_enough_does_all_that_comes():
    mine = load(every_hour(3600), fixed=1, each=0.5)
    assert mine.seconds() == every_hour(360 + 1800)
    assert mine.verdict() == "keeps up"


def test_one_that_does_so_many_a_run_falls_behind_where_more_come():
    assert load(every_hour(1800), each=0.01, most=5).verdict() == "keeps up"
    assert load(every_hour(1801), each=0.01, most=5).verdict() == "behind"


def test_one_whose_runs_are_short_falls_behind_where_more_work_comes():
    """Thirty seconds in each minute."""
    assert load(every_hour(1800), period=60, each=1, within=30).verdict() == "keeps up"
    assert load(every_hour(1801), period=60, each=1, within=30).verdict() == "behind"


def test_what_comes_in_the_evening_is_late_if_it_is_done_by_night():
    assert load([4500 * share for share in EVENING], each=1).verdict() == "late"
    assert load([7200 * share for share in EVENING], each=1).verdict() == "behind"


def test_one_that_looks_at_everybody_is_late_if_that_takes_longer_than_its_period():
    assert load(every_hour(0), period=10, fixed=9).verdict() == "keeps up"
    assert load(every_hour(0), period=10, fixed=43).verdict() == "late"


def test_where_one_works_at_a_time_more_workers_do_not_help_and_sharing_does():
    alone, shared = (load(every_hour(7200), each=1, shared=shared) for shared in (False, True))
    assert (alone.verdict(), shared.verdict()) == ("behind", "keeps up")
    assert enough(alone, places=1) == 1
    assert enough(shared, places=1) == 2


def test_so_many_workers_are_enough_and_one_less_is_not():
    """The work of five places all day; of five places in the evening, which leaves two hours."""
    busy = load(every_hour(50 * 3600), each=0.1, shared=True)
    assert enough(busy) == 3
    once = load([50 * 3600 * share for share in EVENING], each=0.1, shared=True)
    assert enough(once) == 2
    assert enough(once, in_the_evening=True) == 3


def test_only_the_jobs_of_a_queue_need_its_workers():
    busy = load(every_hour(9000), each=1, shared=True)
    other = load(every_hour(90_000), queue="live", each=1, shared=True)
    assert enough(busy, other, places=1) == 3
    looks = load(every_hour(0), period=1, fixed=0.75)
    assert enough(busy, looks, places=1) == 4


def test_every_job_of_the_schedule_has_its_work():
    assert set(WORK) == {entry["task"] for entry in CELERY_BEAT_SCHEDULE.values()}
    of_the_day = loads(Habits(players=1000), {}, {})
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
