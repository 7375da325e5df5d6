"""The expert of basic rummy: sampled worlds, playouts and choices."""

import random
from typing import Any

from games.analysis.judging import Option
from games.analysis.laid import read_known
from games.basic.bots.playouts import BasicPlayouts, mask_of, runs_of
from games.basic.game import GAME
from games.basic.rules.ruleset import POINTS
from games.engine.core import PACK
from tests.games.basic.scenes import draw_card, scene
from tests.games.driving import bot_move, bot_view
from tests.games.values import replace


def make_playouts(rules: Any = POINTS) -> BasicPlayouts:
    return BasicPlayouts(rules, random.Random(1))


def build_known(match: Any, seat: int = 0) -> Any:
    return read_known(bot_view(GAME, match, seat), seat, lambda _players: PACK)


def play_out(match: Any, option: Option, rules: Any = POINTS) -> list[float]:
    """Play out an option of seat 0 with the real hands and deck. Return each seat's net points."""
    playouts, position = make_playouts(rules), build_known(match).position
    position.hands = [list(player.hand) for player in match.deal.players]
    position.closed = list(match.deal.closed)
    return playouts.play_out(playouts.state(position), option, 0)


# --- Worlds.


def test_the_others_hold_no_meld_that_they_would_have_laid():
    playouts, rng = make_playouts(), random.Random(2)
    world = build_known(scene("7H 7S KD 4C 2D", "QH 9C 3S 8D 5C")).sample_world(rng, playouts)
    hand, spare = playouts.split_hand([0, 1, 2, 20, 35, 46], certain=1, size=5, has_laid=False)
    assert playouts.find_melds(mask_of(world.hands[1]))[0] == 0
    assert sorted([*hand, *spare]) == [0, 1, 2, 20, 35, 46]
    assert playouts.find_melds(mask_of(hand))[0] == 0
    assert 0 in hand


# --- Playouts.


def test_playouts_lay_the_melds_with_the_most_points():
    hand = scene("7H 7S 7D 8D 9D KC", "2H").deal.players[0].hand
    assert make_playouts().find_melds(mask_of(hand))[0] == 24
    high = scene("QH KH AH", "2H").deal.players[0].hand
    assert make_playouts().find_melds(mask_of(high))[0] == 0
    assert make_playouts(replace(POINTS, ace="both")).find_melds(mask_of(high))[0] == 21
    assert runs_of(ace_high=False) is not runs_of(ace_high=True)


def test_b9_going_rummy_is_paid_double():
    match = draw_card(scene("7H 7S 7D", "KH QC", next_closed="9C"))
    assert play_out(match, Option("lay")) == [40, -40]
    before = draw_card(scene("8C 2D", "KH QC", table="5C 6C 7C", next_closed="9C"))
    single = replace(POINTS, rummy_factor=1)
    assert play_out(before, Option("lay"), single) == [20, -20]


def test_b8_playouts_keep_a_card_to_discard():
    rules = replace(POINTS, must_discard_last=True)
    match = draw_card(scene("7H 7S 7D", "KH QC 2C 3D", next_closed="7C", rules=rules))
    playouts, position = make_playouts(rules), build_known(match).position
    state = playouts.state(position)
    assert playouts.lay(state) is None
    assert state.hands[0] == mask_of(position.hands[0])


# --- Choices.


def test_the_expert_goes_out():
    match = draw_card(scene("7H 7S 7D", "KH QC", next_closed="9C"))
    assert bot_move(GAME, match, 0, "expert")["kind"] == "meld"
    match = scene("7H 7S", "QH 9C", open_pile="7D")
    assert bot_move(GAME, match, 0, "expert") == {"kind": "draw", "source": "open"}


def test_the_expert_throws_no_card_that_lets_the_next_player_go_out():
    """The opponent has only the two kings that it took, so a third one would end the deal."""
    match = scene("KS TH 2C 3D", "KH KD", next_closed="9S", open_pile="4S")
    taker = replace(match.deal.players[1], taken=match.deal.players[1].hand)
    match = replace(match, deal=replace(match.deal, players=(match.deal.players[0], taker)))
    assert bot_move(GAME, draw_card(match), 0, "expert")["card"] != "KS.0"
