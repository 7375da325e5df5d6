"""Daily partitions of changes, opened and dropped during play."""

import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from celery import current_app
from django.db import OperationalError, ProgrammingError, connection, transaction
from django.db.models import F
from django.utils import timezone

from config.settings.schedule import SLOW
from core.database.advisory_locks import AdvisoryLock
from history import days
from history.archiving import archive_matches
from tables.models import Change, Match
from tables.play import move as playing
from tables.play.reading import list_changes_since
from tests.given import reload, require
from tests.tables.driving import act, drop, game_view, hand_of, play_a_turn, start_match
from tests.tables.records import grow_old, read_everything
from tests.wallet.rawsql import as_owner, run
from tests.workers import wait_until

pytestmark = pytest.mark.django_db

DAY_MS = 24 * 60 * 60 * 1000


def today():  # read in each test, as a run may pass midnight
    return timezone.now().astimezone(UTC).date()


def long_ago():
    return today() - timedelta(days=5)


def ask(query, *values):
    with connection.cursor() as cursor:
        # Deferred constraints would block changes of the tables in the same transaction.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(query, values)
        return cursor.fetchall()


def open_day(day):
    return ask("SELECT tables_open_days(%s, %s)", day, day) == [(1,)]


def read_parts():
    """Return the number of changes in each daily partition, by name."""
    names = ask(
        "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'tables_change'::regclass"
    )
    filled = dict(
        ask(  # sub-partitions, whose names end in a digit
            "SELECT regexp_replace(tableoid::regclass::text, '_[0-9]$', ''), count(*)"
            " FROM tables_change GROUP BY 1"
        )
    )
    return {name.removeprefix("tables_change_"): filled.get(name, 0) for (name,) in names}


def turn_days():
    return days.turn_days(now=timezone.now())


def name_day(day):
    return f"{day:%Y%m%d}"


@pytest.fixture
def table(make_player, make_table):
    turn_days()  # the database may have been made yesterday
    return start_match(make_table(point_value=2), make_player(), make_player())


@pytest.fixture
def five_days_old(table):
    """A match whose changes are in the partition of five days ago."""
    open_day(long_ago())
    Change.objects.filter(table=table).update(at_ms=F("at_ms") - 5 * DAY_MS)
    return Match.objects.get(table=table)


def versions_since(table, seen):
    return [
        change.version for change in require(list_changes_since(table_id=table.pk, version=seen))
    ]


def test_changes_go_into_the_partition_of_today(table):
    assert turn_days() == 0
    found = read_parts()
    assert found[name_day(today() + timedelta(days=1))] == 0
    assert {day: number for day, number in found.items() if number} == {
        name_day(today()): Change.objects.count()
    }


def test_a_packed_day_is_dropped_and_its_matches_read_as_before(table, five_days_old):
    drop(table)
    Change.objects.filter(table=table).update(at_ms=F("at_ms") % DAY_MS + days_ms(long_ago()))
    before = read_everything(five_days_old)
    grow_old(five_days_old, days=5)
    assert archive_matches() == 1
    assert read_parts()[name_day(long_ago())] > 0
    assert read_everything(five_days_old) == before
    assert turn_days() == 1
    assert name_day(long_ago()) not in read_parts()
    assert not Change.objects.filter(table=table).exists()
    assert read_everything(five_days_old) == before


def days_ms(day):
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)


def test_a_match_of_a_dropped_and_a_kept_day_reads_as_before(table, five_days_old):
    drop(table)
    before = read_everything(five_days_old)
    grow_old(five_days_old, days=5)
    assert archive_matches() == 1
    turn_days()
    assert Change.objects.filter(match=five_days_old).exists()
    assert read_everything(five_days_old) == before


