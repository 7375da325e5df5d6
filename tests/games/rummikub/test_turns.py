"""A deal of Rummikub from its toss to its end (K1 to K5, K12 to K18)."""

import pytest

from games.cards import full_deck
from games.engine.base import IllegalMove, InvalidRules
from games.engine.codec import replace
from games.engine.moves import LEAVE
from games.rummikub.game import GAME
from games.rummikub.lab.hand_help import HELP
from games.rummikub.rules.ruleset import POINTS
from games.shuffle import shuffled
from tests.games.rummikub.scenes import (
    LOOSE,
    NOW,
    SEED,
    act,
    act_events,
    draft,
    expire,
    expire_events,
    kinds,
    lying,
    own,
    rack,
    refused,
    scene,
    view,
    with_rules,
)
from tests.games.values import pair


def start(*seats, toss=True, rules=POINTS, seed=SEED):
    return pair(GAME.core.start(rules=rules, seats=seats, toss=toss, seed=seed, now=NOW))


def test_k1_two_packs_with_their_jokers():
    match, _ = start(0, 1)
    tiles = sorted(match.deal.cards())
    assert tiles == sorted(full_deck(2))
    assert len(tiles) == 106


@pytest.mark.parametrize("number", range(12))
def test_k2_the_highest_tile_begins_and_the_others_follow_as_they_sit(number):
    match, happened = start(0, 2, 3, seed=bytes([number] * 32))
    drawn = {one["seat"]: one["card"] for one in happened[0].json()["cards"]}
    ranks = {seat: "A23456789TJQK".index(card[0]) for seat, card in drawn.items()}
    suits = {seat: "SHDC".index(card[1]) for seat, card in drawn.items()}
    first = max(drawn, key=lambda seat: (ranks[seat], -suits[seat]))
    assert not any(card.startswith("PJ") for card in drawn.values())
    order = [0, 2, 3]
    place = order.index(first)
    assert view(match)["order"] == order[place:] + order[:place]
    assert [one["seat"] for one in view(match)["toss"]] == view(match)["order"]


def test_k2_without_a_toss_the_order_is_given():
    match, happened = start(3, 1, 0, toss=False)
    assert (view(match)["order"], view(match)["toss"]) == ([3, 1, 0], None)
    assert kinds([event.json() for event in happened]) == ["dealt", "turn"]


@pytest.mark.parametrize("seats", [(0,), (0, 1, 2, 3, 4), (1, 1)])
def test_k1_two_to_four_play(seats):
    with pytest.raises(InvalidRules):
        start(*seats)


def test_k3_fourteen_tiles_each_one_at_a_time():
    match, _ = start(0, 1, 2, toss=False)
    deck = shuffled(full_deck(2), seed=SEED, label="deal")
    for place, seat in enumerate((0, 1, 2)):
        assert own(match, seat)["hand"] == [str(tile) for tile in sorted(deck[place:42:3])]
    assert match.deal.pool[::-1] == deck[42:]
    assert view(match)["pool_count"] == 64
    assert [view(match)["players"][seat]["tiles"] for seat in "012"] == [14, 14, 14]


def test_k5_a_drawn_tile_ends_the_turn():
    match = scene("8H 2C", next_drawn="9D 9C")
    match, events = act_events(match, 0, "draw")
    assert kinds(events) == ["drawn", "turn"]
    assert events[0] == {"kind": "drawn", "seat": 0, "count": 1, "why": "turn"}
    assert own(match, 0)["drawn"] == ["9D.0"]
    assert rack(match, 0) == ["2C", "8H", "9D"]
    assert view(match)["turn"] == 1
    assert refused(match, 0, "draw") == "not_your_turn"


def test_k5_a_pass_needs_an_empty_pool_and_a_draw_one_that_is_not():
    assert refused(scene("8H 2C"), 0, "pass") == "pool_not_empty"
    empty = scene("8H 2C", pool_size=0)
    assert refused(empty, 0, "draw") == "pool_empty"
    match, events = act_events(empty, 0, "pass")
    assert kinds(events) == ["passed", "turn"]
    assert refused(match, 0, "pass") == "not_your_turn"


