"""Contracts, lay offs and jokers: C1 to C5 and C9 to C13, one by one (docs/rules-contract.md)."""

from typing import Any

import pytest
from msgspec.structs import replace

from games.contract.game import GAME
from games.contract.rules.melds import as_meld
from games.contract.rules.ruleset import PRESETS, SEVEN, USUAL
from games.engine.base import InvalidRules
from games.engine.state import Stage
from games.shuffle import shuffled
from tests.games.contract.scenes import (
    SEED,
    Packs,
    act,
    changed_player,
    drawing,
    laid,
    lost,
    melds,
    own,
    player,
    scene,
    view,
)
from tests.games.scenes import kinds
from tests.games.values import pair

DEUCES = PRESETS["deuces_wild"]
OTHERS = ("KS QH 9C", "JD 8C 3S")
# Two sets, and four cards besides.
TWO_SETS = "7H 7S 7D QC QS QH 4C 5D 9S TS"


def begun(seats, rules=USUAL, toss=False):
    return pair(GAME.core.start(rules=rules, seats=seats, toss=toss, seed=SEED, now=0))


def kind(text, rules=USUAL):
    meld = as_meld(Packs().laid(text), rules)
    return None if meld is None else "set" if meld.is_set else "run"


def test_c1_packs_and_jokers():
    sizes = {2: 104 + 1, 3: 104 + 2, 4: 104 + 3} | {n: 156 + n - 1 for n in range(5, 9)}
    for players, size in sizes.items():
        match, _ = begun(tuple(range(players)))
        assert len(set(match.deal.cards())) == size == len(USUAL.deck(players))
        jokers = sorted(str(card) for card in match.deal.cards() if card.face == 52)
        assert jokers == [f"PJ.{number}" for number in range(players - 1)]
    for seats in [(0,), tuple(range(9)), (1, 1)]:
        with pytest.raises(InvalidRules):
            begun(seats)


@pytest.mark.parametrize(
    ("jokers", "numbers"),
    [
        ("per_players", [1, 2, 3, 4, 5, 6, 7]),
        ("all_printed", [4, 4, 4, 4, 4, 4, 4]),
        ("two_a_pack", [4, 4, 4, 6, 6, 6, 6]),
    ],
)
def test_c1_how_many_jokers_are_dealt(jokers, numbers):
    rules = replace(USUAL, jokers=jokers)
    decks = [rules.deck(players) for players in range(2, 9)]
    assert [sum(card.face == 52 for card in deck) for deck in decks] == numbers


def test_c2_eight_players_have_hands_of_twelve_and_cards_to_draw():
    match, _ = begun(tuple(range(8)))
    last = act.expire(replace(match, number=6, stage=Stage.BETWEEN, due_at=0))
    assert [len(own(last, seat)["hand"]) for seat in range(8)] == [12] * 8
    assert len(last.deal.closed) == 163 - 8 * 12 - 1


def test_c2_the_cards_and_contracts_of_each_deal():
    match, happened = begun((2, 0, 1))
    assert (happened[0].json()["contract"], happened[0].json()["hand_size"]) == (["set", "set"], 10)
    deck = shuffled(USUAL.deck(3), seed=SEED, label="deal")
    assert sorted(player(match, 0).hand) == sorted(deck[1:30:3])
    assert match.deal.open_pile == (deck[30],)
    sizes = []
    for number in range(1, 8):
        dealt = (
            replace(match, number=number - 1, stage=Stage.BETWEEN, due_at=0)
            if number > 1
            else match
        )
        dealt = act.expire(dealt) if number > 1 else dealt
        sizes.append(len(own(dealt, 0)["hand"]))
        assert view(dealt)["contract"] == list(SEVEN[number - 1])
    assert sizes == [10, 10, 10, 10, 12, 12, 12]
    assert PRESETS["pagat"].hand_sizes[3] == 12


def test_c2_the_lowest_card_deals():
    match, happened = begun((0, 1, 2), toss=True)
    ranks = ["A23456789TJQK".index(t["card"][0]) for t in happened[0].json()["cards"]]
    assert ranks == sorted(ranks, reverse=True)
    assert view(match)["turn"] == happened[0].json()["cards"][0]["seat"]


