"""The bots and records of Contract Rummy."""

from typing import Any

from msgspec.structs import replace

from games.contract.game import GAME
from games.contract.lab.hand import HELP
from tests.games.contract.scenes import act, draw_card, scene
from tests.games.driving import bot_move
from tests.games.scenes import change_player, read_refusal

HAND = "7H 7S 4C 4D 9D KS 2C JD"


def test_hard_takes_and_buys_cards_that_the_contract_lacks():
    match = scene(HAND, HAND.replace("7S", "8S"), open_pile="7D")
    assert bot_move(GAME, match, 0)["source"] == "open"
    assert bot_move(GAME, scene(HAND, "3S", open_pile="TH"), 0)["source"] == "closed"
    asked = act(scene("3S 5D", HAND, open_pile="7D"), 0, "draw", source="closed")
    assert bot_move(GAME, asked, 1) == {"kind": "buy"}
    useless = act(scene("3S 5D", HAND, open_pile="TH"), 0, "draw", source="closed")
    assert bot_move(GAME, useless, 1) == {"kind": "pass"}
    easy = {bot_move(GAME, asked, 1, "easy", number)["kind"] for number in range(20)}
    assert easy == {"buy", "pass"}
    full = act(
        scene("3S", HAND + " 3D 3C 5H 6C 8C TC QC", open_pile="7D"), 0, "draw", source="closed"
    )
    assert bot_move(GAME, full, 1) == {"kind": "pass"}


def test_no_open_card():
    match = scene(HAND, "3S")
    empty = replace(match, deal=replace(match.deal, open_pile=()))
    assert bot_move(GAME, empty, 0)["source"] == "closed"


def test_the_contract_then_lay_offs():
    match = draw_card(scene("7H 7S 7D 4C 4D 4S 9D KS", "3S", next_closed="KD"))
    assert bot_move(GAME, match, 0)["kind"] == "contract"
    assert {bot_move(GAME, match, 0, "easy", n)["kind"] for n in range(3)} <= {
        "contract",
        "discard",
    }
    laid = draw_card(scene("8H KS 3H", "2D", table="4H 5H 6H 7H", has_laid=(0,), next_closed="JD"))
    assert bot_move(GAME, laid, 0) == {
        "kind": "lay_off",
        "meld": 0,
        "laid": {"cards": ["8H.0"], "as": ["8H"]},
    }
    nothing = draw_card(scene("TC KS", "2D", table="4H 5H 6H 7H", has_laid=(0,), next_closed="JD"))
    assert bot_move(GAME, nothing, 0)["kind"] == "discard"
    joker = draw_card(scene("6H KS", "2D", table="4H 5H PJ=6H 7H", has_laid=(0,), next_closed="JD"))
    assert bot_move(GAME, joker, 0) == {
        "kind": "swap_joker",
        "meld": 0,
        "card": "6H.0",
        "to": "front",
    }
    low = draw_card(
        scene("3H KS", "2D", table="AH 2H PJ=3H 4H|7H 7S 7D", has_laid=(0,), next_closed="JD")
    )
    assert bot_move(GAME, low, 0)["to"] == "back"
    whole = " ".join(f"{rank}H" for rank in "A23456789TJQ") + " PJ=KH AH"
    full = draw_card(scene("KH 3S", "2D", table=whole, has_laid=(0,), next_closed="JD"))
    assert bot_move(GAME, full, 0)["kind"] == "discard"  # the joker fits nowhere else
    takes = scene("6C KS", "2D", table="4H 5H 6H 7H", has_laid=(0,), open_pile="8H")
    assert bot_move(GAME, takes, 0)["source"] == "open"
    now = change_player(draw_card(scene("8H KS", "2D", table="4H 5H 6H 7H")), 0, laid_in=1)
    now = replace(now, deal=replace(now.deal, laid=2))
    assert bot_move(GAME, now, 0)["kind"] == "discard"


def test_a_lay_off_leaves_a_card_that_may_go():
    """The card just taken must not be discarded. It is laid off first, as its twin would take its only place."""
    table = "3H 4H 5H 6H 7H 8H"
    match = scene("2H", "KS 9D", table=table, has_laid=(0,), open_pile="2H")
    taken = act(match, 0, "draw", source="open")
    laid = {"cards": ["2H.1"], "as": ["2H"]}
    assert bot_move(GAME, taken, 0) == {"kind": "lay_off", "meld": 0, "laid": laid}


def test_jokers_are_not_thrown():
    only = draw_card(scene("PJ", "2D", "3D", next_closed="PJ"))
    assert bot_move(GAME, only, 0)["kind"] == "discard"
    assert bot_move(GAME, draw_card(scene("PJ 3H", "2D", next_closed="9C")), 0)["card"] != "PJ.0"


def test_a_bound_card_keeps_the_contract_in_hand():
    match = draw_card(scene("7H 7S 4C 4D 4S", "3S", open_pile="7D"), source="open")
    assert bot_move(GAME, match, 0)["kind"] == "contract"
    bound = draw_card(scene("7H 7S 7D 4C 4D 4S", "3S", open_pile="9D"), source="open")
    assert bot_move(GAME, bound, 0)["kind"] == "discard"


def test_help_with_the_contract():
    match = draw_card(scene("7H 7S 7D 4C 4D 4S 9D KS", "3S 5H", next_closed="KD"))
    said: Any = HELP.answer(match, 0, {"kind": "arrange"})
    assert (said["missing"], [len(meld["cards"]) for meld in said["melds"]]) == (0, [3, 3])
    done = act(match, 0, "contract", melds=said["melds"])
    other = HELP.answer(done, 1, {"kind": "arrange"})
    assert (other["missing"], other["melds"]) == (4, None)
    whole = scene("2C 3C 4C 5C 6H 7H 8H 9H JD QD KD AD", "3S", number=7, next_closed="6C")
    assert HELP.answer(whole, 0, {"kind": "arrange"})["missing"] == 1
    assert HELP.answer(draw_card(whole), 0, {"kind": "arrange"})["missing"] == 0
    assert read_refusal(HELP.answer, done, 0, {"kind": "arrange"}) == "no_such_help"
