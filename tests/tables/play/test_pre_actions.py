"""Dropping as soon as it is one's turn, and leaving after the match."""

import pytest
from django.db.models.functions import Now

from tables.live.clock import act_on_table
from tables.models import Change, Seat, SeatStatus, Table
from tables.play.bots import PreAction, set_pre_action
from tables.play.reading import snapshot
from tables.refusals import NoMatch, NotSeated, Refusal
from tests.given import reload
from tests.tables.driving import act, game_view, play_a_turn, player_at, seat_all, start_match

pytestmark = pytest.mark.django_db
DROP = {"kind": "drop"}


def ask_for(table, seat, **wanted):
    return set_pre_action(
        table_id=table.pk, user_id=player_at(table, seat).pk, wanted=PreAction(**wanted)
    )


def clock_acts(table):
    Table.objects.filter(pk=table.pk, bot_due_at__isnull=False).update(bot_due_at=Now())
    return act_on_table(table.pk)


def get_own_view(table, seat):
    found = snapshot(table_id=table.pk, user_id=player_at(table, seat).pk)
    assert found is not None
    return found.state["you"]


@pytest.fixture
def table(make_table, make_player):
    return start_match(make_table(max_seats=3), *(make_player() for _ in range(3)))


def test_who_asked_to_drop_does_so_at_their_turn(table):
    first, second, _third = game_view(table)["order"]
    step = ask_for(table, second, move=DROP)
    assert step.private == {str(second): {"deferred": DROP}}
    assert get_own_view(table, second)["deferred"] == DROP
    assert clock_acts(table) is None  # it is not their turn
    play_a_turn(table)
    dropped = clock_acts(table)
    assert dropped is not None
    assert next(event["kind"] for event in dropped.events) == "dropped"
    assert game_view(table)["players"][str(second)]["status"] == "dropped"
    assert dropped.private[str(second)]["deferred"] is None
    assert get_own_view(table, second)["deferred"] is None
    assert game_view(table)["players"][str(first)]["status"] == "playing"


def test_it_may_be_taken_back(table):
    first, second, _third = game_view(table)["order"]
    ask_for(table, second, move=DROP)
    ask_for(table, second, move={})
    play_a_turn(table)
    assert clock_acts(table) is None
    assert game_view(table)["turn"] == second
    assert first != second


def test_who_has_drawn_himself_does_not_drop_any_more(table):
    first = game_view(table)["turn"]
    ask_for(table, first, move=DROP)
    assert act(table, first, kind="draw", source="closed").refusal is None
    assert get_own_view(table, first)["deferred"] is None
    assert clock_acts(table) is None
    assert game_view(table)["players"][str(first)]["status"] == "playing"


def test_one_that_comes_after_the_draw_ends_without_a_drop(table):
    first = game_view(table)["turn"]
    assert act(table, first, kind="draw", source="closed").refusal is None
    ask_for(table, first, move=DROP)
    step = clock_acts(table)
    assert step is not None
    assert (step.events, step.private) == ((), {str(first): {"deferred": None}})
    assert game_view(table)["players"][str(first)]["status"] == "playing"


def test_the_end_of_the_deal_ends_it(table):
    first, second, third = game_view(table)["order"]
    ask_for(table, third, move=DROP)
    act(table, first, kind="drop")
    act(table, second, kind="drop")  # the third has won
    assert reload(table).deferred_moves == {}
    assert get_own_view(table, third)["deferred"] is None


def test_who_wanted_one_last_deal_has_left_after_it(table):
    first, second, third = game_view(table)["order"]
    leaver = player_at(table, third)
    ask_for(table, third, last_deal=True)
    assert get_own_view(table, third)["last_deal"] is True
    act(table, first, kind="drop")
    act(table, second, kind="drop")
    assert Seat.objects.get(table=table, user=leaver).status == SeatStatus.LEFT
    assert Seat.objects.filter(table=table, left_at__isnull=True).count() == 2


def test_pre_actions_are_refused_where_they_make_no_sense(make_table, make_player, table):
    before = Change.objects.count()
    with pytest.raises(NotSeated):
        set_pre_action(table_id=table.pk, user_id=make_player().pk, wanted=PreAction(move=DROP))
    waiting = make_table()
    seat_all(waiting, make_player())
    seated = Change.objects.count()
    with pytest.raises(NoMatch):
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
def test_other_moves_are_not_kept(table, move, code):
    _first, second, _third = game_view(table)["order"]
    ask_for(table, second, move=DROP)
    before = Change.objects.count()
    with pytest.raises(Refusal) as refused:
        ask_for(table, second, move=move)
    assert refused.value.code == code
    assert reload(table).deferred_moves == {str(second): DROP}
    assert Change.objects.count() == before
