"""The bots of gin: their choices in given positions."""

from collections import Counter
from itertools import pairwise

import pytest
from msgspec.structs import replace

from games.engine.base import Strength
from games.gin.game import GAME
from games.gin.rules.ruleset import POINTS, PRESETS
from games.gin.rules.state import Phase
from tests.games.driving import bot_move, play_bots
from tests.games.gin.scenes import GIN_HAND, NOTHING, TEN, TWO, act, draw_card, scene, turn_of, view
from tests.games.scenes import groups

STRENGTHS: tuple[Strength, ...] = ("easy", "medium", "hard", "expert")
STRONG = pytest.mark.parametrize("strength", STRENGTHS[2:])


@pytest.mark.parametrize("pair", [*pairwise(STRENGTHS), ("hard", "hard")])
def test_bots_end_their_deals(pair):
    ends = Counter(
        view([*play_bots(GAME, *pair, seed=seed)][-1].match)["result"]["how"] for seed in range(12)
    )
    assert ends.total() == 12
    assert ends["dead"] == 0


@pytest.mark.parametrize("strength", STRENGTHS)
def test_g10_a_bot_answers_as_well_as_can_be(strength):
    match = draw_card(scene(TWO, "KH 4H 8H 8D QD|9C 9S 7C 6S AD", next_closed="2H"))
    match = act(match, 0, "knock", card="2H", groups="5H 6H 7H|KS KD KC|9D TD JD")
    move = bot_move(GAME, match, 1, strength)
    match = act(match, 1, **move)
    assert view(match)["result"]["hands"][1]["deadwood"] == 32


@STRONG
def test_a_strong_bot_knocks_with_gin_and_big_gin_where_it_is_played(strength):
    match = draw_card(scene(GIN_HAND, NOTHING, next_closed="2H"))
    assert bot_move(GAME, match, 0, strength)["card"] == "2H.0"
    match = draw_card(scene(GIN_HAND, NOTHING, next_closed="KH"))
    assert bot_move(GAME, match, 0, strength)["card"] is None
    classic = replace(match, rules=PRESETS["classic"])
    assert bot_move(GAME, classic, 0, strength)["card"] is not None


@STRONG
def test_a_strong_bot_does_not_knock_into_an_undercut(strength):
    """The bot knows nine cards of the opponent, all melded, so a knock with ten would be undercut."""
    match = draw_card(scene(TEN, "QH QS QD|8C 9C TC|JH JD JS|AD", next_closed="KH"))
    other = match.deal.players[1]
    taken = tuple(card for card in other.hand if str(card) != "AD.0")
    match = replace(match, deal=match.deal.with_player(replace(other, taken=taken)))
    assert bot_move(GAME, match, 0, strength)["kind"] == "discard"
    fresh = draw_card(scene(TEN, NOTHING, next_closed="KH"))
    assert bot_move(GAME, fresh, 0, "hard")["kind"] == "knock"


def test_a_hard_bot_takes_the_card_that_lets_it_knock():
    match = scene("5H 6H|KS KD KC|9D TD JD|AS 9C", NOTHING.replace("9C", "9S"), open_pile="7H")
    assert bot_move(GAME, match, 0, "hard") == {"kind": "draw", "source": "open"}


def test_g4_bots_answer_the_upcard():
    useless = scene(NOTHING, TEN, open_pile="KH", phase=Phase.UPCARD)
    for strength in STRENGTHS:
        assert bot_move(GAME, useless, 0, strength) == {"kind": "pass"}
    match = act(act(useless, 0, "pass"), 1, "pass")
    for strength in STRENGTHS:
        assert bot_move(GAME, match, 0, strength) == {"kind": "draw", "source": "closed"}


@pytest.mark.parametrize("strength", STRENGTHS)
def test_g5_a_bot_never_returns_the_open_card(strength):
    match = act(scene(NOTHING, TEN, open_pile="KH"), 0, "draw", source="open")
    for name in range(10):
        assert bot_move(GAME, match, 0, strength, str(name))["card"] != "KH.0"
    rules = replace(POINTS, may_return_open_card=True)
    lone = scene(TWO, NOTHING, open_pile="8C", rules=rules)
    match = act(lone, 0, "draw", source="open")
    assert bot_move(GAME, match, 0, "hard")["card"] == "8C.0"


def test_a_hard_bot_throws_nothing_that_the_other_collects():
    """Two discards are equally good for its own hand, but the opponent has taken two eights."""
    match = draw_card(
        scene(
            "2H 3H 4H|6S 6D 6C|JC JD|TS 8D",
            "8C 8S 2C 3D 4S 5C KD KS QD QH",
            open_pile="9C",
            next_closed="TH",
        )
    )
    other = match.deal.players[1]
    match = replace(match, deal=match.deal.with_player(replace(other, taken=groups("8C 8S")[0])))
    assert bot_move(GAME, match, 0, "hard")["card"] != "8D.0"


def test_bots_of_one_seat_play_from_either_side():
    match = turn_of(scene(NOTHING, TEN), 1)
    assert bot_move(GAME, match, 1, "hard")["kind"] == "draw"


@STRONG
def test_a_strong_bot_plays_on_when_every_card_is_known(strength):
    """The deck ends without a wall, and the opponent has taken its whole hand from the open pile."""
    rules = replace(POINTS, wall=0)
    match = draw_card(scene(NOTHING, TEN, closed_count=1, rules=rules))
    other = match.deal.players[1]
    match = replace(match, deal=match.deal.with_player(replace(other, taken=other.hand)))
    assert bot_move(GAME, match, 0, strength)["kind"] == "discard"
