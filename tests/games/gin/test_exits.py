"""G16: the clock, missed turns and leaving."""

from msgspec.structs import replace

from games.gin.game import GAME as GIN
from games.gin.rules.deal import Phase
from games.gin.rules.ruleset import POINTS, PRESETS
from tests.games.gin.scenes import (
    NOTHING,
    NOW,
    TEN,
    TWO,
    act,
    act_events,
    drawing,
    expire,
    expire_events,
    kinds,
    outcome,
    own,
    refused,
    scene,
    view,
)

GAME = PRESETS["game100"]
MELDS = "5H 6H 7H|KS KD KC|9D TD JD"


def result(match):
    found = GIN.core.status(match).result
    assert found is not None
    return found


def extra(match, seat):
    return view(match)["players"][str(seat)]["extra_ms"]


def test_g16_a_turn_has_its_time_and_the_extra_time():
    match = scene(NOTHING, TEN)
    assert view(match)["due_at"] == NOW + 30_000
    assert GIN.core.status(match).deadline == NOW + 90_000
    assert expire(match, now=NOW + 89_999) == match
    match = drawing(match)
    match = act(match, 0, "discard", card="QH", now=NOW + 40_000)
    assert extra(match, 0) == 50_000


def test_g16_an_upcard_and_a_knock_are_charged_too():
    match = act(scene(NOTHING, TEN, phase=Phase.UPCARD), 0, "pass", now=NOW + 31_000)
    assert extra(match, 0) == 59_000
    match = drawing(scene(TWO, NOTHING, next_closed="2H"))
    match = act(match, 0, "knock", card="2H", groups=MELDS, now=NOW + 32_000)
    assert extra(match, 0) == 58_000
    assert GIN.core.status(match).deadline == NOW + 32_000 + 45_000


def test_g16_a_missed_upcard_is_a_pass():
    match, happened = expire_events(scene(NOTHING, TEN, phase=Phase.UPCARD))
    assert kinds(happened) == ["missed_turn", "passed", "turn"]
    assert happened[0] == {"kind": "missed_turn", "seat": 0, "missed": 1}
    assert (view(match)["phase"], view(match)["turn"], extra(match, 0)) == ("upcard", 1, 0)
    match = expire(match)
    assert view(match)["must_draw_closed"] is True


def test_g16_a_missed_turn_draws_and_discards():
    match, happened = expire_events(scene(NOTHING, TEN, next_closed="KH"))
    assert kinds(happened) == ["missed_turn", "drawn", "discarded", "turn"]
    assert happened[2] == {"kind": "discarded", "seat": 0, "card": "KH.0"}
    assert "card" not in happened[1]
    assert sorted(own(match, 0)["hand"]) == sorted(f"{card}.0" for card in NOTHING.split())


def test_g16_a_card_that_was_drawn_goes_back():
    match = drawing(scene(NOTHING, TEN, next_closed="KH"))
    match, happened = expire_events(match)
    assert kinds(happened) == ["missed_turn", "discarded", "turn"]
    assert view(match)["open_pile"][-1] == "KH.0"


def test_g16_one_from_the_open_pile_stays_and_the_dearest_goes():
    match = act(scene(TWO, NOTHING, open_pile="2H"), 0, "draw", source="open")
    match = expire(match)
    assert view(match)["open_pile"][-1] == "2C.0"
    rules = replace(POINTS, may_return_open_card=True)
    match = act(scene(TWO, NOTHING, open_pile="2H", rules=rules), 0, "draw", source="open")
    assert view(expire(match))["open_pile"][-1] == "2H.0"


def test_g16_three_missed_in_a_row_lose_the_deal():
    match = scene(TEN, NOTHING)
    for _ in range(2):
        match = expire(match)
        match = act(drawing(match, 1), 1, "discard", card=own(drawing(match, 1), 1)["drawn"])
    match, happened = expire_events(match)
    assert kinds(happened) == ["missed_turn", "deal_over", "match_over"]
    assert outcome(match) == ("forfeit", 1, 10 + 25)
    assert dict(result(match).points) == {0: 35, 1: 0}


