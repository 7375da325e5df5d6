"""Deadlines after an outage of all clocks."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.db import transaction
from django.db.models import F

from tables.live.clock import act_on_table
from tables.models import Change, ChangeKind, ClockBeat, ClockOutage, Table
from tables.play.faults import give_time_back, list_owed_tables, store_heartbeat
from tables.play.lock import lock_table
from tests.given import require
from tests.tables.driving import act, game_view, play_a_turn, start_match
from tests.together import run_at_once

pytestmark = pytest.mark.django_db


def let_clocks_fail(*, seconds, ago=0):
    """Store an outage of all clocks that lasted `seconds` and ended `ago` seconds before now."""
    store_heartbeat()
    # Move earlier changes to before the outage.
    Change.objects.update(at_ms=F("at_ms") - (seconds + ago + 1) * 1000)
    ClockBeat.objects.update(beat_at=F("beat_at") - timedelta(seconds=seconds))
    outage = store_heartbeat()
    ClockOutage.objects.filter(pk=outage).update(
        began_at=F("began_at") - timedelta(seconds=ago),
        ended_at=F("ended_at") - timedelta(seconds=ago),
    )
    return outage


def let_deadline_pass(table):
    """Move the turn back by more than its turn time and extra time, 30 + 60 seconds."""
    Table.objects.filter(pk=table.pk).update(deadline_at=F("deadline_at") - timedelta(seconds=90))


def test_running_deadlines_are_postponed_by_the_outage(table):
    due = game_view(table)["due_at"]
    outage = let_clocks_fail(seconds=30)
    assert list_owed_tables(outage) == [table.pk]
    step = require(give_time_back(table.pk))
    assert (step.kind, step.events[0]["kind"]) == (ChangeKind.POSTPONED, "postponed")
    moved = game_view(table)["due_at"] - due
    assert 30_000 <= moved < 31_000
    assert step.patch["game"]["due_at"] == due + moved
    assert list_owed_tables(outage) == []
    assert give_time_back(table.pk) is None


def test_a_short_silence_is_no_outage(table):
    assert let_clocks_fail(seconds=4) == 0
    assert give_time_back(table.pk) is None
    assert not Change.objects.filter(kind=ChangeKind.POSTPONED).exists()


def test_a_deadline_passed_during_an_outage_is_postponed_first(table):
    let_clocks_fail(seconds=100)
    let_deadline_pass(table)
    assert require(act_on_table(table.pk)).kind == ChangeKind.POSTPONED
    assert act_on_table(table.pk) is None  # the lost time has been added to the turn
    assert game_view(table)["players"]["0"]["missed"] == 0


def test_a_move_after_an_outage_is_in_time(table):
    seat = game_view(table)["turn"]
    let_clocks_fail(seconds=100)
    let_deadline_pass(table)
    played = act(table, seat, kind="draw", source="closed")
    assert played.refusal is None
    assert [step.kind for step in played.changes] == [ChangeKind.POSTPONED, ChangeKind.MOVE]
    assert [step.version for step in played.changes] == [played.version - 1, played.version]


def test_a_turn_begun_during_an_outage_gets_the_rest_of_it_back(table):
    """Web processes accept moves while no clock runs, so a turn can begin in the middle of an outage."""
    let_clocks_fail(seconds=30)
    play_a_turn(table)
    ended = ClockOutage.objects.get().ended_at.timestamp() * 1000
    newest = Change.objects.filter(table=table).order_by("-version").first()
    Change.objects.filter(pk=require(newest).pk).update(at_ms=round(ended) - 12_000)
    due = game_view(table)["due_at"]
    give_time_back(table.pk)
    assert game_view(table)["due_at"] - due == 12_000


def test_a_turn_begun_after_an_outage_gets_no_time(table):
    outage = let_clocks_fail(seconds=30)
    play_a_turn(table)
    due = game_view(table)["due_at"]
    assert give_time_back(table.pk) is None
    assert list_owed_tables(outage) == []
    assert game_view(table)["due_at"] == due


def test_a_match_begun_after_an_outage_gets_no_time(table, make_player, make_table):
    outage = let_clocks_fail(seconds=30)
    assert start_match(make_table(), make_player(), make_player()).outage_id == outage
    assert list_owed_tables(outage) == [table.pk]


def test_the_time_of_two_outages_is_given_back(table):
    due = game_view(table)["due_at"]
    let_clocks_fail(seconds=20, ago=60)
    let_clocks_fail(seconds=30)
    give_time_back(table.pk)
    assert 50_000 <= game_view(table)["due_at"] - due < 52_000


@pytest.mark.django_db(transaction=True)
def test_a_locked_table_gets_its_time_at_its_next_action(table):
    outage = let_clocks_fail(seconds=100)
    let_deadline_pass(table)
    with transaction.atomic():
        assert lock_table(table.pk) is not None
        assert run_at_once(partial(give_time_back, table.pk)) == [None]
    assert list_owed_tables(outage) == [table.pk]
    assert require(act_on_table(table.pk)).kind == ChangeKind.POSTPONED


@pytest.mark.django_db(transaction=True)
def test_one_of_several_returning_clocks_records_the_outage(table):
    store_heartbeat()
    ClockBeat.objects.update(beat_at=F("beat_at") - timedelta(seconds=30))
    found = run_at_once(*4 * [store_heartbeat])
    assert ClockOutage.objects.count() == 1
    assert max(found) == ClockOutage.objects.get().pk


def test_a_move_repeated_after_its_deadline_is_acknowledged(table):
    """The player did not receive the first acknowledgement."""
    seat, move_id = game_view(table)["turn"], uuid4()
    first = act(table, seat, move_id=move_id, kind="draw", source="closed")
    Table.objects.filter(pk=table.pk).update(deadline_at=F("deadline_at") - timedelta(seconds=200))
    again = act(table, seat, move_id=move_id, kind="draw", source="closed")
    assert (again.refusal, again.version) == (None, first.version)
    assert Change.objects.filter(table=table, move_id=move_id).count() == 1
    other = act(table, seat, move_id=uuid4(), kind="draw", source="closed")
    assert require(other.refusal).code == "too_late"