def test_k5_drawing_is_allowed_where_something_could_be_laid():
    match = scene("8H 2C", table="5H 6H 7H")
    assert kinds(act_events(match, 0, "draw")[1]) == ["drawn", "turn"]
    assert refused(with_rules(match, must_play=True), 0, "draw") == "must_play"
    empty = with_rules(scene("8H 2C", table="5H 6H 7H", pool_size=0), must_play=True)
    assert refused(empty, 0, "pass") == "must_play"
    nothing = with_rules(scene("2C", pool_size=0), must_play=True)
    assert kinds(act_events(nothing, 0, "pass")[1]) == ["passed", "turn"]
    drawing = with_rules(scene("2C"), must_play=True)
    assert kinds(act_events(drawing, 0, "draw")[1]) == ["drawn", "turn"]


class TestDrafts:
    """K12, K18: what a player builds is kept for them, and seen by nobody else."""

    def test_a_draft_is_kept_with_what_would_be_said_of_it(self):
        match = draft(scene("8H 9H 2C", table="5H 6H 7H"), 0, "5H 6H 7H 8H")
        told = own(match, 0)["draft"]
        assert told["refusal"] is None
        assert (told["tiles"], told["points"], told["missing"]) == (1, 8, [])
        assert told["table"][0]["as"] == ["5H", "6H", "7H", "8H"]
        assert (own(match, 0)["rev"], own(match, 1)["draft"]) == (1, None)

    def test_an_older_revision_changes_nothing(self):
        match = draft(scene("8H 9H 2C", table="5H 6H 7H"), 0, "5H 6H 7H 8H", rev=4)
        assert draft(match, 0, "5H 6H 7H 9H", rev=4) == match
        assert own(draft(match, 0, None, rev=5), 0)["draft"] is None

    def test_tiles_of_somebody_else_are_not_kept(self):
        match = scene("8H 9H 2C", table="5H 6H 7H")
        foreign = [{"cards": ["KC.0"], "as": None}]
        assert refused(match, 0, "arrange", rev=1, table=foreign) == "card_not_held"
        assert refused(match, 1, "arrange", rev=1, table=[]) == "not_your_turn"

    def test_tiles_that_are_missing_are_told(self):
        told = own(draft(scene("8H 2C", table="5H 6H 7H"), 0, "6H 7H 8H"), 0)["draft"]
        assert (told["missing"], told["refusal"]) == (["5H.0"], "tiles_missing")

    def test_what_a_joker_may_stand_for_is_told(self):
        match = draft(scene("8H PJ TH 4S 4H PJ 2C"), 0, "8H PJ TH|4S 4H PJ")
        first, second = own(match, 0)["draft"]["table"]
        assert (first["as"], first["readings"]) == (["8H", "9H", "TH"], [])
        assert second["readings"] == [["4S", "4H", "4D"], ["4S", "4H", "4C"]]

    def test_it_ends_with_the_turn(self):
        match = draft(scene("8H 9H 2C", table="5H 6H 7H"), 0, "5H 6H 7H 8H")
        assert own(act(match, 0, "draw"), 0)["draft"] is None

    def test_nobody_is_told(self):
        match = scene("8H 9H 2C", table="5H 6H 7H")
        assert view(draft(match, 0, "5H 6H 7H 8H")) == view(match)


