"""Bots of basic rummy: what they do, that they know only what they see, and how strong they are."""

import random
import time
from typing import Any

import pytest
from msgspec.structs import replace

from games.basic.game import GAME
from games.basic.rules.ruleset import POINTS, PRESETS
from tests.games.basic.scenes import changed_player, drawing, scene
from tests.games.laid.driving import bot_view, bots_choosing, drive
from tests.given import the


def chosen(match: Any, seat: int, strength: Any = "hard", number: int = 0) -> dict[str, Any]:
    view = bot_view(GAME, match, seat)
    move: dict[str, Any] = GAME.bots(view, seat, strength=strength, rng=random.Random(number))
    return move


def test_hard_takes_the_card_that_makes_a_meld():
    match = scene("7H 7S KD 4C 2D", "QH 9C", open_pile="7D")
    assert chosen(match, 0) == {"kind": "draw", "source": "open"}
    assert chosen(scene("7H 7S KD 4C 2D", "QH 9C", open_pile="JD"), 0)["source"] == "closed"
    easy = {chosen(match, 0, "easy", number)["source"] for number in range(20)}
    assert easy == {"open", "closed"}


def test_hard_goes_out_with_the_open_card():
    match = scene("7H 7S", "QH 9C", open_pile="7D")
    assert chosen(match, 0) == {"kind": "draw", "source": "open"}


def test_an_empty_open_pile_is_not_drawn_from():
    match = scene("7H 7S", "QH 9C")
    empty = replace(match, deal=replace(match.deal, open_pile=()))
    assert chosen(empty, 0)["source"] == "closed"
    nothing_hidden = replace(empty, deal=replace(empty.deal, closed=empty.deal.closed))
    assert chosen(nothing_hidden, 0, "medium")["source"] == "closed"


def test_melds_then_lay_offs_then_the_discard():
    match = drawing(scene("7H 7S 7D 8C KD", "2H", table="5C 6C 7C", next_closed="9C"))
    move = chosen(match, 0)
    assert move["kind"] == "meld"
    match = GAME.core.play(
        match, 0, GAME.wire.read(move), now=match.deal.due_at, seed=bytes(32)
    ).state
    assert chosen(match, 0) == {"kind": "lay_off", "meld": 0, "cards": ["8C.0", "9C.0"]}


def test_one_meld_a_turn_is_the_dearest():
    rules = replace(POINTS, melds_a_turn=1)
    match = drawing(scene("7H 7S 7D KC KS KD 2C", "2H", next_closed="9C", rules=rules))
    assert chosen(match, 0) == {"kind": "meld", "groups": [["KS.0", "KD.0", "KC.0"]]}
    both = drawing(scene("7H 7S 7D KC KS", "2H", next_closed="KD", rules=rules))
    match = GAME.core.play(
        both, 0, GAME.wire.read(chosen(both, 0)), now=both.deal.due_at, seed=bytes(32)
    ).state
    assert chosen(match, 0)["kind"] == "discard"


def test_the_last_card_is_kept_for_the_discard():
    rules = replace(POINTS, must_discard_last=True)
    match = drawing(scene("7H 7S 7D", "2H", next_closed="7C", rules=rules))
    move = chosen(match, 0)
    assert [len(group) for group in move["groups"]] == [3]


def test_hard_keeps_what_the_next_player_collects():
    match = scene("JS 2C 3D", "KD KC 3S", "4H", next_closed="TH")
    match = drawing(changed_player(match, 1, taken=match.deal.players[1].hand[:1]))
    assert chosen(match, 0)["card"] != "KH.0"


def test_easy_forgets_to_lay_now_and_then():
    kinds = set()
    for last in ("9C", "TC", "8D", "JD", "QD", "3H", "4H", "9S"):
        match = drawing(scene("7H 7S 7D KC 2C", "2H", next_closed=last))
        kinds.add(chosen(match, 0, "easy")["kind"])
    assert kinds == {"meld", "discard"}


@pytest.mark.parametrize("name", sorted(PRESETS))
@pytest.mark.parametrize("players", [2, 4, 6])
def test_matches_of_bots_end(name, players):
    strengths: Any = dict(enumerate(["hard", "medium", "easy", "hard", "easy", "medium"][:players]))
    rules = replace(PRESETS[name], target=PRESETS[name].target and 30)
    choose = bots_choosing(GAME, strengths, random.Random(name))
    *_, last = drive(GAME, choose, rules=rules, seats=tuple(range(players)), seed=players)
    assert GAME.core.status(last.match).result is not None


def test_hard_beats_easy():
    """bench/laid_agents.py measures it over 500 deals; both sides play each deal."""
    won, deals = 0, 60
    for number in range(deals):
        seats = (0, 1) if number % 2 == 0 else (1, 0)
        choose = bots_choosing(GAME, {0: "hard", 1: "easy"}, random.Random(number // 2))
        *_, last = drive(GAME, choose, rules=POINTS, seats=seats, seed=number // 2, toss=False)
        won += the(GAME.core.status(last.match).result).winners == (0,)
    assert won > deals * 0.6


def test_a_move_takes_a_tenth_of_a_second_at_most():
    took = []
    for number in range(4):
        strengths: Any = dict.fromkeys(range(4), "hard")
        choose = bots_choosing(GAME, strengths, random.Random(number))

        def timed(match, now, choose=choose):
            began = time.process_time()
            move = choose(match, now)
            took.append(time.process_time() - began)
            return move

        for _ in drive(GAME, timed, rules=POINTS, seats=(0, 1, 2, 3), seed=number):
            pass
    assert len(took) > 100
    assert sorted(took)[len(took) * 95 // 100] < 0.1
