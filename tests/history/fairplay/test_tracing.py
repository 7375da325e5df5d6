"""Tracing of matches for collusion, and the deletion of old traces."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.db.models.functions import Now
from django.utils import timezone

from config.account_data.closing import close_account
from history.fairplay import tracing
from history.fairplay.tracing import Shared, find_shared_places, forget_old_traces, trace_match
from history.models import MatchTrace, SittingKey, SittingTrace
from history.records import deal_record
from history.tasks import trace_finished_matches
from tables.models import Match
from tests.given import reload, require
from tests.tables.driving import (
    drop,
    get_match,
    leave,
    play_short_match,
    play_to_the_end,
    start_match,
)
from tests.together import run_at_once

pytestmark = pytest.mark.django_db

PLACE = {"ip": "192.0.2.7", "user_agent": "Firefox/140 Linux"}


@pytest.fixture
def dropped(players, make_table):
    """A match of three in which two players drop at once."""
    table = start_match(make_table(max_seats=3), *players[:3])
    for _ in range(2):
        drop(table)
    return get_match(table), players[:3]


@pytest.fixture
def play_another(make_player, make_table):
    return lambda: play_short_match(make_table(), make_player(), make_player())


def sign_in(user, number, **place):
    UserSession.objects.create(
        user=user, session_key=f"key{number}", last_seen_at=timezone.now(), **{**PLACE, **place}
    )


def test_a_traced_match_leaves_the_sums_of_every_pair_once(dropped):
    match, people = dropped
    assert trace_finished_matches() == 1
    rows = MatchTrace.objects.filter(match=match)
    users = {user.pk for user in people}
    assert {(row.giver_id, row.taker_id) for row in rows} == {
        (a, b) for a in users for b in users if a != b
    }
    winner = match.players[str(match.result["winners"][0])]["user"]
    for row in rows:
        is_loser, is_to_winner = row.giver_id != winner, row.taker_id == winner
        assert row.paid == (20.0 if is_loser and is_to_winner else 0.0)
        assert row.decisions <= 1
    # Each loser lost as much as expected.
    for loser in users - {winner}:
        assert sum(rows.filter(giver=loser).values_list("paid_due", flat=True)) == pytest.approx(20)
    before = list(MatchTrace.objects.order_by("pk").values())
    assert (trace_finished_matches(), trace_match(match.pk)) == (0, False)
    assert list(MatchTrace.objects.order_by("pk").values()) == before


def test_a_tracer_that_dies_has_written_nothing(dropped, monkeypatch):
    match, _people = dropped

    def die(_users):
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(tracing, "record_sittings", die)
        with pytest.raises(SystemExit):
            trace_match(match.pk)
    assert not MatchTrace.objects.exists()
    assert reload(match).traced_at is None
    assert trace_finished_matches() == 1


def test_matches_that_cannot_be_traced_do_not_block_others(dropped, play_another, monkeypatch):
    """The broken matches are the oldest, and more of them than one batch holds."""
    monkeypatch.setattr(tracing, "_LOOKED_AT", 1)
    broken, other = dropped[0], play_another()
    Match.objects.filter(pk=broken.pk).update(ended_at=Now() - timedelta(days=1))
    tried = []

    def record(*, match_id, number):
        tried.append(match_id)
        if match_id == broken.pk:
            raise ValueError("no such record")
        return deal_record(match_id=match_id, number=number)

    monkeypatch.setattr(tracing, "deal_record", record)
    assert trace_finished_matches() == 1
    assert tried == [broken.pk, other.pk]
    assert set(MatchTrace.objects.values_list("match", flat=True)) == {other.pk}


def test_a_match_locked_by_a_dead_process_is_traced_later(
    transactional_db, other_connection, dropped, play_another
):
    first = dropped[0]
    play_another()
    with other_connection.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute(
            "SELECT FROM tables_match WHERE id = %s AND table_id = %s FOR NO KEY UPDATE",
            [first.pk, first.table_id],
        )
        assert trace_finished_matches() == 1
        assert trace_finished_matches() == 0
        cursor.execute("ROLLBACK")
    assert trace_finished_matches() == 1


def test_concurrent_tracers_share_the_matches(transactional_db, play_another):
    for _ in range(8):
        play_another()
    assert sum(run_at_once(*6 * [trace_finished_matches])) == 8
    assert not Match.objects.filter(traced_at=None).exists()
    assert MatchTrace.objects.count() == 16


def test_a_long_match_leaves_sums_of_feeding_and_picking(players, make_table):
    table = start_match(make_table(max_seats=4), *players)
    match = play_to_the_end(table, strength="medium")
    assert trace_finished_matches() == 1
    rows = list(MatchTrace.objects.filter(match=match))
    assert len(rows) == 12
    fed = [row for row in rows if row.feeding_others]
    assert fed
    for row in fed:
        assert row.feeding + sum(row.feeding_others) == pytest.approx(0, abs=0.01)
    assert sum(row.offered for row in rows) > 4
    assert sum(row.paid for row in rows) == sum(require(match.result)["points"].values())


# --- Addresses and devices.


def test_addresses_are_stored_as_keyed_hashes(dropped):
    _match, (first, second, third) = dropped
    sign_in(first, 1)
    sign_in(second, 2)
    sign_in(second, 3, ip="198.51.100.1")
    sign_in(third, 4, user_agent="Safari")
    trace_finished_matches()
    assert SittingTrace.objects.count() == 4
    stored = b"".join(
        bytes(row.address_hash) + bytes(row.device_hash) for row in SittingTrace.objects.all()
    )
    assert b"192.0.2.7" not in stored
    assert find_shared_places(first.pk, second.pk) == Shared(addresses=1, with_device=1, others=1)
    assert find_shared_places(first.pk, third.pk) == Shared(addresses=1, with_device=0, others=1)
    key = SittingKey.objects.get()
    SittingTrace.objects.filter(user=second).update(
        key=SittingKey.objects.create(began_on=key.began_on - timedelta(days=30), secret=bytes(32))
    )
    assert find_shared_places(first.pk, second.pk) == Shared(0, 0, 0)


def test_an_unused_session_is_not_recorded(dropped):
    _match, (first, *_others) = dropped
    sign_in(first, 1)
    UserSession.objects.update(last_seen_at=timezone.now() - timedelta(hours=7))
    trace_finished_matches()
    assert not SittingTrace.objects.exists()


# --- Forgetting.


def test_traces_and_their_key_are_deleted_after_ninety_days(dropped):
    match, (first, *_others) = dropped
    sign_in(first, 1)
    trace_finished_matches()
    assert forget_old_traces(timezone.now() + timedelta(days=89)) == 0
    assert MatchTrace.objects.filter(match=match).count() == 6
    assert forget_old_traces(timezone.now() + timedelta(days=91)) == 7
    assert not MatchTrace.objects.exists()
    assert not SittingTrace.objects.exists()
    forget_old_traces(timezone.now() + timedelta(days=160))
    assert not SittingKey.objects.exists()


def test_an_old_match_is_not_traced(dropped):
    match, _people = dropped
    Match.objects.filter(pk=match.pk).update(ended_at=Now() - timedelta(days=91))
    assert trace_finished_matches() == 0
    assert not MatchTrace.objects.exists()


def test_closing_an_account_removes_its_traces(dropped, make_player, make_table):
    match, leaver = dropped[0], make_player()
    other = play_short_match(make_table(), leaver, make_player())
    sign_in(leaver, 1)
    trace_finished_matches()
    assert MatchTrace.objects.count() == 8
    leave(other.table, leaver)
    close_account(user_id=leaver.pk)
    assert set(MatchTrace.objects.values_list("match", flat=True)) == {match.pk}
    assert not SittingTrace.objects.exists()
