"""The bots of Rummikub: their choices in given positions."""

import pytest

from games.engine.base import Strength
from games.rummikub.game import GAME
from tests.games.driving import bot_move
from tests.games.rummikub.scenes import act, rack, scene, view, with_rules

STRENGTHS: tuple[Strength, ...] = ("easy", "medium", "hard", "expert")


def test_a_hard_bot_lays_all_it_can():
    match = scene("4D 6D 2C", table="5S 5H 5D 5C|7D 8D 9D TD")
    assert rack(act(match, 0, **bot_move(GAME, match, 0, "hard")), 0) == ["2C"]


@pytest.mark.parametrize("strength", STRENGTHS)
def test_k5_a_bot_that_cannot_lay_draws_or_passes(strength):
    assert bot_move(GAME, scene("2C 9H"), 0, strength) == {"kind": "draw"}
    assert bot_move(GAME, scene("2C 9H", pool_size=0), 0, strength) == {"kind": "pass"}


@pytest.mark.parametrize("number", range(6))
def test_k5_no_bot_overlooks_a_lay_where_playing_is_mandatory(number):
    match = with_rules(scene("8H 2C", table="5H 6H 7H"), must_play=True)
    assert bot_move(GAME, match, 0, "easy", str(number))["kind"] == "lay"


def test_an_easy_bot_moves_nothing_that_lies():
    match = scene("4D 6D 2C", table="5S 5H 5D 5C|7D 8D 9D TD")
    for number in range(6):
        move = bot_move(GAME, match, 0, "easy", str(number))
        if move["kind"] == "lay":
            after = act(match, 0, **move)
            assert view(after)["last_lay"]["moved"] == []


def test_a_hard_bot_keeps_a_joker_that_brings_little():
    match = scene("8H PJ 2C 9S 4D", "KC KD KS QH 3D", table="5H 6H 7H")
    assert rack(act(match, 0, **bot_move(GAME, match, 0, "hard")), 0) == ["2C", "4D", "9S", "PJ"]
    # It lays the joker if another player is about to win, or if that wins.
    near = scene("8H PJ 2C 9S 4D", "KC KD", table="5H 6H 7H")
    assert "PJ" not in rack(act(near, 0, **bot_move(GAME, near, 0, "hard")), 0)
    winning = scene("8H PJ", "KC KD KS QH 3D", table="5H 6H 7H")
    assert rack(act(winning, 0, **bot_move(GAME, winning, 0, "hard")), 0) == []


def test_a_hard_bot_lays_a_joker_that_brings_much():
    match = scene("8H PJ KC KD 4D", "KC KD KS QH 3D", table="5H 6H 7H")
    assert "PJ" not in rack(act(match, 0, **bot_move(GAME, match, 0, "hard")), 0)


def test_an_expert_draws_instead_of_keeping_few_tiles():
    few = scene("8H 2C 4D", "KC KD KS QH 3D", table="5H 6H 7H")
    assert bot_move(GAME, few, 0, "hard")["kind"] == "lay"
    assert bot_move(GAME, few, 0, "expert") == {"kind": "draw"}
    # It lays if that wins, if it has many tiles, if the pool runs out, or if it must play.
    winning = scene("8H 9H", "KC KD KS QH 3D", table="5H 6H 7H")
    many = scene("8H 2C 4D 6S 9C KH AD TS", "KC KD KS QH 3D", table="5H 6H 7H")
    ending = scene("8H 2C 4D", "KC KD KS QH 3D", table="5H 6H 7H", pool_size=3)
    for match in (winning, many, ending, with_rules(few, must_play=True)):
        assert bot_move(GAME, match, 0, "expert")["kind"] == "lay"


def test_an_expert_lays_its_kept_tiles_before_the_deal_ends():
    match = scene("8H 2C 4D", "KC KD KS QH 3D", table="5H 6H 7H")
    late = with_rules(match, max_turns=5)
    assert bot_move(GAME, late, 0, "expert")["kind"] == "lay"
