"""The rules of basic rummy B11 to B16, one by one (docs/rules-basic.md)."""

import pytest
from msgspec.structs import replace

from games.basic.game import GAME
from games.basic.rules.match import Match
from games.basic.rules.ruleset import POINTS, for_event
from games.engine.base import IllegalMove
from games.engine.laid import Line
from games.engine.state import Stage
from tests.games.basic.scenes import (
    NOW,
    RACE,
    act,
    changed_player,
    drawing,
    lost,
    own,
    player,
    scene,
    texts,
    view,
    wire,
)
from tests.games.scenes import kinds
from tests.games.values import pair
from tests.given import the

SMALL = ("9C 3D", "KD 5C", "9H AS AC 2D")  # 12, 15, 13


def limit_reached(*hands, **fields):
    """Seat 0 discards in a deal whose time is over."""
    match = drawing(scene(*hands, next_closed="KH", **fields))
    match = replace(match, deal=replace(match.deal, started_at=NOW - 20 * 60_000))
    return act(match, 0, "discard", card="KH")


def test_b11_the_lowest_count_wins_the_difference():
    assert lost(limit_reached(*SMALL)) == ("limit", [0], {"0": 0, "1": 3, "2": 1})


def test_b11_equal_lowest_counts_share():
    match = limit_reached("9C 3D", "2H KD", "QH QS")
    assert lost(match) == ("limit", [0, 1], {"0": 0, "1": 0, "2": 8})
    assert the(GAME.core.status(match).result).shares == {0: 1, 1: 1}


def test_b11_the_turns_of_a_deal_are_counted():
    match = changed_player(drawing(scene(*SMALL, next_closed="KH")), 1, turns=40)
    assert lost(act(match, 0, "discard", card="KH"))[0] == "limit"
    match = changed_player(drawing(scene(*SMALL, next_closed="KH")), 1, turns=39)
    assert view(act(match, 0, "discard", card="KH"))["result"] is None


def test_b12_all_that_is_held_counts():
    """Melds in hand too: 3 kings, an ace, a ten and a four."""
    match = drawing(scene("7H 7S 7D 7C", "KS KD KC AS TD 4C", next_closed="8H"))
    match = changed_player(match, 0, laid_in=0)
    match = act(match, 0, "meld", groups=texts("7H 7S 7D 7C"))
    match = act(match, 0, "discard", card="8H")
    assert lost(match)[2] == {"0": 0, "1": 45}
    assert view(match)["result"]["hands"][1]["count"] == 45


def test_b12_a_cap():
    rules = replace(POINTS, max_points=40)
    match = drawing(scene("7H 7S 7D", "KS KD KC AS TD 4C", next_closed="7C", rules=rules))
    assert lost(act(match, 0, "meld", groups=texts("7H 7S 7D 7C")))[2] == {"0": 0, "1": 40}


def test_b12_largest_losses():
    assert GAME.money.largest_loss(POINTS) == 200
    assert GAME.money.largest_loss(replace(POINTS, max_points=150)) == 150
    assert GAME.money.largest_loss(replace(POINTS, rummy_factor=1, leave_points=120)) == 120


def race(sheet, *, left=(), rules=RACE, players=3):
    """Between two deals of a race, after these lines: the winners, and what each seat lost."""
    hands = ("9C 3D", "KD 5C", "9H AS")[:players]
    match = limit_reached(*hands, rules=rules)
    assert match.stage is Stage.BETWEEN
    lines = tuple(
        Line(number, players - 1, "out", winners, tuple(enumerate(points)))
        for number, (winners, points) in enumerate(sheet, 1)
    )
    return replace(match, sheet=lines, left=left, number=len(lines))


def test_b13_points_are_one_deal():
    match = limit_reached(*SMALL)
    result = the(GAME.core.status(match).result)
    assert (result.winners, result.points) == ((0,), {0: 0, 1: 3, 2: 1})
    assert result.ranks == {0: 1, 2: 2, 1: 3}
    assert result.scores == {}
    assert act.refused(match, 0, "leave") == "match_over"
    assert act.refused(match, 0, "draw", source="open") == "match_over"


