"""The moves of long finished matches are packed, and nothing that can be seen of them changes."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from core.database.advisory_locks import AdvisoryLock
from tables.history import archiving
from tables.history.archiving import archive_matches
from tables.history.records import deal_record
from tables.history.replay import replay_of
from tables.history.selectors import list_finished_deals
from tables.models import Change, Match, MatchArchive
from tests.tables.driving import act, drop, game_view, start_match
from tests.tables.history.test_records import verify
from tests.together import run_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(make_player, make_table):
    """A deal with some moves, dropped by whoever is at turn."""
    table = start_match(make_table(point_value=2), make_player(), make_player())
    for _ in range(4):
        act(table, game_view(table)["turn"], kind="draw", source="closed")
        turn = game_view(table)["turn"]
        act(table, turn, kind="discard", card=find_drawn(table, turn))
    drop(table)
    return Match.objects.get(table=table)


def find_drawn(table, seat):
    change = Change.objects.filter(table=table, private__has_key=str(seat)).latest("pk")
    return change.private[str(seat)]["drawn"]


def grow_old(match, days):
    over = Now() - timedelta(days=days)
    Match.objects.filter(pk=match.pk).update(started_at=over - timedelta(minutes=3), ended_at=over)


def read_everything(match):
    return (
        deal_record(match_id=match.pk, number=1),
        replay_of(match, number=1),
        list_finished_deals(match),
    )


def test_an_archived_match_is_replayed_and_verified_as_before(played):
    match, rows = played, Change.objects.filter(match=played).count()
    before = read_everything(match)
    assert rows == 10
    grow_old(match, days=3)
    assert archive_matches() == 1
    Change.objects.filter(match=match).delete()  # as with its day (test_days.py)
    assert read_everything(match) == before
    assert verify(read_everything(match)[0])[0] == 0
    packed = len(MatchArchive.objects.get(match=match).changes)
    assert packed < 250 * rows


def test_a_young_match_and_one_that_goes_on_keep_their_rows(played, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    running = Match.objects.get(table=table)
    grow_old(running, days=1000)
    grow_old(played, days=1)
    rows = Change.objects.count()
    assert archive_matches() == 0
    assert (Change.objects.count(), MatchArchive.objects.count()) == (rows, 0)


def test_each_match_is_archived_once_and_the_rest_next_time(played, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    drop(table)
    other = Match.objects.get(table=table)
    for match in (played, other):
        grow_old(match, days=200)
    assert [archive_matches(limit=1) for _ in range(3)] == [1, 1, 0]
    assert set(MatchArchive.objects.values_list("match", flat=True)) == {played.pk, other.pk}


def test_what_another_one_has_is_left_to_it(
    transactional_db, other_connection, played, make_player, make_table
):
    """It dies: the next run finds what it had."""
    table = start_match(make_table(), make_player(), make_player())
    drop(table)
    for match in (played, other := Match.objects.get(table=table)):
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


def test_runs_at_one_moment_share_the_matches(
    transactional_db, make_player, make_table, monkeypatch
):
    """Each is packed once, with all its changes."""
    monkeypatch.setattr(archiving, "PACKED_TOGETHER", 1)
    for _ in range(8):
        table = start_match(make_table(), make_player(), make_player())
        drop(table)
    for match in Match.objects.order_by("pk"):  # the later ones began later
        grow_old(match, days=200)
    before = {match.pk: read_everything(match) for match in Match.objects.all()}
    assert sum(run_at_once(*4 * [archive_matches])) == 8
    Change.objects.all().delete()
    assert {match.pk: read_everything(match) for match in Match.objects.all()} == before


def test_matches_of_the_last_months_are_not_looked_through(played, make_player, make_table):
    """If nothing is due, the search ends at the newest match that began long ago."""
    table = start_match(make_table(), make_player(), make_player())
    drop(table)
    young = Match.objects.get(table=table)
    grow_old(played, days=200)
    # It cannot have ended before it began; whoever looked at it would pack it.
    Match.objects.filter(pk=young.pk).update(ended_at=Now() - timedelta(days=200))
    assert archive_matches() == 1
    assert list(MatchArchive.objects.values_list("match", flat=True)) == [played.pk]


def test_zero_days_means_never(played, settings):
    settings.MATCHES_ARCHIVED_AFTER_DAYS = 0
    grow_old(played, days=1000)
    assert archive_matches() == 0
    assert Change.objects.filter(match=played).exists()
