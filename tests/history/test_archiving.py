"""Archived moves of old matches, which can be read as before."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from core.database.advisory_locks import AdvisoryLock
from history import archiving
from history.archiving import archive_matches
from history.models import MatchArchive
from tables.models import Change, Match
from tests.tables.driving import (
    begin_match,
    drop,
    get_match,
    play_a_turn,
    play_short_match,
    start_match,
)
from tests.tables.records import grow_old, read_everything, verify
from tests.together import run_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(make_player, make_table):
    """A deal of some moves that the current player ended by dropping."""
    table = start_match(make_table(point_value=2), make_player(), make_player())
    for _ in range(4):
        play_a_turn(table)
    drop(table)
    return get_match(table)


@pytest.fixture
def play_another(make_player, make_table):
    return lambda: play_short_match(make_table(), make_player(), make_player())


def test_an_archived_match_is_replayed_and_verified_as_before(played):
    match, rows = played, Change.objects.filter(match=played).count()
    before = read_everything(match)
    assert rows == 10
    grow_old(match, days=3)
    assert archive_matches() == 1
    Change.objects.filter(match=match).delete()  # as if its day were dropped (test_days.py)
    assert read_everything(match) == before
    assert verify(read_everything(match)[0])[0] == 0
    assert len(MatchArchive.objects.get(match=match).changes) < 250 * rows


def test_young_and_running_matches_are_not_archived(played, make_player, make_table):
    grow_old(begin_match(make_table(), make_player(), make_player()), days=1000)
    grow_old(played, days=1)
    rows = Change.objects.count()
    assert archive_matches() == 0
    assert (Change.objects.count(), MatchArchive.objects.count()) == (rows, 0)


def test_matches_are_archived_once_in_batches(played, play_another):
    other = play_another()
    for match in (played, other):
        grow_old(match, days=200)
    assert [archive_matches(limit=1) for _ in range(3)] == [1, 1, 0]
    assert set(MatchArchive.objects.values_list("match", flat=True)) == {played.pk, other.pk}


def test_a_match_locked_by_a_dead_process_is_archived_later(
    transactional_db, other_connection, played, play_another
):
    other = play_another()
    for match in (played, other):
        grow_old(match, days=200)
    with other_connection.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute(
            "SELECT pg_advisory_xact_lock(%s, hashint8(%s))",
            [AdvisoryLock.PACKING_MATCHES, played.pk],
        )
        assert archive_matches() == 1
        assert list(MatchArchive.objects.values_list("match", flat=True)) == [other.pk]
        cursor.execute("ROLLBACK")
    assert archive_matches() == 1


def test_concurrent_archivers_share_the_matches(transactional_db, play_another, monkeypatch):
    monkeypatch.setattr(archiving, "PACKED_TOGETHER", 1)
    for match in [play_another() for _ in range(8)]:  # the later ones began later
        grow_old(match, days=200)
    before = {match.pk: read_everything(match) for match in Match.objects.all()}
    assert sum(run_at_once(*4 * [archive_matches])) == 8
    Change.objects.all().delete()
    assert {match.pk: read_everything(match) for match in Match.objects.all()} == before


def test_the_search_ends_at_the_newest_old_match(played, play_another):
    young = play_another()
    grow_old(played, days=200)
    # An end before the beginning would mark it as old if it were read.
    Match.objects.filter(pk=young.pk).update(ended_at=Now() - timedelta(days=200))
    assert archive_matches() == 1
    assert list(MatchArchive.objects.values_list("match", flat=True)) == [played.pk]


def test_a_setting_of_zero_days_archives_nothing(played, settings):
    settings.MATCHES_ARCHIVED_AFTER_DAYS = 0
    grow_old(played, days=1000)
    assert archive_matches() == 0
    assert Change.objects.filter(match=played).exists()