@pytest.mark.parametrize(
    ("cards", "what"),
    [
        ("7H 7S 7D", "set"),
        ("7H 7H 7H", "set"),
        ("7H 7S", None),
        ("7H 7S PJ=7D", "set"),
        ("7H PJ=7D PJ=7C", "set"),
        ("PJ=7H PJ=7D PJ=7C", None),
        ("4H 5H 6H 7H", "run"),
        ("7H 5H 4H 6H", "run"),
        ("4H 5H 6H", None),
        ("4H 5H PJ=6H PJ=7H", "run"),
        ("4H PJ=5H PJ=6H PJ=7H", None),
        ("4H 5S 6H 7H", None),
        ("AS 2S 3S 4S", "run"),
        ("JS QS KS AS", "run"),
        ("QS KS AS 2S", None),
        ("4H 5H 6H 8H=7H", None),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", "run"),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS AS", None),
        ("4H 5H 6H PJ", None),
        ("4H 5H 6H 2S=7H", None),
    ],
)
def test_c3_c4_sets_and_runs(cards, what):
    assert kind(cards) == what


def test_c3_deuces_may_be_wild():
    assert kind("4H 5H 6H 2S=7H", DEUCES) == "run"
    assert kind("AS 2S 3S 2D=4S", DEUCES) == "run"
    assert kind("7H 2S=7S 2D=7D", DEUCES) == "set"
    assert kind("2H 2S 2D", DEUCES) == "set"


def contract_on(cards, text, **fields):
    match = drawing(scene(cards, *OTHERS, next_closed="4H", **fields))
    return match, melds(match, 0, text)


def test_c4_the_contract_is_laid_exactly():
    match, two = contract_on(TWO_SETS, "7H 7S 7D|QC QS QH")
    after, happened = act.events(match, 0, "contract", melds=two)
    assert kinds(happened) == ["contract_laid"]
    assert [meld["kind"] for meld in happened[0]["melds"]] == ["set", "set"]
    assert view(after)["players"]["0"] == {
        **view(match)["players"]["0"],
        "cards": 5,
        "has_laid": True,
    }
    for text in ("7H 7S 7D", "7H 7S 7D|QC QS QH|4C 5D 9S", "7H 7S 4C|QC QS QH"):
        code = act.refused(match, 0, "contract", melds=melds(match, 0, text))
        assert code == ("not_a_meld" if "4C" in text else "contract_not_met")
    four = "7H 7S 7D 7C QC QS QH 4C 5D 9S"
    match, more = contract_on(four, "7H 7S 7D 7C|QC QS QH")
    assert act.refused(match, 0, "contract", melds=more) == "contract_not_met"
    loose, more = contract_on(
        four, "7H 7S 7D 7C|QC QS QH", rules=replace(USUAL, exact_contract=False)
    )
    assert view(act(loose, 0, "contract", melds=more))["laid"] == 2
    assert act.refused(match, 0, "contract", melds=[]) == "nothing_laid"
    assert act.refused(match, 1, "contract", melds=[]) == "not_your_turn"


WHOLE = "2C 3C 4C 5C 6H 7H 8H 9H JD QD KD AD"


def test_c4_the_last_contract_takes_the_whole_hand():
    match = drawing(scene(WHOLE, *OTHERS, next_closed="6C", number=7))
    short = melds(match, 0, "2C 3C 4C 5C|6H 7H 8H 9H|JD QD KD AD")
    assert act.refused(match, 0, "contract", melds=short) == "contract_not_met"
    whole = melds(match, 0, "2C 3C 4C 5C 6C|6H 7H 8H 9H|JD QD KD AD")
    assert next(move.kind for move in GAME.core.legal(match, 0)) == "contract"
    match, happened = act.events(match, 0, "contract", melds=whole)
    assert kinds(happened) == ["contract_laid", "deal_over", "match_over"]
    assert lost(match)[:2] == ("out", [0])


@pytest.mark.parametrize(
    ("text", "is_met"),
    [
        ("2H 3H 4H 5H|7H 8H 9H TH", True),
        ("2H 3H 4H 5H|6H 7H 8H 9H", False),
        ("2H 3H 4H 5H|5H 6H 7H 8H", False),
        ("2H 3H 4H 5H|2H 3H 4H 5H", False),
        ("2H 3H 4H 5H|6S 7S 8S 9S", True),
        ("AH 2H 3H 4H|JH QH KH AH", True),
    ],
)
def test_c5_two_runs_of_a_suit_do_not_touch(text, is_met):
    hand = text.replace("|", " ") + " 9C JC"
    match = drawing(scene(hand, "KS", "JD", next_closed="4C", number=3))
    move: dict[str, Any] = {"melds": melds(match, 0, text)}
    if is_met:
        assert view(act(match, 0, "contract", **move))["laid"] == 2
    else:
        assert act.refused(match, 0, "contract", **move) == "contract_not_met"