def test_a_running_match_keeps_the_changes_of_a_dropped_day(table, five_days_old):
    grow_old(five_days_old, days=5)
    of_match = list(Change.objects.filter(match=five_days_old).order_by("pk").values())
    assert of_match
    assert archive_matches() == 0
    assert turn_days() == 1
    assert list(Change.objects.filter(match=five_days_old).order_by("pk").values()) == of_match
    assert (
        read_parts()["other"] == len(of_match) == Change.objects.count()
    )  # changes of sitting down are dropped
    seen = reload(table).version
    play_a_turn(table)
    assert versions_since(table, seen) == [seen + 1, seen + 2]
    drop(table)
    before = read_everything(five_days_old)
    Match.objects.filter(pk=five_days_old.pk).update(ended_at=F("started_at"))
    assert archive_matches() == 1
    assert read_parts()["other"] == 0
    assert read_everything(five_days_old) == before


def test_a_finished_match_not_yet_packed_keeps_its_changes(table, five_days_old):
    drop(table)
    Match.objects.filter(pk=five_days_old.pk).update(started_at=F("started_at") - timedelta(days=5))
    before = read_everything(five_days_old)
    assert turn_days() == 1
    assert read_everything(five_days_old) == before


def test_a_day_with_many_changes_of_running_matches_stays(table, five_days_old, monkeypatch):
    """Such a day blocks no other day, which is dropped as usual."""
    grow_old(five_days_old, days=5)
    number = Change.objects.filter(match=five_days_old).count()
    monkeypatch.setattr(days, "MOST_LEFT_OVER", number - 1)
    before = read_parts()
    assert turn_days() == 0
    assert read_parts() == before
    open_day(long_ago() + timedelta(days=1))
    assert turn_days() == 1
    assert read_parts() == before
    monkeypatch.setattr(days, "MOST_LEFT_OVER", number)
    assert turn_days() == 1


def test_no_partition_is_opened_for_a_day_that_has_changes(table):
    """After the jobs have failed for a while, that day's changes are already in the default partition."""
    Change.objects.update(at_ms=F("at_ms") + 3 * DAY_MS)
    number = Change.objects.count()
    ask("SELECT tables_open_days(%s, %s)", today() + timedelta(days=2), today() + timedelta(days=4))
    found = read_parts()
    opened = [name_day(today() + timedelta(days=days)) in found for days in (2, 3, 4)]
    assert opened == [True, False, True]
    assert found["other"] == number


def test_without_archiving_no_day_is_opened_or_dropped(table, five_days_old, settings):
    settings.MATCHES_ARCHIVED_AFTER_DAYS = 0
    ask("SELECT tables_close_day(%s, 0)", long_ago())  # no change is this old
    before = read_parts()
    assert turn_days() == 0
    assert read_parts() == before


def test_a_long_read_is_not_disturbed_by_turning_days(
    transactional_db, other_connection, monkeypatch, caplog
):
    monkeypatch.setattr(days, "_SECONDS_BETWEEN", 0)
    open_day(long_ago())
    before = read_parts()
    with other_connection.cursor() as cursor:
        cursor.execute("BEGIN; SELECT count(*) FROM tables_change")
        assert turn_days() == 0
        assert read_parts() == before
        cursor.execute("ROLLBACK")
    assert "tables were in use" in caplog.text
    assert turn_days() == 1
    assert name_day(long_ago()) not in read_parts()


def test_only_one_job_turns_days_at_a_time(transactional_db, other_connection):
    open_day(long_ago())
    with other_connection.cursor() as cursor:
        cursor.execute("BEGIN; SELECT pg_advisory_xact_lock(%s)", [AdvisoryLock.TURNING_DAYS])
        assert turn_days() == 0
        cursor.execute("ROLLBACK")
    assert turn_days() == 1


def test_the_application_role_cannot_add_or_drop_partitions():
    for statement in (
        "SELECT tables_add_part('tables_change_20200101', 'FOR VALUES FROM (1) TO (2)')",
        "DROP TABLE tables_change_other",
    ):
        with pytest.raises(ProgrammingError), transaction.atomic():
            ask(statement)
    assert "other" in read_parts()


def test_a_repeated_move_after_midnight_is_played_once(table, monkeypatch):
    monkeypatch.setattr(playing, "_HOUR", playing._DAY)  # always just after midnight
    seat, move_id = game_view(table)["turn"], uuid4()
    groups = [hand_of(table, seat)["hand"][::-1]]
    for _ in range(2):
        played = act(table, seat, kind="arrange", rev=7, groups=groups, move_id=move_id)
        assert played.refusal is None
        Change.objects.filter(move_id=move_id).update(at_ms=F("at_ms") - DAY_MS)
    assert Change.objects.filter(move_id=move_id).count() == 1