def test_b13_the_winner_is_credited_what_the_others_lost():
    match = race([((0,), [0, 30, 21]), ((1,), [10, 0, 5])])
    assert match.scores == {0: 51, 1: 15, 2: 0}
    assert view(match)["match"]["scores"] == {"0": 51, "1": 15, "2": 0}
    shared = race([((0, 1), [0, 0, 21])])
    assert shared.scores == {0: 11, 1: 10, 2: 0}


def test_b13_the_target_wins_the_pot():
    match = drawing(scene("7H 7S 7D", "KS KD KC QS QD JC", "2H", next_closed="7C", rules=RACE))
    match, happened = act.events(match, 0, "meld", groups=texts("7H 7S 7D 7C"))
    assert kinds(happened)[-1] == "match_over"
    result = the(GAME.core.status(match).result)
    assert (result.winners, result.shares, result.scores[0]) == ((0,), {0: 1}, 124)
    assert result.points == {0: 0, 1: 120, 2: 4}


def test_b13_below_the_target_a_break_follows():
    match = drawing(scene("7H 7S 7D", "KS KD", "2H", next_closed="7C", rules=RACE))
    match, happened = act.events(match, 0, "meld", groups=texts("7H 7S 7D 7C"))
    assert kinds(happened)[-1] == "deal_due"
    assert view(match)["phase"] == "between"
    assert GAME.core.status(match).acting == ()
    due_at = GAME.core.status(match).deadline
    assert due_at == NOW + 8_000
    assert act.expire(match, now=due_at - 1) == match
    following, happened = act.expire_events(match)
    assert kinds(happened) == ["dealt", "turn"]
    assert view(following)["deal"] == 2
    assert act.refused(match, 0, "draw", source="open") == "deal_over"


def test_b13_two_ahead_at_the_target_play_on():
    """Only a shared deal (B11) can bring that about."""
    hands = ("9C 3D", "2H KD", "QH QS")
    match = drawing(scene(*hands, next_closed="KH", rules=RACE))
    sheet = (Line(1, 2, "out", (0,), ((0, 0), (1, 60), (2, 36))),
             Line(2, 2, "out", (1,), ((0, 60), (1, 0), (2, 36))))  # fmt: skip
    ended = replace(match.deal, started_at=NOW - 20 * 60_000)
    match = act(replace(match, sheet=sheet, deal=ended), 0, "discard", card="KH")
    assert match.scores == {0: 100, 1: 100, 2: 0}
    assert match.stage is Stage.BETWEEN


def test_b13_after_so_many_deals_the_highest_score_wins():
    rules = replace(RACE, deals=1)
    match = limit_reached(*SMALL, rules=rules)
    assert the(GAME.core.status(match).result).winners == (0,)
    equal = limit_reached("9C 3D", "2H KD", "QH QS", rules=rules)
    assert GAME.core.status(equal).result is None
    event = for_event(RACE, deals=1, qualifiers=2)
    match = limit_reached("9C 3D", "2H KD", "QH QS", rules=event)
    assert the(GAME.core.status(match).result).ranks == {0: 1, 1: 2, 2: 3}


def test_b13_a_race_is_ended_between_two_deals():
    match = race([((0,), [0, 30, 21])])
    over, happened = pair(GAME.core.conclude(match))
    assert the(GAME.core.status(over).result).winners == (0,)
    assert happened[0].json() == {"kind": "match_over", "winners": [0]}
    assert GAME.core.conclude(over) is None
    assert GAME.core.conclude(drawing(scene(*SMALL))) is None


@pytest.mark.parametrize(
    ("winners", "left", "order"),
    [
        ([0], (), (1, 2, 0)),
        ([0], (1,), (2, 0)),
        ([0, 1], (), (1, 2, 0)),
    ],
)
def test_b2_with_more_than_two_the_deal_passes_on(winners, left, order):
    hands = SMALL if len(winners) == 1 else ("9C 3D", "2H KD", "QH QS")
    match = replace(limit_reached(*hands, rules=RACE), left=left)
    assert act.expire(match).deal.order == order