def test_c9_once_and_nothing_else_in_that_turn():
    match, two = contract_on(TWO_SETS + " 7C 9D 9S", "7H 7S 7D|QC QS QH")
    match = act(match, 0, "contract", melds=two)
    move = {"meld": 0, "laid": laid(match, 0, "7C")}
    assert act.refused(match, 0, "lay_off", **move) == "not_in_this_turn"
    assert "lay_off" not in {entry["kind"] for entry in GAME.core.legal_view(match, 0)}
    again = melds(match, 0, "9S 9S 9D|4C 5D 7C")
    assert act.refused(match, 0, "contract", melds=again) == "contract_already_met"
    same, two = contract_on(
        TWO_SETS + " 7C 8C 8S",
        "7H 7S 7D|QC QS QH",
        rules=replace(USUAL, lay_off_same_turn=True),
    )
    same = act(same, 0, "contract", melds=two)
    assert (
        len(view(act(same, 0, "lay_off", meld=0, laid=laid(same, 0, "7C")))["melds"][0]["cards"])
        == 4
    )


def after_contract(hand, table, **fields):
    """Seat 0 has laid its contract before, and draws now."""
    fields = {"next_closed": "KD", "has_laid": (0, 1), **fields}
    return drawing(scene(hand, *OTHERS, table=table, **fields))


def test_c10_lay_offs_on_every_meld():
    match = after_contract("3H 8H 7C 2D PJ", "4H 5H 6H 7H|7S 7D 7H")
    match, happened = act.events(match, 0, "lay_off", meld=0, laid=laid(match, 0, "3H 8H"))
    assert happened[0]["as"] == ["3H", "8H"]
    assert view(match)["melds"][0]["by"] == [0, 1, 1, 1, 1, 0]
    match = act(match, 0, "lay_off", meld=1, laid=laid(match, 0, "7C"))
    match = act(match, 0, "lay_off", meld=0, laid=laid(match, 0, "PJ=2H"))
    assert view(match)["melds"][0]["as"][0] == "2H"
    card = laid(match, 0, "2D")
    assert act.refused(match, 0, "lay_off", meld=0, laid=card) == "does_not_fit"
    assert act.refused(match, 0, "lay_off", meld=2, laid=card) == "no_such_meld"
    wrong = {**card, "as": ["AH"]}
    assert act.refused(match, 0, "lay_off", meld=0, laid=wrong) == "does_not_fit"
    nothing: dict[str, Any] = {"cards": [], "as": []}
    assert act.refused(match, 0, "lay_off", meld=0, laid=nothing) == "nothing_laid"
    foreign = {"cards": ["KS.0"], "as": ["KS"]}
    assert act.refused(match, 0, "lay_off", meld=0, laid=foreign) == "groups_not_your_hand"


def test_c10_not_before_the_contract():
    match = drawing(scene("3H 8H", *OTHERS, table="4H 5H 6H 7H"))
    move = {"meld": 0, "laid": laid(match, 0, "3H")}
    assert act.refused(match, 0, "lay_off", **move) == "contract_not_met"
    assert act.refused(match, 0, "swap_joker", meld=0, card="3H", to="hand") == "contract_not_met"


def test_c11_a_joker_of_a_run_is_taken():
    match = after_contract("6H 2D 9D", "4H 5H PJ=6H 7H")
    match, happened = act.events(match, 0, "swap_joker", meld=0, card="6H", to="hand")
    assert happened == [
        {
            "kind": "swapped_joker",
            "seat": 0,
            "meld": 0,
            "card": "6H.0",
            "joker": "PJ.0",
            "to": "hand",
        }
    ]
    assert view(match)["melds"][0]["cards"][2] == "6H.0"
    assert view(match)["melds"][0]["by"] == [1, 1, 0, 1]
    assert "PJ.0" in own(match, 0)["hand"]


@pytest.mark.parametrize(("to", "place"), [("front", 0), ("back", -1)])
def test_c11_or_moved_to_an_end(to, place):
    match = after_contract("6H 2D 9D", "4H 5H PJ=6H 7H")
    match = act(match, 0, "swap_joker", meld=0, card="6H", to=to)
    meld = view(match)["melds"][0]
    assert meld["cards"][place] == "PJ.0"
    assert meld["as"] == (
        ["3H", "4H", "5H", "6H", "7H"] if to == "front" else ["4H", "5H", "6H", "7H", "8H"]
    )
    assert view(match)["players"]["0"]["cards"] == 3


def test_c11_not_beyond_the_ends():
    match = after_contract("3H QS 9D", "AH 2H PJ=3H 4H|JS PJ=QS KS AS")
    assert act.refused(match, 0, "swap_joker", meld=0, card="3H", to="front") == "does_not_fit"
    assert act.refused(match, 0, "swap_joker", meld=1, card="QS", to="back") == "does_not_fit"
    act(match, 0, "swap_joker", meld=1, card="QS", to="front")