def test_a_client_that_missed_dropped_changes_gets_a_new_view(table):
    first = require(Change.objects.filter(table=table).earliest("version").version)
    assert versions_since(reload(table), first) == list(range(first + 1, table.version + 1))
    Change.objects.filter(table=table, version=first + 1).delete()
    assert list_changes_since(table_id=table.pk, version=first) is None
    Change.objects.filter(table=table, version__gt=first).delete()
    assert list_changes_since(table_id=table.pk, version=first) is None
    assert list_changes_since(table_id=table.pk, version=table.version) == []


def test_days_turn_while_people_play(transactional_db, make_player, make_table, monkeypatch):
    monkeypatch.setattr(days, "_SECONDS_BETWEEN", 0)
    tables = [start_match(make_table(), make_player(), make_player()) for _ in range(3)]
    count, has_turned, played = Change.objects.count(), threading.Event(), []

    def play(table):
        try:
            while not has_turned.is_set():
                play_a_turn(table)
                played.append(table)
        finally:
            connection.close()

    players = [threading.Thread(target=play, args=(table,)) for table in tables]
    for player in players:
        player.start()
    past = [long_ago() - timedelta(days=n) for n in range(10)]
    for day in past:
        retry_while_locked(lambda day=day: open_day(day))
    retry_while_locked(
        lambda: turn_days() == len(past) or not read_parts().keys() & set(map(name_day, past))
    )
    has_turned.set()
    for player in players:
        player.join()
    assert {table.pk for table in played} == {table.pk for table in tables}
    assert Change.objects.count() == count + 2 * len(played)


def retry_while_locked(turn):
    """Call `turn` until it succeeds, while readers keep the tables locked."""
    for _ in range(50):
        with suppress(OperationalError):
            if turn():
                return
    raise AssertionError("the tables were never free")


# Dropping a day locks matches against readers, too; opening one does not.
READ = {"tables_open_days": "tables_change", "tables_close_day": "tables_match"}


@pytest.mark.parametrize("waits_in", READ)
def test_a_killed_job_loses_nothing_and_the_next_run_finishes(
    workers, table, five_days_old, other_connection, waits_in
):
    """The job is killed while it waits for a reader to release its lock."""
    tomorrow = name_day(today() + timedelta(days=1))
    with as_owner():
        run(f"DROP TABLE tables_change_{tomorrow}")
    grow_old(five_days_old, days=5)
    before, changes = read_parts(), list(Change.objects.order_by("pk").values())
    of_match = [change for change in changes if change["match_id"] == five_days_old.pk]
    assert 0 < len(of_match) < before[name_day(long_ago())]
    doomed = workers.start("--queues", SLOW)
    with other_connection.cursor() as reader:
        reader.execute(f"BEGIN; SELECT count(*) FROM {READ[waits_in]}")  # noqa: S608
        current_app.send_task("history.turn_days")
        wait_until(lambda: is_running(waits_in, waits=True))
        doomed.kill()
        doomed.wait(15)
        reader.execute("ROLLBACK")
    wait_until(lambda: not is_running(waits_in))
    opened, has_opened = {tomorrow: 0}, waits_in == "tables_close_day"
    assert read_parts() == (before | opened if has_opened else before)
    assert list(Change.objects.order_by("pk").values()) == changes

    assert turn_days() == (1 if has_opened else 2)
    del before[name_day(long_ago())]
    assert read_parts() == before | opened | {"other": before["other"] + len(of_match)}
    assert list(Change.objects.order_by("pk").values()) == of_match


def is_running(function, *, waits=False):
    """Tell whether another session runs this function. With `waits`, it must also be waiting for a lock."""
    [[found]] = ask(
        "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        " AND datname = current_database() AND state = 'active' AND starts_with(query, %s)"
        " AND (NOT %s OR wait_event_type = 'Lock'))",
        f"SELECT {function}",
        waits,
    )
    return found
