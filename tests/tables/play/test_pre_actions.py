"""Drops and departures requested in advance."""

import pytest
from django.db.models.functions import Now

from core.refusals import Refusal
from tables.live.clock import act_on_table
from tables.models import Change, Seat, SeatStatus, Table
from tables.play.bots import PreAction, set_pre_action
from tables.play.reading import snapshot
from tables.refusals import NO_MATCH, NotSeated
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.driving import (
    act,
    drop,
    game_view,
    list_seated,
    play_a_turn,
    player_at,
    seat_all,
    start_match,
)

pytestmark = pytest.mark.django_db
DROP = {"kind": "drop"}


def ask_for(table, seat, **wanted):
    return set_pre_action(
        table_id=table.pk, user_id=player_at(table, seat).pk, wanted=PreAction(**wanted)
    )


def let_clock_act(table):
    Table.objects.filter(pk=table.pk, bot_due_at__isnull=False).update(bot_due_at=Now())
    return act_on_table(table.pk)


def get_own_view(table, seat):
    return require(snapshot(table_id=table.pk, user_id=player_at(table, seat).pk)).state["you"]


@pytest.fixture
def table(make_table, players):
    return start_match(make_table(max_seats=3), *players[:3])


def test_a_requested_drop_is_played_at_the_players_turn(table):
    first, second, _third = game_view(table)["order"]
    assert ask_for(table, second, move=DROP).private == {str(second): {"deferred": DROP}}
    assert get_own_view(table, second)["deferred"] == DROP
    assert let_clock_act(table) is None  # it is not their turn
    play_a_turn(table)
    dropped = require(let_clock_act(table))
    assert next(event["kind"] for event in dropped.events) == "dropped"
    assert dropped.private[str(second)]["deferred"] is None
    assert get_own_view(table, second)["deferred"] is None
    players = game_view(table)["players"]
    assert (players[str(first)]["status"], players[str(second)]["status"]) == ("playing", "dropped")


def test_a_requested_drop_can_be_withdrawn(table):
    second = game_view(table)["order"][1]
    ask_for(table, second, move=DROP)
    ask_for(table, second, move={})
    play_a_turn(table)
    assert let_clock_act(table) is None
    assert game_view(table)["turn"] == second


def test_drawing_cancels_a_requested_drop(table):
    first = game_view(table)["turn"]
    ask_for(table, first, move=DROP)
    assert act(table, first, kind="draw", source="closed").refusal is None
    assert get_own_view(table, first)["deferred"] is None
    assert let_clock_act(table) is None
    assert game_view(table)["players"][str(first)]["status"] == "playing"


def test_a_drop_requested_after_the_draw_is_not_played(table):
    first = game_view(table)["turn"]
    assert act(table, first, kind="draw", source="closed").refusal is None
    ask_for(table, first, move=DROP)
    step = require(let_clock_act(table))
    assert (step.events, step.private) == ((), {str(first): {"deferred": None}})
    assert game_view(table)["players"][str(first)]["status"] == "playing"


def test_the_end_of_the_deal_cancels_a_requested_drop(table):
    third = game_view(table)["order"][2]
    ask_for(table, third, move=DROP)
    drop(table)
    drop(table)  # the third has won
    assert reload(table).deferred_moves == {}
    assert get_own_view(table, third)["deferred"] is None


def test_a_player_leaves_after_a_requested_last_deal(table):
    third = game_view(table)["order"][2]
    leaver = player_at(table, third)
    ask_for(table, third, last_deal=True)
    assert get_own_view(table, third)["last_deal"] is True
    drop(table)
    drop(table)
    assert Seat.objects.get(table=table, user=leaver).status == SeatStatus.LEFT
    assert len(list_seated(table)) == 2


def test_pre_actions_need_a_seat_in_a_match(make_table, make_player, table):
    before = Change.objects.count()
    with pytest.raises(NotSeated):
        set_pre_action(table_id=table.pk, user_id=make_player().pk, wanted=PreAction(move=DROP))
    waiting = make_table()
    seat_all(waiting, make_player())
    seated = Change.objects.count()
    with refused(NO_MATCH):
        ask_for(waiting, 0, move=DROP)
    assert (reload(waiting).deferred_moves, Change.objects.count()) == ({}, seated)
    assert seated == before + 1


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"kind": "draw", "source": "closed"}, "not_deferrable"),
        ({"kind": "drop", "twice": True}, "malformed_move"),
        ({"kind": "leave"}, "not_deferrable"),
    ],
)
def test_only_a_drop_can_be_requested_in_advance(table, move, code):
    _first, second, _third = game_view(table)["order"]
    ask_for(table, second, move=DROP)
    before = Change.objects.count()
    with pytest.raises(Refusal) as refused:
        ask_for(table, second, move=move)
    assert refused.value.code == code
    assert reload(table).deferred_moves == {str(second): DROP}
    assert Change.objects.count() == before