def test_c11_jokers_of_sets_are_dead():
    match = after_contract("7H 2D 9D", "7S 7D PJ=7H|4H 5H 6H 7H")
    assert act.refused(match, 0, "swap_joker", meld=0, card="7H", to="hand") == "joker_is_dead"
    assert act.refused(match, 0, "swap_joker", meld=1, card="7H", to="hand") == "no_such_joker"
    assert act.refused(match, 0, "swap_joker", meld=5, card="7H", to="hand") == "no_such_meld"
    assert (
        act.refused(match, 0, "swap_joker", meld=0, card="KS", to="hand") == "groups_not_your_hand"
    )
    wild = after_contract("2H 9D", "4H 5H 2S=6H 7H|AD PJ=2D 3D 4D", rules=DEUCES)
    assert act.refused(wild, 0, "swap_joker", meld=0, card="2H", to="hand") == "no_such_joker"


def test_c12_the_last_card_is_laid_or_discarded():
    match = after_contract("8H", "4H 5H 6H 7H", next_closed="9H")
    both = act(match, 0, "lay_off", meld=0, laid=laid(match, 0, "8H 9H"))
    assert lost(both)[:2] == ("out", [0])
    one = act(match, 0, "lay_off", meld=0, laid=laid(match, 0, "8H"))
    assert lost(act(one, 0, "discard", card="9H"))[:2] == ("out", [0])


def test_c12_or_has_to_be_laid():
    rules = replace(USUAL, must_go_out_by_laying=True)
    match = after_contract("8H", "4H 5H 6H 7H", next_closed="9H", rules=rules)
    one = act(match, 0, "lay_off", meld=0, laid=laid(match, 0, "8H"))
    assert act.refused(one, 0, "discard", card="9H") == "wrong_step"
    assert lost(act(one, 0, "lay_off", meld=0, laid=laid(one, 0, "9H")))[0] == "out"
    unfit = after_contract("8H", "4H 5H 6H 7H", next_closed="KD", rules=rules)
    move = {"meld": 0, "laid": laid(unfit, 0, "8H")}
    assert act.refused(unfit, 0, "lay_off", **move) == "must_keep_a_discard"
    silent, happened = act.expire_events(one)
    assert kinds(happened)[:2] == ["missed_turn", "turn"]
    assert own(silent, 0)["hand"] == ["9H.0"]


def test_c13_a_card_from_the_open_pile_stays_for_the_turn():
    match = drawing(scene("8H 9D", *OTHERS, open_pile="KD"), source="open")
    assert act.refused(match, 0, "discard", card="KD") == "may_not_return_open_card"
    bound = drawing(
        scene("8H", *OTHERS, open_pile="KD", table="4H 5H 6H 7H", has_laid=(0,)), source="open"
    )
    move = {"meld": 0, "laid": laid(bound, 0, "8H")}
    assert act.refused(bound, 0, "lay_off", **move) == "must_keep_a_discard"
    free = replace(USUAL, may_return_open_card=True)
    act(
        drawing(scene("8H 9D", *OTHERS, open_pile="KD", rules=free), source="open"),
        0,
        "discard",
        card="KD",
    )


def test_c15_what_is_held():
    text = "PJ AS KD TH 9C 2D"
    cards = Packs().cards(text)
    assert [USUAL.points_of(card) for card in cards] == [25, 15, 10, 10, 9, 2]
    assert [DEUCES.points_of(card) for card in cards][-1] == 25
    fives = replace(USUAL, number_points="five", joker_points=15)
    assert [fives.points_of(card) for card in cards] == [15, 15, 10, 5, 5, 5]
    assert changed_player(scene("7H", "PJ AS"), 0, buys=1).deal.players[1].hand


def test_who_is_not_in_the_deal_may_do_nothing():
    match = scene("7H 4C", *OTHERS)
    assert GAME.core.legal(match, 5) == ()
    waiting = [move.kind for move in GAME.core.legal(match, 1)]
    assert waiting == ["never_buy", "arrange", "leave"]
    gone = act(match, 1, "leave")
    assert GAME.core.legal(gone, 1) == ()


def test_what_the_contract_lacks_stands_in_the_own_view_until_it_is_laid():
    match = scene(TWO_SETS, *OTHERS)
    assert [own(match, seat)["missing"] for seat in (0, 1, 2)] == [0, 4, 4]
    assert "missing" not in view(match)["players"]["1"]
    contract = melds(match, 0, "7H 7S 7D|QC QS QH")
    laid_down = act(drawing(match), 0, "contract", melds=contract)
    assert own(laid_down, 0)["missing"] is None
    # C4: the last contract takes the whole hand, with the card that is drawn.
    whole = scene("2H 3H 4H 5H 2S 3S 4S 5S 8D 9D TD JD", *OTHERS, number=7)
    assert own(whole, 0)["missing"] == 1
