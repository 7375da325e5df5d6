"""R5: dropping and leaving."""

import pytest

from games.indian.game import GAME
from games.indian.rules.moves import Leave
from games.indian.rules.ruleset import POINTS, PRESETS
from tests.games.indian.scenes import (
    DECLARABLE,
    HOPELESS,
    NOW,
    act,
    act_events,
    expire,
    kinds,
    own,
    refused,
    saved,
    scene,
    standings,
    view,
)


def three_players(**fields):
    return scene(HOPELESS, HOPELESS, DECLARABLE, **fields)


def play_turn(match, seat):
    match = act(match, seat, "draw", source="closed")
    return act(match, seat, "discard", card=own(match, seat)["drawn"])


def play_round(match, seats=(0, 1, 2)):
    for seat in seats:
        match = play_turn(match, seat)
    return match


def test_r5_1_before_the_first_own_draw_it_is_a_first_drop():
    match = three_players()
    assert view(match)["players"]["1"]["drop_points"] == 20
    match, happened = act_events(play_turn(match, 0), 1, "drop")
    assert happened[0] == {"kind": "dropped", "seat": 1, "points": 20, "how": "first_drop"}
    assert standings(match)[1] == ("dropped", 20, "first_drop")
    assert view(match)["turn"] == 2
    assert view(match)["players"]["1"]["drop_points"] is None


def test_r5_1_a_missed_turn_without_a_draw_leaves_the_first_drop():
    match = expire(three_players())
    match = play_turn(play_turn(match, 1), 2)
    assert standings(act(match, 0, "drop"))[0] == ("dropped", 20, "first_drop")


def test_r5_1_later_it_is_a_middle_drop():
    match = play_round(three_players())
    assert view(match)["players"]["0"]["drop_points"] == 40
    assert standings(act(match, 0, "drop"))[0] == ("dropped", 40, "middle_drop")


def test_r5_1_only_on_ones_own_turn_and_before_drawing():
    match = three_players()
    assert refused(match, 1, "drop") == "not_your_turn"
    match = act(match, 0, "draw", source="closed")
    assert refused(match, 0, "drop") == "wrong_step"


def test_r5_1_who_dropped_is_out_of_the_deal():
    match = act(three_players(), 0, "drop")
    assert refused(match, 0, "draw", source="closed") == "not_in_deal"
    assert refused(match, 0, "arrange", rev=1, groups=saved(match, 0)) == "not_in_deal"
    assert GAME.core.legal(match, 0) == (Leave(),)
    match = play_turn(play_turn(match, 1), 2)
    assert view(match)["turn"] == 1


@pytest.mark.parametrize(
    ("name", "first", "middle"),
    [("pool61", 15, 30), ("pool101", 20, 40), ("pool201", 25, 50), ("deals6", 20, 40)],
)
def test_r5_2_points_of_a_drop(name, first, middle):
    match = three_players(rules=PRESETS[name])
    assert standings(act(match, 0, "drop"))[0] == ("dropped", first, "first_drop")
    match = play_round(match)
    assert standings(act(match, 0, "drop"))[0] == ("dropped", middle, "middle_drop")


@pytest.mark.parametrize("name", ["deals2", "deals3"])
def test_r5_2_no_drop_in_best_of_two_and_three(name):
    match = three_players(rules=PRESETS[name])
    assert refused(match, 0, "drop") == "drop_not_allowed"
    assert view(match)["players"]["0"]["drop_points"] is None
    assert refused(play_round(match), 0, "drop") == "drop_not_allowed"


def test_r5_3_leaving_before_drawing_is_a_first_drop():
    match, happened = act_events(three_players(), 2, "leave")
    assert kinds(happened) == ["left", "dropped"]
    assert standings(match)[2] == ("left", 20, "first_drop")
    assert view(match)["turn"] == 0
    match = play_turn(play_turn(match, 0), 1)
    assert view(match)["turn"] == 0