class TestTimeOut:
    """K12"""

    def test_a_nothing_was_built(self):
        match, events = expire_events(scene("8H 2C", table="5H 6H 7H", next_drawn="9D"))
        assert kinds(events) == ["missed_turn", "drawn", "turn"]
        assert events[1] == {"kind": "drawn", "seat": 0, "count": 1, "why": "overtime"}
        assert rack(match, 0) == ["2C", "8H", "9D"]
        assert view(match)["players"]["0"]["missed"] == 1

    def test_a_the_table_as_it_was_is_nothing(self):
        match = draft(scene("8H 2C", table="5H 6H 7H|9S 9H 9D"), 0, "9S 9H 9D|5H 6H 7H")
        assert expire_events(match)[1][1]["count"] == 1

    def test_b_a_valid_table_stands_and_one_tile_is_drawn(self):
        match = draft(scene("8H 2C", table="5H 6H 7H", next_drawn="9D"), 0, "5H 6H 7H 8H")
        match, events = expire_events(match)
        assert kinds(events) == ["laid", "drawn", "turn"]
        assert events[1]["why"] == "overtime"
        assert lying(match) == [["5H", "6H", "7H", "8H"]]
        assert rack(match, 0) == ["2C", "9D"]
        assert view(match)["players"]["0"]["missed"] == 0

    def test_b_whoever_laid_the_last_tile_has_won_and_draws_none(self):
        match = draft(scene("8H", table="5H 6H 7H"), 0, "5H 6H 7H 8H")
        match, events = expire_events(match)
        assert kinds(events) == ["laid", "deal_over", "match_over"]
        assert view(match)["result"]["winners"] == [0]

    def test_b_the_initial_meld_is_met_so_too(self):
        match = draft(scene("QS QH QD KS KH KD 2C", opened=False), 0, "QS QH QD|KS KH KD")
        match, events = expire_events(match)
        assert kinds(events) == ["laid", "opened", "drawn", "turn"]

    def test_c_a_table_that_is_not_valid_goes_back_and_three_are_drawn(self):
        match = scene("8H 2C", table="5H 6H 7H|9S 9H 9D", next_drawn="KC KD KH")
        match = draft(match, 0, "5H 6H|7H 8H|9S 9H 9D")
        match, events = expire_events(match)
        assert kinds(events) == ["missed_turn", "drawn", "turn"]
        assert events[1] == {"kind": "drawn", "seat": 0, "count": 3, "why": "invalid"}
        assert lying(match) == [["5H", "6H", "7H"], ["9S", "9H", "9D"]]
        assert rack(match, 0) == ["2C", "8H", "KC", "KD", "KH"]
        assert own(match, 0)["drawn"] == ["KC.0", "KD.0", "KH.0"]

    def test_of_a_pool_with_fewer_all_are_drawn(self):
        match = scene("8H 2C", table="5H 6H 7H", next_drawn="KC KD", pool_size=2)
        match, events = expire_events(draft(match, 0, "5H 6H|7H 8H"))
        assert (events[1]["count"], view(match)["pool_count"]) == (2, 0)

    def test_before_its_time_nothing_happens(self):
        match = scene("8H 2C")
        assert expire_events(match, now=NOW + 119_999) == (match, [])

    def test_there_is_no_extra_time(self):
        match = scene("8H 2C", table="5H 6H 7H")
        late = NOW + 120_000
        assert refused(match, 0, "lay", table="5H 6H 7H 8H", now=late) == "time_is_up"
        assert refused(match, 0, "arrange", rev=1, table=None, now=late) == "time_is_up"
        assert GAME.core.status(match).deadline == late

    def test_no_tiles_where_the_rules_say_so(self):
        match = with_rules(scene("8H 2C", table="5H 6H 7H"), overtime_tiles=0)
        assert kinds(expire_events(match)[1]) == ["missed_turn", "turn"]
        match = draft(match, 0, "5H 6H 7H 8H")
        assert kinds(expire_events(match)[1]) == ["laid", "turn"]


