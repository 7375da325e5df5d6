"""G1 to G6, G12: the deal, the upcard, drawing and discarding, the wall."""

import pytest
from msgspec.structs import replace

from games.cards import CARD_BY_TEXT, CARDS
from games.engine.base import InvalidRules
from games.gin.game import GAME
from games.gin.rules.deal import Phase
from games.gin.rules.ruleset import POINTS, PRESETS
from tests.games.gin.scenes import (
    NOTHING,
    NOW,
    SEED,
    TEN,
    TWO,
    act,
    act_events,
    drawing,
    kinds,
    outcome,
    own,
    refused,
    scene,
    told,
    turn_of,
    view,
)
from tests.games.values import pair

MINUTE = 60_000


def start(*, toss=False, rules=POINTS, seats=(0, 1), seed=SEED):
    return pair(GAME.core.start(rules=rules, seats=seats, toss=toss, seed=seed, now=NOW))


@pytest.mark.parametrize("seats", [(), (0,), (0, 0), (0, 1, 2)])
def test_g1_two_play(seats):
    with pytest.raises(InvalidRules):
        start(seats=seats)


def test_g1_with_52_cards():
    match, _ = start()
    assert sorted(match.deal.cards()) == list(CARDS[:52])


def test_g2_the_lowest_card_of_the_toss_deals():
    match, happened = start(toss=True, seats=(4, 2))
    toss = told(happened)[0]
    assert toss["kind"] == "toss"
    ranks = [(CARD_BY_TEXT[drawn["card"]].rank, drawn["seat"]) for drawn in toss["cards"]]
    assert view(match)["dealer"] == min(ranks)[1]
    assert view(match)["toss"] == toss["cards"]
    assert view(match)["order"] == [max(ranks)[1], min(ranks)[1]]


def test_g2_equal_cards_of_the_toss_go_by_suit():
    for number in range(200):
        match, _ = start(toss=True, seed=number.to_bytes(32, "big"))
        assert match.deal.toss is not None
        first, second = match.deal.toss
        if first.rank == second.rank:
            assert first.suit < second.suit
            return
    raise AssertionError("no equal cards")


def test_g2_without_a_toss_the_last_seat_deals():
    match, happened = start(seats=(1, 0))
    assert view(match)["dealer"] == 0
    assert view(match)["toss"] is None
    assert kinds(told(happened)) == ["dealt", "turn"]


def test_g3_ten_cards_each_the_upcard_and_the_rest():
    match, happened = start()
    shown = view(match)
    assert [len(own(match, seat)["hand"]) for seat in (0, 1)] == [10, 10]
    assert shown["open_pile"] == [shown["upcard"]]
    assert shown["closed_count"] == 31
    assert told(happened)[0] == {
        "kind": "dealt",
        "order": [0, 1],
        "dealer": 1,
        "open": shown["upcard"],
        "knock_limit": 10,
    }


def test_g4_the_other_one_is_offered_the_upcard_first():
    match = scene(NOTHING, TEN, phase=Phase.UPCARD)
    assert (view(match)["phase"], view(match)["turn"]) == ("upcard", 0)
    assert [move.kind for move in GAME.core.legal(match, 0)] == ["draw", "pass", "arrange", "leave"]
    match = act(match, 0, "draw", source="open")
    assert (view(match)["phase"], view(match)["step"]) == ("turn", "discard")
    assert own(match, 0)["drawn"] == "2S.0"


def test_g4_then_the_dealer():
    match, happened = act_events(scene(NOTHING, TEN, phase=Phase.UPCARD), 0, "pass")
    assert kinds(happened) == ["passed", "turn"]
    assert (view(match)["phase"], view(match)["turn"]) == ("upcard", 1)
    match = act(match, 1, "draw", source="open")
    assert own(match, 1)["from_open"] is True


def test_g4_when_both_have_passed_the_closed_deck_is_drawn_from():
    match = act(scene(NOTHING, TEN, phase=Phase.UPCARD), 0, "pass")
    match = act(match, 1, "pass")
    assert (view(match)["phase"], view(match)["turn"]) == ("turn", 0)
    assert view(match)["must_draw_closed"] is True
    assert refused(match, 0, "draw", source="open") == "must_draw_closed"
    match = act(drawing(match), 0, "discard", card="QH")
    assert view(match)["must_draw_closed"] is False
    act(match, 1, "draw", source="open")


def test_g4_what_the_upcard_does_not_allow():
    match = scene(NOTHING, TEN, phase=Phase.UPCARD)
    assert refused(match, 0, "draw", source="closed") == "wrong_step"
    assert refused(match, 0, "discard", card="QH") == "wrong_step"
    assert refused(match, 1, "pass") == "not_your_turn"
    assert refused(scene(NOTHING, TEN), 0, "pass") == "wrong_step"


def test_g5_a_turn_is_a_draw_and_a_discard():
    match = scene(NOTHING, TEN, next_closed="KH")
    match, happened = act_events(match, 0, "draw", source="closed")
    assert happened == [{"kind": "drawn", "seat": 0, "source": "closed"}]
    assert own(match, 0)["drawn"] == "KH.0"
    assert view(match)["players"]["0"]["cards"] == 11
    match, happened = act_events(match, 0, "discard", card="QH")
    assert kinds(happened) == ["discarded", "turn"]
    assert view(match)["open_pile"] == ["2S.0", "QH.0"]
    assert view(match)["discards"] == [[0, "QH.0"]]
    assert view(match)["turn"] == 1