def test_r5_3_leaving_later_is_a_middle_drop():
    match, happened = act_events(play_round(three_players()), 0, "leave")
    assert kinds(happened) == ["left", "dropped", "turn"]
    assert standings(match)[0] == ("left", 40, "middle_drop")


def test_r5_3_where_drops_are_not_allowed_leaving_counts_full():
    match = act(three_players(rules=PRESETS["deals2"]), 1, "leave")
    assert standings(match)[1] == ("left", 80, "full_count")


def test_r5_3_a_card_drawn_in_the_turn_goes_to_the_open_pile():
    match = act(three_players(next_closed="TS"), 0, "draw", source="closed")
    match, happened = act_events(match, 0, "leave")
    assert kinds(happened) == ["left", "discarded", "dropped", "turn"]
    assert view(match)["open_pile"][-1] == "TS.0"
    assert standings(match)[0] == ("left", 40, "middle_drop")
    assert view(match)["players"]["0"]["cards"] == 13


def test_r5_3_leaving_one_opponent_ends_the_deal():
    match = scene(HOPELESS, DECLARABLE)
    match, happened = act_events(match, 1, "leave")
    assert kinds(happened) == ["left", "dropped", "deal_over", "match_over"]
    assert standings(match) == {0: ("won", 0, "won"), 1: ("left", 20, "first_drop")}
    result = GAME.core.status(match).result
    assert result is not None
    assert result.next_order == (0,)


def test_r5_3_leaving_has_no_clock():
    assert standings(act(three_players(), 0, "leave", now=NOW + 10**9))[0][0] == "left"


def test_leaving_twice_is_refused():
    match = act(three_players(), 1, "leave")
    assert refused(match, 1, "leave") == "already_left"
    assert refused(match, 7, "leave") == "not_in_deal"
    match = act(match, 2, "leave")
    assert refused(match, 0, "leave") == "match_over"


def finished(*others):
    match = scene(DECLARABLE, *others, next_closed="TS")
    return act(act(match, 0, "draw", source="closed"), 0, "finish", card="TS")


def test_r3_5_leaving_instead_of_declaring_is_a_wrong_declaration():
    match, happened = act_events(finished(HOPELESS, HOPELESS), 0, "leave")
    assert kinds(happened) == ["left", "declared", "discarded", "turn"]
    assert happened[1]["reason"] == "left_before_declaring"
    assert standings(match)[0] == ("wrong", 80, "wrong")


def test_r4_8_everybody_leaves_a_player_who_has_finished():
    match = act(finished(HOPELESS), 1, "leave")
    assert standings(match) == {0: ("won", 0, "won"), 1: ("left", 20, "first_drop")}
    assert view(match)["result"]["how"] == "last_player"


def shown_by_first(*others):
    match = finished(*others)
    return act(match, 0, "declare", groups=saved(match, 0))


def test_r6_4_leaving_after_a_declaration_counts_the_groups_saved():
    match, happened = act_events(shown_by_first(HOPELESS, HOPELESS), 1, "leave")
    assert kinds(happened) == ["left", "shown"]
    assert standings(match)[1] == ("lost", 70, "saved")


def test_the_winner_may_leave_and_still_wins():
    match, happened = act_events(shown_by_first(HOPELESS), 0, "leave")
    assert kinds(happened) == ["left"]
    result = GAME.core.status(expire(match)).result
    assert result is not None
    assert (result.winners, dict(result.points)) == ((0,), {0: 0, 1: 70})
    assert result.next_order == (1,)


def test_who_dropped_may_leave_and_keeps_the_points():
    match = act(three_players(), 0, "drop")
    match, happened = act_events(match, 0, "leave")
    assert kinds(happened) == ["left"]
    assert standings(match)[0] == ("dropped", 20, "first_drop")


def test_no_clock_runs_after_the_end():
    match = act(act(three_players(rules=POINTS), 0, "drop"), 1, "drop")
    assert GAME.core.status(match).deadline is None
    assert expire(match, now=NOW + 10**9) == match
    assert GAME.core.status(match).acting == ()