class TestAway:
    """K13"""

    def test_the_third_silent_turn_is_short_and_the_last(self):
        match = scene("8H 2C", LOOSE, "KC KD")
        for missed in (1, 2):
            assert view(match)["due_at"] - (match.deal.due_at - 120_000) == 120_000
            match = expire(match)
            assert view(match)["players"]["0"]["missed"] == missed
            match = act(act(match, 1, "draw"), 2, "draw", now=NOW)
        assert match.deal.due_at == NOW + 15_000
        match, events = expire_events(match)
        assert kinds(events) == ["missed_turn", "out", "turn"]
        assert view(match)["players"]["0"]["status"] == "out"
        assert view(match)["turn"] == 1
        assert refused(match, 0, "draw") == "not_in_deal"
        assert GAME.core.legal_view(match, 0) == [{"kind": "leave"}]
        assert GAME.core.legal(match, 0) == (LEAVE,)
        # Their turn does not come again.
        match = act(act(match, 1, "draw"), 2, "draw")
        assert view(match)["turn"] == 1

    def test_a_move_in_time_ends_the_row(self):
        match = scene("8H 2C", LOOSE)
        match = act(expire(match), 1, "draw")
        match = act(match, 0, "draw")
        assert view(match)["players"]["0"]["missed"] == 0

    def test_of_two_the_other_has_won_with_nothing(self):
        match = scene("8H 2C PJ", LOOSE)
        match = replace(
            match, deal=match.deal.with_player(replace(match.deal.players[0], missed=2))
        )
        match, events = expire_events(match)
        assert kinds(events) == ["missed_turn", "out", "deal_over", "match_over"]
        assert events[2] == {
            "kind": "deal_over",
            "winners": [1],
            "points": {"0": 40, "1": 0},
            "how": "last_player",
            "counts": {"0": 40, "1": 1 + 4 + 7 + 10 + 3},
        }

    def test_leaving_is_the_same_at_once(self):
        match = scene("8H 2C", LOOSE, "KC KD")
        match, events = act_events(match, 0, "leave")
        assert kinds(events) == ["left", "out", "turn"]
        assert view(match)["players"]["0"]["status"] == "left"
        assert refused(match, 0, "leave") == "not_in_deal"
        match, events = act_events(match, 2, "leave")
        assert kinds(events) == ["left", "out", "deal_over", "match_over"]
        result = GAME.core.status(match).result
        assert result is not None
        assert (result.winners, dict(result.points)) == ((1,), {0: 10, 1: 0, 2: 26})
        assert dict(result.ranks) == {1: 1, 2: 2, 0: 3}
        assert result.next_order == (1,)

    def test_who_is_out_may_leave_and_nothing_else_happens(self):
        match = scene("8H 2C", LOOSE, "KC KD")
        match = replace(
            match, deal=match.deal.with_player(replace(match.deal.players[0], missed=2))
        )
        match, events = act_events(expire(match), 0, "leave")
        assert kinds(events) == ["left"]
        assert GAME.core.legal_view(match, 0) == []
        assert GAME.core.legal(match, 0) == ()