def test_g16_a_turn_that_is_played_ends_the_row():
    match = expire(scene(TEN, NOTHING))
    assert view(match)["players"]["0"]["missed"] == 1
    match = act(drawing(match, 1), 1, "discard", card="QH")
    match = drawing(match)
    match = act(match, 0, "discard", card=own(match, 0)["drawn"])
    assert view(match)["players"]["0"]["missed"] == 0


def test_g16_a_game_goes_on_after_missed_turns():
    rules = replace(GAME, max_missed_turns=1)
    match, happened = expire_events(drawing(scene(TEN, NOTHING, rules=rules)))
    assert kinds(happened) == ["missed_turn", "discarded", "deal_over", "deal_due"]
    assert view(match)["match"]["scores"] == {"0": 0, "1": 35}
    assert view(expire(match))["dealer"] == 0


def test_g16_spades_double_this_as_well():
    match = act(scene(TEN, NOTHING, rules=PRESETS["oklahoma"]), 0, "leave")
    assert outcome(match) == ("forfeit", 1, 70)


def test_g16_who_leaves_has_lost_the_deal():
    match, happened = act_events(scene(TEN, NOTHING), 0, "leave")
    assert kinds(happened) == ["left", "deal_over", "match_over"]
    assert outcome(match) == ("forfeit", 1, 35)
    assert view(match)["players"]["0"]["status"] == "left"
    assert result(match).next_order == (1,)
    assert refused(match, 0, "leave") == "match_over"


def test_g16_what_was_drawn_in_this_turn_is_discarded_first():
    match = drawing(scene(TEN, NOTHING, next_closed="KH"))
    match, happened = act_events(match, 0, "leave")
    assert kinds(happened) == ["left", "discarded", "deal_over", "match_over"]
    assert outcome(match) == ("forfeit", 1, 35)


def test_g16_the_winner_keeps_what_they_have_drawn():
    match = drawing(scene(NOTHING, TEN, next_closed="KH"))
    match, happened = act_events(match, 1, "leave")
    assert kinds(happened) == ["left", "deal_over", "match_over"]
    assert outcome(match) == ("forfeit", 0, 35)
    assert view(match)["players"]["0"]["cards"] == 11


def test_g16_a_games_pot_goes_to_the_other():
    match = act(scene(TEN, NOTHING, rules=GAME), 0, "leave")
    found = result(match)
    assert (found.winners, dict(found.scores)) == ((1,), {0: 0, 1: 35})
    assert dict(found.shares) == {1: 1}


def test_g16_also_between_two_deals():
    match = act(
        drawing(scene(TWO, NOTHING, next_closed="2H", rules=GAME)),
        0,
        "knock",
        card="2H",
        groups=MELDS,
    )
    match, happened = act_events(expire(match), 0, "leave")
    assert kinds(happened) == ["left", "match_over"]
    assert result(match).winners == (1,)
    assert dict(result(match).scores) == {0: 66, 1: 0}


def test_g16_whoever_leaves_after_a_knock_the_best_answer_counts():
    knocked = act(
        drawing(scene(TWO, NOTHING, next_closed="2H")), 0, "knock", card="2H", groups=MELDS
    )
    for seat in (0, 1):
        match, happened = act_events(knocked, seat, "leave")
        assert kinds(happened) == ["left", "defended", "deal_over", "match_over"]
        assert outcome(match) == ("knock", 0, 66)
        assert result(match).winners == (0,)


def test_g16_somebody_else_cannot_leave():
    assert refused(scene(TEN, NOTHING), 3, "leave") == "not_in_deal"
    assert GIN.core.legal(scene(TEN, NOTHING), 3) == ()
    assert own(scene(TEN, NOTHING), 3) == dict(GIN.view.nothing_private)
