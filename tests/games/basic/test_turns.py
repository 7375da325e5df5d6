"""The rules of basic rummy B1 to B10, one by one (docs/rules-basic.md)."""

import pytest
from msgspec.structs import replace

from games.basic.game import GAME
from games.basic.rules.moves import as_meld
from games.basic.rules.ruleset import POINTS
from games.cards import card_texts
from games.engine.base import InvalidRules
from games.shuffle import shuffled
from tests.games.basic.scenes import (
    NOW,
    SEED,
    act,
    changed_player,
    drawing,
    faces,
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

BOTH = replace(POINTS, ace="both")
# Nothing goes together: 10 + 9 + 7 + 5 + 4 + 2 + 1.
NOTHING = "QH 9C 7D 5S 4H 2C AD"


def begun(seats, rules=POINTS, toss=False):
    return pair(GAME.core.start(rules=rules, seats=seats, toss=toss, seed=SEED, now=NOW))


def kind(text, rules=POINTS):
    meld = as_meld(faces(text), rules.shape)
    return None if meld is None else "set" if meld.is_set else "sequence"


def test_b1_two_to_six_play_with_52_cards():
    for count in range(2, 7):
        match, _ = begun(tuple(range(count)))
        assert sorted(match.deal.cards()) == list(range(52))
    for seats in [(0,), tuple(range(7)), (1, 1)]:
        with pytest.raises(InvalidRules):
            begun(seats)


@pytest.mark.parametrize(
    ("cards", "low", "both"),
    [
        ("AS 2S 3S", "sequence", "sequence"),
        ("QS KS AS", None, "sequence"),
        ("KS AS 2S", None, None),
        ("JS QS KS AS", None, "sequence"),
    ],
)
def test_b1_the_ace_is_low_or_both(cards, low, both):
    assert kind(cards) == low
    assert kind(cards, BOTH) == both


def test_b2_the_lowest_card_deals_and_the_order_is_that_of_the_cards():
    match, happened = begun((3, 5, 1), toss=True)
    toss = happened[0].json()["cards"]
    ranks = ["A23456789TJQK".index(drawn["card"][0]) for drawn in toss]
    assert ranks == sorted(ranks, reverse=True)
    assert [drawn["seat"] for drawn in toss] == list(match.deal.order)
    assert view(match)["dealer"] == toss[-1]["seat"]
    assert view(match)["turn"] == toss[0]["seat"]


def test_b3_ten_seven_or_six_cards_and_one_opens_the_pile():
    for count, size in {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}.items():
        match, happened = begun(tuple(range(count)))
        deck = shuffled(tuple(range(52)), seed=SEED, label="deal")
        for place in range(count):
            assert sorted(player(match, place).hand) == sorted(deck[place : size * count : count])
        assert match.deal.open_pile == (deck[size * count],)
        assert match.deal.closed[::-1] == deck[size * count + 1 :]
        assert happened[0].json()["hand_size"] == size
    match, _ = begun((0, 1), replace(POINTS, hand_sizes=(5, 7, 7, 6, 6)))
    assert len(own(match, 0)["hand"]) == 5


@pytest.mark.parametrize(
    ("cards", "what"),
    [
        ("7S 7H 7D", "set"),
        ("7S 7H 7D 7C", "set"),
        ("7S 7H", None),
        ("7S 7H 8D", None),
        ("9D 7D 8D", "sequence"),
        ("7D 8D", None),
        ("7D 8D TD", None),
        ("7D 8D 9C", None),
    ],
)
def test_b4_sets_and_sequences(cards, what):
    assert kind(cards) == what


def test_b5_a_turn_is_drawing_laying_and_discarding():
    match = scene("7H 7S 7D 4C 5C 6C QD KS 2D 3H", "QH 9C 5S 4H 2C AD", next_closed="8H")
    assert act.refused(match, 0, "discard", card="KS") == "wrong_step"
    assert act.refused(match, 0, "meld", groups=texts("7H 7S 7D")) == "wrong_step"
    assert act.refused(match, 1, "draw", source="closed") == "not_your_turn"
    match = drawing(match)
    assert own(match, 0)["drawn"] == "8H.0"
    assert act.refused(match, 0, "draw", source="closed") == "wrong_step"
    match, happened = act.events(match, 0, "meld", groups=texts("7H 7S 7D|4C 5C 6C"))
    assert kinds(happened) == ["melded"]
    assert happened[0]["first"] == 0
    assert happened[0]["melds"][1] == {
        "kind": "sequence",
        "cards": wire("4C 5C 6C"),
        "as": ["4C", "5C", "6C"],
        "by": [0, 0, 0],
    }
    assert view(match)["players"]["0"]["cards"] == 5
    match, happened = act.events(match, 0, "discard", card="KS")
    assert kinds(happened) == ["discarded", "turn"]
    assert (view(match)["turn"], view(match)["step"]) == (1, "draw")


def test_b5_from_either_pile():
    match = scene(NOTHING, "KD KC 3S", open_pile="9H", next_closed="8H")
    taken, happened = act.events(match, 0, "draw", source="open")
    assert happened == [{"kind": "drawn", "seat": 0, "source": "open", "card": "9H.0"}]
    assert view(taken)["taken"] == {"0": ["9H.0"], "1": []}
    drawn, happened = act.events(match, 0, "draw", source="closed")
    assert happened == [{"kind": "drawn", "seat": 0, "source": "closed"}]
    assert "8H.0" in own(drawn, 0)["hand"]


def test_b5_no_open_card_no_draw_from_there():
    match = scene(NOTHING, "KD KC 3S")
    empty = replace(match, deal=replace(match.deal, open_pile=()))
    assert act.refused(empty, 0, "draw", source="open") == "open_pile_empty"


def test_b5_one_meld_a_turn():
    rules = replace(POINTS, melds_a_turn=1)
    match = drawing(scene("7H 7S 7D 4C 5C 6C QD", NOTHING.replace("7D ", ""), rules=rules))
    assert act.refused(match, 0, "meld", groups=texts("7H 7S 7D|4C 5C 6C")) == "too_many_melds"
    match = act(match, 0, "meld", groups=texts("7H 7S 7D"))
    assert view(match)["laid"] == 1
    assert act.refused(match, 0, "meld", groups=texts("4C 5C 6C")) == "too_many_melds"
    assert "meld" not in {entry["kind"] for entry in GAME.core.legal_view(match, 0)}


def test_b6_cards_are_laid_off_on_every_meld():
    match = drawing(scene("3C 4C 8C KD", "QH 9C", table="5C 6C 7C|8H 8S 8D", next_closed="2H"))
    match, happened = act.events(match, 0, "lay_off", meld=0, cards=wire("4C 3C"))
    assert happened == [
        {"kind": "laid_off", "seat": 0, "meld": 0, "cards": wire("4C 3C"), "as": ["4C", "3C"]}
    ]
    assert view(match)["melds"][0] == {
        "kind": "sequence",
        "cards": wire("3C 4C 5C 6C 7C"),
        "as": ["3C", "4C", "5C", "6C", "7C"],
        "by": [0, 0, 1, 1, 1],
    }
    on_set = act(match, 0, "lay_off", meld=1, cards=wire("8C"))
    assert view(on_set)["melds"][1]["cards"] == wire("8H 8S 8D 8C")
    on_run = act(match, 0, "lay_off", meld=0, cards=wire("8C"))
    assert view(on_run)["melds"][0]["cards"][-1] == "8C.0"
    assert act.refused(match, 0, "lay_off", meld=0, cards=wire("KD")) == "does_not_fit"
    assert act.refused(match, 0, "lay_off", meld=1, cards=wire("KD")) == "does_not_fit"
    assert act.refused(match, 0, "lay_off", meld=2, cards=wire("KD")) == "no_such_meld"
    assert act.refused(match, 0, "lay_off", meld=0, cards=[]) == "nothing_laid"
    assert act.refused(match, 0, "lay_off", meld=0, cards=wire("9C")) == "groups_not_your_hand"


def test_b6_what_lies_stays_where_it_lies():
    """A high ace does not become a low one."""
    match = drawing(
        scene("2C 3C 4C 5C 6C KD", "QH 9H", table="7C 8C 9C TC JC QC KC AC", rules=BOTH)
    )
    match = act(match, 0, "lay_off", meld=0, cards=wire("6C 5C 4C 3C 2C"))
    assert view(match)["melds"][0]["as"][0] == "2C"
    assert view(match)["melds"][0]["as"][-1] == "AC"


def test_b7_a_card_from_the_open_pile_stays_for_the_turn():
    match = scene(NOTHING, "KD KC 3S", open_pile="9H")
    taken = drawing(match, source="open")
    assert act.refused(taken, 0, "discard", card="9H") == "may_not_return_open_card"
    assert own(taken, 0)["from_open"] is True
    freely = scene(
        NOTHING, "KD KC 3S", open_pile="9H", rules=replace(POINTS, may_return_open_card=True)
    )
    act(drawing(freely, source="open"), 0, "discard", card="9H")


def test_b7_a_turn_must_be_able_to_end():
    """With the bound card alone nothing could be discarded."""
    match = drawing(scene("7H 7S 7D", "KD KC 3S", open_pile="9H"), source="open")
    assert act.refused(match, 0, "meld", groups=texts("7H 7S 7D")) == "must_keep_a_discard"
    fitting = scene("7H 7S 7D", "KD KC 3S", open_pile="9H", table="3H 4H 5H")
    fitting = drawing(fitting, source="open")
    assert act.refused(fitting, 0, "meld", groups=texts("7H 7S 7D")) == "must_keep_a_discard"
    laid = scene("7H 7S 7D", "KD KC 3S", open_pile="9H", table="TH JH QH")
    laid = act(drawing(laid, source="open"), 0, "meld", groups=texts("7H 7S 7D"))
    assert [entry["kind"] for entry in GAME.core.legal_view(laid, 0)] == [
        "lay_off",
        "arrange",
        "leave",
    ]
    done = act(laid, 0, "lay_off", meld=0, cards=wire("9H"))
    assert lost(done)[0] == "rummy"


def test_b8_the_last_card_may_be_laid_or_discarded():
    match = changed_player(scene("7H 7S 7D", "KD KC 3S", next_closed="7C"), 0, laid_in=0)
    by_laying = act(drawing(match), 0, "meld", groups=texts("7H 7S 7D 7C"))
    assert lost(by_laying) == ("out", [0], {"0": 0, "1": 23})
    by_discard = act(drawing(match), 0, "meld", groups=texts("7H 7S 7D"))
    by_discard = act(by_discard, 0, "discard", card="7C")
    assert lost(by_discard) == ("out", [0], {"0": 0, "1": 23})
    assert GAME.core.status(by_discard).result is not None


def test_b8_or_has_to_be_discarded():
    rules = replace(POINTS, must_discard_last=True)
    match = drawing(scene("7H 7S 7D", "KD KC 3S", next_closed="7C", rules=rules))
    assert act.refused(match, 0, "meld", groups=texts("7H 7S 7D 7C")) == "must_keep_a_discard"
    match = act(match, 0, "meld", groups=texts("7H 7S 7D"))
    assert lost(act(match, 0, "discard", card="7C"))[0] == "rummy"
    # A single card is kept for the discard, wherever it would fit.
    match = drawing(scene("8S", "KD KC 3S", table="5S 6S 7S", open_pile="9S", rules=rules))
    assert "discard" in {entry["kind"] for entry in GAME.core.legal_view(match, 0)}


def test_b9_going_rummy_counts_double():
    match = drawing(scene("7H 7S 7D", "KD KC 3S", next_closed="7C"))
    match, happened = act.events(match, 0, "meld", groups=texts("7H 7S 7D 7C"))
    assert kinds(happened) == ["melded", "deal_over", "match_over"]
    assert lost(match) == ("rummy", [0], {"0": 0, "1": 46})
    single = scene("7H 7S 7D", "KD KC 3S", next_closed="7C", rules=replace(POINTS, rummy_factor=1))
    single = act(drawing(single), 0, "meld", groups=texts("7H 7S 7D 7C"))
    assert lost(single) == ("out", [0], {"0": 0, "1": 23})


def test_b9_laying_twice_in_one_turn_is_one_turn():
    match = drawing(scene("7H 7S 7D 9S", "KD KC 3S", table="TS JS QS", next_closed="8S"))
    match = act(match, 0, "meld", groups=texts("7H 7S 7D"))
    match = act(match, 0, "lay_off", meld=0, cards=wire("9S 8S"))
    assert lost(match)[0] == "rummy"


def test_b10_the_open_pile_is_shuffled_into_a_new_closed_deck():
    match = scene(NOTHING, "KD KC 3S", closed_count=1)
    under = match.deal.open_pile
    match = drawing(match)
    match, happened = act.events(match, 0, "discard", card="QH")
    assert kinds(happened) == ["discarded", "reshuffled", "turn"]
    assert match.deal.closed == shuffled(under, seed=SEED, label="reshuffle:1")
    assert card_texts(match.deal.open_pile) == ["QH.0"]
    assert happened[1]["count"] == len(under) == len(match.deal.closed)
    assert view(match)["restocks"] == 1


def test_b10_or_turned_over():
    match = scene(NOTHING, "KD KC 3S", closed_count=1, rules=replace(POINTS, restock="turn"))
    first = match.deal.open_pile[0]
    match, happened = act.events(drawing(match), 0, "discard", card="QH")
    assert kinds(happened) == ["discarded", "turned_over", "turn"]
    assert match.deal.closed[-1] == first


@pytest.mark.parametrize(
    ("rules", "restocks"),
    [(replace(POINTS, restock="block"), 0), (POINTS, 2), (replace(POINTS, max_restocks=0), 0)],
)
def test_b10_in_the_end_the_deal_is_blocked(rules, restocks):
    match = scene("QH 2C", "KD KC 3S", closed_count=1, rules=rules)
    match = replace(match, deal=replace(match.deal, restocks=restocks))
    match = act(drawing(match), 0, "discard", card="QH")
    assert lost(match)[0] == "blocked"


def test_b10_a_single_open_card_is_not_enough():
    match = drawing(scene(NOTHING, "KD KC 3S", closed_count=1))
    match = replace(match, deal=replace(match.deal, open_pile=()))
    assert lost(act(match, 0, "discard", card="QH"))[0] == "blocked"


def test_b4_what_is_no_meld_is_refused():
    match = drawing(scene("7H 7S 7D KC 2D", "KD KH 3S", next_closed="9C"))
    assert act.refused(match, 0, "meld", groups=texts("7H 7S 7D|KC 2D 9C")) == "not_a_meld"
    assert (
        act.refused(match, 0, "meld", groups=texts("7H 7S 7D|7D KC 2D")) == "groups_not_your_hand"
    )
    assert act.refused(match, 0, "meld", groups=[]) == "nothing_laid"
    assert GAME.core.legal(match, 5) == ()