class TestEnds:
    """K14, K15, K17"""

    def test_who_lays_the_last_tile_has_won(self):
        match = scene("8H", "KC PJ", "AS 2S", table="5H 6H 7H")
        match, events = act_events(match, 0, "lay", table="5H 6H 7H 8H")
        assert events[1]["points"] == {"0": 0, "1": 43, "2": 3}
        result = GAME.core.status(match).result
        assert result is not None
        assert (result.winners, dict(result.points)) == ((0,), {0: 0, 1: 43, 2: 3})
        assert dict(result.ranks) == {0: 1, 2: 2, 1: 3}
        assert view(match)["match"]["scores"] == {"0": 46, "1": -43, "2": -3}
        assert [one["count"] for one in view(match)["result"]["racks"]] == [0, 43, 3]
        assert refused(match, 1, "draw") == "match_over"
        assert refused(match, 1, "leave") == "match_over"

    def test_when_all_have_passed_the_lowest_count_wins(self):
        match = scene("8H 2C", "KC PJ", "AS 2S", pool_size=0)
        match = act(act(match, 0, "pass"), 1, "pass")
        match, events = act_events(match, 2, "pass")
        assert kinds(events) == ["passed", "deal_over", "match_over"]
        assert events[1]["how"] == "blocked"
        assert events[1]["winners"] == [2]
        assert events[1]["points"] == {"0": 10 - 3, "1": 43 - 3, "2": 0}

    def test_equal_lowest_share(self):
        match = scene("8H 2C", "KC PJ", "TS", pool_size=0)
        match = act(act(act(match, 0, "pass"), 1, "pass"), 2, "pass")
        assert view(match)["result"]["winners"] == [0, 2]
        assert view(match)["match"]["scores"] == {"0": 17, "1": -33, "2": 16}

    def test_a_lay_begins_the_passes_anew(self):
        match = scene("8H 2C", "9H PJ", pool_size=0, table="5H 6H 7H")
        match = act(match, 0, "pass")
        match = act(match, 1, "lay", table="5H 6H 7H PJ=8H")
        match = act(match, 0, "pass")
        assert view(match)["phase"] == "turn"

    def test_silence_counts_as_a_pass_where_nothing_can_be_drawn(self):
        match = expire(scene("8H 2C", "9H PJ", pool_size=0))
        match, events = act_events(match, 1, "pass")
        assert events[1]["how"] == "blocked"
        match = draft(scene("8H 2C", "9H PJ", pool_size=0, table="5H 6H 7H"), 0, "5H 6H|7H 8H")
        assert kinds(expire_events(match)[1]) == ["missed_turn", "turn"]
        match = draft(scene("8H 2C", "9H PJ", pool_size=0, table="5H 6H 7H"), 0, "5H 6H 7H 8H")
        assert kinds(expire_events(match)[1]) == ["laid", "turn"]

    def test_somebody_leaving_has_the_others_asked_once_more(self):
        match = scene("8H 2C", "9H PJ", "AS 2S", pool_size=0)
        match = act(act(match, 0, "pass"), 0, "leave")
        match = act(match, 1, "pass")
        assert view(match)["phase"] == "turn"
        assert view(act(match, 2, "pass"))["result"]["how"] == "blocked"

    def test_who_is_out_counts_less_the_winner_and_never_wins(self):
        match = scene("AS", "9H PJ", "KS 2S", pool_size=0)
        match = act(act(match, 0, "leave"), 1, "pass")
        match, events = act_events(match, 2, "pass")
        assert events[1]["winners"] == [2]
        assert events[1]["points"] == {"0": 0, "1": 39 - 15, "2": 0}

    @pytest.mark.parametrize("limit", ["max_turns", "max_minutes"])
    def test_k17_at_its_limits_a_deal_is_counted(self, limit):
        match = with_rules(scene("8H 2C", "9H PJ"), **{limit: 1})
        match = act(match, 0, "draw", now=NOW + 1)
        later = NOW + 60_000 if limit == "max_minutes" else NOW + 2
        match, events = act_events(match, 1, "draw", now=later)
        assert kinds(events) == ["drawn", "deal_over", "match_over"]
        assert events[1]["how"] == "limit"

    def test_k16_a_rack_counts_two_hundred_at_most(self):
        heavy = " ".join(f"{rank}{suit}" for rank in "KQJT" for suit in "SHDC") + " KS KH KD KC PJ"
        match = scene("8H", heavy, table="5H 6H 7H")
        match, events = act_events(match, 0, "lay", table="5H 6H 7H 8H")
        assert events[1]["counts"]["1"] == 4 * 46 + 52 + 30
        assert events[1]["points"]["1"] == 200
        match = with_rules(scene("8H", heavy, table="5H 6H 7H"), max_points=None)
        assert act_events(match, 0, "lay", table="5H 6H 7H 8H")[1][1]["points"]["1"] == 266


def test_k18_what_is_private():
    match, _ = start(0, 1, toss=False)
    assert own(match, 0).keys() == own(match, 3).keys() == dict(GAME.view.nothing_private).keys()
    assert own(match, 3) == dict(GAME.view.nothing_private)
    assert own(match, 0)["points"] == sum(
        30 if tile.startswith("PJ") else "A23456789TJQK".index(tile[0]) + 1
        for tile in own(match, 0)["hand"]
    )


def test_an_outage_moves_the_clock():
    match = scene("8H 2C")
    moved = GAME.core.postpone(match, by_ms=7_000)
    assert GAME.core.status(moved).deadline == NOW + 127_000
    assert moved.deal.started_at == NOW + 7_000


def test_a_question_is_answered_at_ones_turn():
    match = scene("8H 9H 2C", table="5H 6H 7H")
    told = HELP.answer(match, 0, {"kind": "lay"})
    assert (told["tiles"], told["points"]) == (2, 17)
    assert lying(act(match, 0, "lay", table=told["table"])) == [["5H", "6H", "7H", "8H", "9H"]]
    nothing = HELP.answer(scene("2C"), 0, {"kind": "lay"})
    assert nothing == {"tiles": 0, "points": 0, "table": None}


def test_a_question_out_of_turn_is_not_answered():
    match = scene("8H 9H 2C", table="5H 6H 7H")
    for seat, code in ((1, "no_such_help"), (3, "not_in_deal")):
        with pytest.raises(IllegalMove) as refusal:
            HELP.answer(match, seat, {"kind": "lay"})
        assert refusal.value.code == code