def test_g5_the_open_card_is_seen_and_may_not_go_back():
    match, happened = act_events(scene(NOTHING, TEN), 0, "draw", source="open")
    assert happened == [{"kind": "drawn", "seat": 0, "source": "open", "card": "2S.0"}]
    assert view(match)["taken"] == {"0": ["2S.0"], "1": []}
    assert refused(match, 0, "discard", card="2S") == "may_not_return_open_card"
    assert "2S.0" not in discards(match)
    act(match, 0, "discard", card="QH")


def test_g5_where_the_rules_allow_it_it_may():
    rules = replace(POINTS, may_return_open_card=True)
    match = act(scene(NOTHING, TEN, rules=rules), 0, "draw", source="open")
    assert "2S.0" in discards(match)
    act(match, 0, "discard", card="2S")


def discards(match):
    entry = next(entry for entry in GAME.core.legal_view(match, 0) if entry["kind"] == "discard")
    return entry["card"]


def test_g5_nobody_knocks_with_the_open_card_face_down():
    match = act(scene(TWO, NOTHING, open_pile="2H"), 0, "draw", source="open")
    melds = "5H 6H 7H|KS KD KC|9D TD JD"
    assert refused(match, 0, "knock", card="2H", groups=melds) == "may_not_return_open_card"
    act(match, 0, "knock", card="2C", groups=melds)


def test_g5_turns_and_steps_are_kept():
    match = scene(NOTHING, TEN)
    assert refused(match, 1, "draw", source="closed") == "not_your_turn"
    assert refused(match, 0, "discard", card="QH") == "wrong_step"
    assert refused(match, 0, "knock", card="QH", groups=[]) == "wrong_step"
    match = drawing(match)
    assert refused(match, 0, "draw", source="closed") == "wrong_step"
    assert refused(match, 0, "discard", card="5H") == "card_not_held"
    assert refused(match, 1, "discard", card="5H") == "not_your_turn"
    assert refused(match, 2, "discard", card="5H") == "not_in_deal"


def test_g5_an_empty_open_pile_is_not_drawn_from():
    match = scene(NOTHING, TEN)
    match = replace(
        match,
        deal=replace(match.deal, open_pile=(), closed=(*match.deal.closed, *match.deal.open_pile)),
    )
    assert refused(match, 0, "draw", source="open") == "open_pile_empty"


def test_g12_at_the_wall_the_deal_is_dead():
    match = drawing(scene(NOTHING, TEN, closed_count=3))
    match, happened = act_events(match, 0, "discard", card="QH")
    assert kinds(happened) == ["discarded", "deal_over", "deal_due"]
    assert outcome(match) == ("dead", None, 0)
    assert happened[1]["winners"] == []
    assert happened[1]["points"] == {"0": 0, "1": 0}
    assert happened[1]["deadwoods"]["1"] == 10
    assert view(match)["players"]["0"]["status"] == "even"
    assert view(match)["phase"] == "between"


def test_g12_who_draws_the_last_card_may_knock():
    match = drawing(scene(TWO, NOTHING, closed_count=3))
    drawn = own(match, 0)["drawn"]
    match = act(match, 0, "knock", card=drawn, groups="5H 6H 7H|KS KD KC|9D TD JD")
    assert view(match)["phase"] == "defend"


def test_g12_before_the_wall_the_deal_goes_on():
    match = act(drawing(scene(NOTHING, TEN, closed_count=4)), 0, "discard", card="QH")
    assert view(match)["turn"] == 1


def test_g12_a_deal_has_a_limit_of_turns():
    rules = replace(POINTS, max_turns=1)
    match = act(drawing(scene(NOTHING, TEN, rules=rules)), 0, "discard", card="QH")
    assert view(match)["turn"] == 1
    match = act(drawing(match, 1), 1, "discard", card="5H")
    assert outcome(match)[0] == "dead"


def test_g12_and_of_minutes():
    late = NOW + 20 * MINUTE
    match = scene(NOTHING, TEN)
    match = replace(match, deal=replace(match.deal, due_at=late))
    match = act(drawing(match), 0, "discard", card="QH", now=late)
    assert outcome(match)[0] == "dead"


def test_g6_the_first_layout_is_by_suits():
    match, _ = start()
    groups = own(match, 0)["groups"]
    assert [card for group in groups for card in group] == own(match, 0)["hand"]
    assert all(len({card[1] for card in group}) == 1 for group in groups)


def test_the_order_of_a_hand_is_its_own_affair():
    match = scene(NOTHING, TEN)
    turned = "AD 3H|4C 6S 7D 8S|9C TC JS QH"
    match, happened = act_events(match, 1, "arrange", rev=3, groups="AS|5H 6H 7H|KS KD KC|2C 3D 4S")
    assert happened == []
    assert (own(match, 1)["rev"], own(match, 1)["groups"][0]) == (3, ["AS.0"])
    assert act(match, 1, "arrange", rev=3, groups=turned) == match
    assert refused(match, 1, "arrange", rev=4, groups=turned) == "groups_not_your_hand"
    assert refused(match, 1, "arrange", rev=4, groups="AS AS") == "groups_not_your_hand"
    late = GAME.core.status(match).deadline or 0
    assert act(match, 0, "arrange", rev=1, groups=turned, now=late) != match
    assert refused(match, 0, "draw", source="closed", now=late) == "time_is_up"


def test_a_drawn_card_is_a_group_of_its_own():
    match = drawing(scene(TEN, NOTHING, next_closed="KH"))
    assert own(match, 0)["groups"][-1] == ["KH.0"]


def test_a_turn_can_begin_with_any_seat():
    assert view(turn_of(scene(NOTHING, TEN), 1))["turn"] == 1
    assert set(PRESETS) >= {"points", "oklahoma", "game100", "oklahoma100", "lesson"}
