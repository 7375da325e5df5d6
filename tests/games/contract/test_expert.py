"""The expert of Contract Rummy: sampled worlds, playouts and choices."""

import random

import pytest

from games.analysis.judging import Option
from games.analysis.laid import read_known
from games.contract.bots.playouts import ContractPlayouts
from games.contract.game import GAME
from games.contract.rules.missing import find_missing, find_missing_of_whole
from games.contract.rules.ruleset import PRESETS, USUAL
from tests.games.contract.scenes import SINGLE, scene
from tests.games.driving import bot_move, bot_view


@pytest.mark.parametrize("rules", [USUAL, PRESETS["deuces_wild"]], ids=["jokers", "deuces"])
def test_playouts_never_underestimate_the_missing_cards(rules):
    rng, exact = random.Random(1), 0
    deck = rules.deck(4)
    for number, contract in enumerate(rules.contracts, 1):
        is_whole = rules.is_whole_hand(number)
        playouts = ContractPlayouts(rules, contract, is_whole, rng)
        for _ in range(60):
            hand = rng.sample(deck, 13)
            told = playouts.measure_need(hand).lacking
            lacking = (
                find_missing_of_whole(hand, len(contract), len(hand), rules)
                if is_whole
                else find_missing(hand, contract, rules)
            ).lacking
            assert told >= lacking
            exact += told == lacking
    assert exact > 7 * 60 * 0.7


def test_expected_points_of_all_seats_sum_to_zero():
    match = scene("2H 3H 4H 5H 9S 9D KC", "2S 7D JC QC", "3D", rules=SINGLE)
    known = read_known(bot_view(GAME, match, 0), 0, SINGLE.deck)
    playouts = ContractPlayouts(SINGLE, match.deal.contract, match.deal.is_whole, random.Random(1))
    state = playouts.state(known.sample_world(random.Random(1), playouts))
    nets = playouts.estimate_nets(state)
    assert sum(nets) == pytest.approx(0)
    assert nets[0] > nets[1]
    assert sum(playouts.play_out(state, Option("closed"), 0)) == pytest.approx(0)


def test_the_expert_takes_the_card_that_completes_its_contract():
    match = scene("9H 9S KD KC 4C 2D 7H", "QH TC 3S", open_pile="9D")
    assert bot_move(GAME, match, 0, "expert") == {"kind": "draw", "source": "open"}


def test_the_expert_keeps_the_cards_of_its_contract():
    hand = "9H 9S 9D KD KC 4C 2D QH"
    match = scene(hand, "QH TC 3S 5S 6D 7D JH 4H 8C AC", open_pile="5D")
    move = GAME.wire.read({"kind": "draw", "source": "open"})
    match = GAME.core.play(match, 0, move, now=0, seed=bytes(32)).state
    thrown = bot_move(GAME, match, 0, "expert")
    assert thrown["kind"] == "discard"
    assert thrown["card"][0] not in "9K"
