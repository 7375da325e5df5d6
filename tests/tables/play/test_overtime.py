"""R10.4b: overtime with short turns, and the count at its end."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from games.registry import get_game
from tables.live.clock import act_on_table
from tables.models import Change, ClockBeat, Match, MatchStatus, Table, TableStatus
from tables.play.faults import give_time_back, store_heartbeat
from tables.seating.events import TableOvertime
from tests.given import reload, require
from tests.tables.driving import game_view, make_event_terms, open_event_table, state_of

pytestmark = pytest.mark.django_db


def open_with_overtime(players, *, begins_in, counted_in):
    now, rules = timezone.now(), make_event_terms().rules
    terms = make_event_terms(
        rules={**rules, "deals": 1},
        # No tie-breaker begins, as in overtime.
        last_deal_at=now,
        overtime=TableOvertime(
            begins_at=now + timedelta(seconds=begins_in),
            turn_seconds=10,
            count_at=now + timedelta(seconds=counted_in),
        ),
    )
    table = open_event_table(terms, *players)
    act_on_table(table.pk)
    assert reload(table).status == TableStatus.PLAYING
    return table


def milliseconds(moment):
    return round(require(moment).timestamp() * 1000)


def test_a_turn_in_overtime_has_ten_seconds_everywhere(players):
    table = open_with_overtime(players[:3], begins_in=0, counted_in=120)
    view, change = game_view(table), Change.objects.latest("pk")
    assert view["due_at"] == view["deadline"] == milliseconds(table.deadline_at)
    assert view["due_at"] == change.at_ms + 10_000
    (turn,) = [event for event in change.events if event["kind"] == "turn"]
    assert turn["due_at"] == view["due_at"]
    assert view["players"][str(view["turn"])]["extra_ms"] == 0
    # The next turn is short as well.
    missed = require(let_past(table))
    assert game_view(table)["due_at"] == missed.at + 10_000


def let_past(table):
    """Let the deadline pass, and bring later times forward by the same amount."""
    game = get_game(reload(table).game)
    away = milliseconds(table.deadline_at) - round(timezone.now().timestamp() * 1000)
    state = game.core.postpone(game.stored.load(state_of(table)), by_ms=-max(away, 0) - 1)
    Table.objects.filter(pk=table.pk).update(state=game.stored.dump(state), deadline_at=Now())
    return act_on_table(table.pk)


def test_a_turn_begun_before_overtime_ends_soon_after_its_start(players):
    table = open_with_overtime(players[:3], begins_in=40, counted_in=160)
    view = game_view(table)
    assert view["due_at"] - Change.objects.latest("pk").at_ms == 30_000
    assert view["deadline"] == milliseconds(table.overtime_at) + 10_000
    far = open_with_overtime(players[:3], begins_in=400, counted_in=520)
    view = game_view(far)
    assert view["deadline"] - view["due_at"] == 60_000


def test_the_deal_is_counted_when_overtime_ends(players):
    """No player moves. Each hand is counted by its best arrangement."""
    table = open_with_overtime(players[:3], begins_in=-120, counted_in=-1)
    step = require(let_past(table))
    assert "deal_over" in [event["kind"] for event in step.events]
    table.refresh_from_db()
    if table.status == TableStatus.PLAYING:  # a tie: the break before a tie-breaker
        let_past(table)
        table.refresh_from_db()
    assert table.status == TableStatus.CLOSED
    match = Match.objects.get()
    assert match.status == MatchStatus.FINISHED
    result = require(match.result)
    assert sum(result["scores"].values()) == 3 * 80
    assert sorted(result["ranks"]) == ["0", "1", "2"]


def test_a_late_clock_still_counts_the_deal(players):
    table = open_with_overtime(players[:3], begins_in=0, counted_in=60)
    hour = timedelta(hours=1)
    Table.objects.update(overtime_at=F("overtime_at") - hour, count_at=F("count_at") - hour)
    # The new times hold from the next step on.
    for _ in range(4):
        table.refresh_from_db()
        if table.status == TableStatus.PLAYING:
            let_past(table)
    assert reload(table).status == TableStatus.CLOSED
    assert Change.objects.count() <= 4  # at most: dealt, two turns, and the end of the break
    assert Match.objects.get().status == MatchStatus.FINISHED


def test_an_outage_moves_overtime_and_the_count(players):
    table = open_with_overtime(players[:3], begins_in=40, counted_in=160)
    before = (table.overtime_at, table.count_at, table.last_deal_at)
    store_heartbeat()
    Change.objects.update(at_ms=F("at_ms") - 60_000)
    ClockBeat.objects.update(beat_at=F("beat_at") - timedelta(seconds=30))
    store_heartbeat()
    assert give_time_back(table.pk) is not None
    moved = require(reload(table).overtime_at) - require(before[0])
    assert timedelta(seconds=30) <= moved < timedelta(seconds=31)
    assert require(table.count_at) - require(before[1]) == moved
    assert require(table.last_deal_at) - require(before[2]) == moved


def test_overtime_is_set_as_a_whole_or_not_at_all(make_table):
    table = make_table()
    assert (table.overtime_at, table.overtime_turn_seconds, table.count_at) == (None, None, None)
    past = timezone.now() - timedelta(minutes=1)
    for half in (
        {"overtime_at": Now()},
        {"overtime_at": Now(), "count_at": Now()},
        {"overtime_at": Now(), "overtime_turn_seconds": 0, "count_at": Now()},
        {"overtime_at": Now(), "overtime_turn_seconds": 10, "count_at": past},
    ):
        with (
            pytest.raises(IntegrityError, match="overtime_has_a_turn_and_an_end"),
            transaction.atomic(),
        ):
            Table.objects.filter(pk=table.pk).update(**half)