def test_b2_of_two_the_winner_deals_next():
    match = limit_reached("9C 3D", "KD 5C", rules=RACE)
    assert act.expire(match).deal.order == (1, 0)
    match = limit_reached("9C 8D", "2D 5C", rules=RACE)
    assert act.expire(match).deal.order == (0, 1)
    shared = limit_reached("9C 3D", "2H KD", rules=RACE)
    assert act.expire(shared).deal.order == (1, 0)


def test_b14_a_turn_has_a_clock_and_a_stock_of_extra_time():
    match = scene(*SMALL)
    assert GAME.core.status(match).deadline == NOW + 90_000
    late = drawing(match)
    late = act(late, 0, "discard", card="9C", now=NOW + 50_000)
    assert player(late, 0).extra_ms == 40_000
    with pytest.raises(IllegalMove) as refusal:
        act(match, 0, "draw", source="closed", now=NOW + 90_000)
    assert refusal.value.code == "time_is_up"


def test_b14_a_missed_turn_draws_and_discards():
    match, happened = act.expire_events(scene(*SMALL, next_closed="KH"))
    assert kinds(happened) == ["missed_turn", "drawn", "discarded", "turn"]
    assert happened[2]["card"] == "KH.0"
    assert (player(match, 0).missed, player(match, 0).extra_ms) == (1, 0)


def test_b14_a_drawn_card_goes_back():
    _, happened = act.expire_events(drawing(scene(*SMALL, next_closed="KH")))
    assert kinds(happened) == ["missed_turn", "discarded", "turn"]
    assert happened[1]["card"] == "KH.0"


def test_b14_or_the_dearest_loose_one():
    hand = "KS KC KD 5C 9D"
    match = drawing(scene(hand, "2H", open_pile="3S"), source="open")
    _, happened = act.expire_events(match)
    assert happened[1]["card"] == "9D.0"
    # Where all are in melds, the dearest of them.
    match = drawing(scene("KS KC KD 4S 5S", "2H", open_pile="3S"), source="open")
    assert act.expire_events(match)[1][1]["card"] == "KS.0"
    # What was drawn has been laid.
    match = drawing(scene("4S 5S 9D 2C", "2H", next_closed="3S"))
    match = act(match, 0, "meld", groups=texts("3S 4S 5S"))
    assert act.expire_events(match)[1][1]["card"] == "9D.0"


def test_b14_a_single_bound_card_stays():
    match = scene("7H 7S 7D", "KD KC 3S", open_pile="9H", table="TH JH QH")
    match = act(drawing(match, source="open"), 0, "meld", groups=texts("7H 7S 7D"))
    match, happened = act.expire_events(match)
    assert kinds(happened) == ["missed_turn", "turn"]
    assert own(match, 0)["hand"] == ["9H.0"]


def test_b14_the_last_card_that_goes_back_wins():
    match = drawing(scene("7H 7S 7D", "KD KC 3S", next_closed="9H"))
    match = act(match, 0, "meld", groups=texts("7H 7S 7D"))
    assert lost(act.expire(match))[1] == [0]
    again = changed_player(match, 0, missed=2)
    assert lost(act.expire(again))[1] == [0]


def test_b14_three_in_a_row_put_a_player_out_of_the_deal():
    match = changed_player(scene(*SMALL, next_closed="KH"), 0, missed=2)
    match, happened = act.expire_events(match)
    assert happened[:2] == [
        {"kind": "missed_turn", "seat": 0, "missed": 3},
        {"kind": "dropped", "seat": 0, "points": 12},
    ]
    assert view(match)["players"]["0"]["status"] == "dropped"
    assert view(match)["players"]["0"]["points"] == 12
    assert act.refused(match, 0, "draw", source="closed") == "not_in_deal"
    assert [entry["kind"] for entry in GAME.core.legal_view(match, 0)] == ["leave"]
    # With two left the last one wins.
    match = changed_player(drawing(match, 1), 1, missed=2)
    match, happened = act.expire_events(match)
    assert lost(match) == ("last_player", [2], {"0": 12, "1": 15, "2": 0})
    assert kinds(happened) == ["missed_turn", "discarded", "dropped", "deal_over", "match_over"]


def test_b14_a_turn_in_time_ends_the_row():
    match = changed_player(drawing(scene(*SMALL)), 0, missed=2)
    assert player(act(match, 0, "discard", card="9C"), 0).missed == 0


def test_b15_leaving_costs_thirty_at_least():
    match, happened = act.events(scene(*SMALL), 1, "leave")
    assert happened == [{"kind": "left", "seat": 1}]
    assert view(match)["players"]["1"]["status"] == "left"
    assert player(match, 1).points == 30
    assert act.refused(match, 1, "leave") == "not_in_deal"
    assert act.refused(match, 5, "leave") == "not_in_deal"
    dear = act(scene("9C 3D", "KS KD KC QS", "2H"), 1, "leave")
    assert player(dear, 1).points == 40


def test_b15_leaving_in_one_s_turn_returns_the_drawn_card():
    match, happened = act.events(drawing(scene(*SMALL, next_closed="KH")), 0, "leave")
    assert kinds(happened) == ["left", "discarded", "turn"]
    assert card_on_top(match) == "KH.0"
    assert view(match)["turn"] == 1


def card_on_top(match):
    return view(match)["open_pile"][-1]


def test_b15_the_last_one_left_wins():
    match = act(scene("9C 3D", "KD 5C"), 1, "leave")
    assert lost(match) == ("last_player", [0], {"0": 0, "1": 30})
    result = the(GAME.core.status(match).result)
    assert (result.winners, result.ranks, result.next_order) == ((0,), {0: 1, 1: 2}, (0,))
    race_ = act(scene("9C 3D", "KD 5C", rules=RACE), 0, "leave")
    assert the(GAME.core.status(race_).result).winners == (1,)


def test_b15_leaving_between_two_deals():
    match = race([((0,), [0, 30, 21])])
    match = act(match, 0, "leave")
    assert match.stage is Stage.BETWEEN
    following = act.expire(match)
    assert following.deal.order == (1, 2)
    match = act(match, 1, "leave")
    result = the(GAME.core.status(match).result)
    assert (result.winners, result.ranks) == ((2,), {2: 1, 1: 2, 0: 3})
    assert GAME.core.legal(match, 0) == ()


def test_b15_who_is_out_of_the_deal_may_leave_the_match():
    match = changed_player(scene(*SMALL, rules=RACE), 0, missed=2)
    match = act(act.expire(match), 0, "leave")
    assert match.left == (0,)
    assert view(match)["players"]["0"]["status"] == "left"
    assert GAME.core.status(match).result is None


def test_b16_what_is_seen():
    match = drawing(scene(*SMALL, next_closed="KH", table="5S 6S 7S"))
    everybody = view(match)
    assert everybody["melds"][0]["by"] == [1, 1, 1]
    assert everybody["players"]["0"]["cards"] == 3
    assert everybody["closed_count"] == 52 - 1 - 3 - 9
    assert "KH.0" not in str(everybody)
    assert own(match, 0)["drawn"] == "KH.0"
    assert own(match, 1)["drawn"] is None
    assert own(match, 0)["count"] == 22
    match = act(match, 0, "discard", card="9C")
    assert view(match)["discards"] == [[0, "9C.0"]]
    assert own(match, 4) == dict(GAME.view.nothing_private)
    assert view(match)["result"] is None


def test_the_order_of_a_hand_is_saved():
    match = scene(*SMALL)
    groups = [wire("3D"), wire("9C")]
    match, happened = act.events(match, 0, "arrange", rev=3, groups=groups)
    assert happened == []
    assert own(match, 0)["groups"] == groups
    older = act(match, 0, "arrange", rev=3, groups=[wire("KH")])
    assert older == match
    assert act.refused(match, 0, "arrange", rev=4, groups=[wire("KH")]) == "groups_not_your_hand"
    assert GAME.wire.read({"kind": "arrange", "rev": 4, "groups": groups}) == GAME.wire.read(
        {"kind": "arrange", "rev": 4, "groups": groups}
    )


def test_a_match_is_its_own_kind():
    assert isinstance(scene(*SMALL), Match)
