"""Bots play whole deals of Rummikub by what a seat sees, and only that."""

import random
from typing import Any

import pytest

from bench.rummikub_agents import Duel, duel, report
from games.engine.base import Strength
from games.rummikub.game import GAME
from games.rummikub.rules.ruleset import POINTS, PRESETS
from tests.games.rummikub.driving import bot_match, bot_view
from tests.games.rummikub.scenes import act, rack, scene, view, with_rules
from tests.games.rummikub.test_laws import scrambled

STRENGTHS: tuple[Strength, ...] = ("easy", "medium", "hard")  # `expert` plays as `hard`


def chosen(match: Any, strength: Strength, name: str = "same") -> dict[str, Any]:
    rng = random.Random(name)
    return GAME.bots(bot_view(match, 0), 0, strength=strength, rng=rng)


def test_hard_beats_easy():
    """500 deals: `python -m bench.rummikub_agents hard easy` (docs/testing.md)."""
    found = duel("hard", "easy", rules=POINTS, deals=30, seed=3)
    assert found.won / found.deals > 0.7
    assert found.points > found.lost


def test_medium_beats_easy():
    found = duel("medium", "easy", rules=POINTS, deals=30, seed=3)
    assert found.won / found.deals > 0.55


def test_a_duel_is_told(capsys):
    report(("medium", "easy"), duel("medium", "easy", rules=POINTS, deals=2, seed=1))
    assert "medium against easy: " in capsys.readouterr().out
    assert Duel().deals == 0


@pytest.mark.parametrize("name", ["points", "modern", "session4"])
def test_bots_play_whole_matches(name):
    *_, last = bot_match("easy", "medium", "hard", seed=3, rules=PRESETS[name])
    result = GAME.core.status(last.match).result
    assert result is not None
    assert GAME.core.status(last.match).deals == PRESETS[name].deals


@pytest.mark.parametrize("strength", STRENGTHS)
def test_k18_a_bot_moves_by_what_its_seat_sees(strength):
    compared = 0
    for number, step in enumerate(bot_match("medium", "medium", seed=5)):
        for seat in GAME.core.status(step.match).acting:
            other = scrambled(step.match, seat, f"{number}")
            seen = [bot_view(match, seat) for match in (step.match, other)]
            first, second = (
                GAME.bots(one, seat, strength=strength, rng=random.Random(number)) for one in seen
            )
            assert first == second
            compared += 1
    assert compared > 20


def test_a_hard_bot_lays_all_it_can():
    match = scene("4D 6D 2C", table="5S 5H 5D 5C|7D 8D 9D TD")
    assert rack(act(match, 0, **chosen(match, "hard")), 0) == ["2C"]


@pytest.mark.parametrize("strength", STRENGTHS)
def test_k5_what_cannot_be_laid_is_drawn_for_or_passed(strength):
    assert chosen(scene("2C 9H"), strength) == {"kind": "draw"}
    assert chosen(scene("2C 9H", pool_size=0), strength) == {"kind": "pass"}


@pytest.mark.parametrize("number", range(6))
def test_k5_where_one_must_play_nobody_overlooks_it(number):
    match = with_rules(scene("8H 2C", table="5H 6H 7H"), must_play=True)
    assert chosen(match, "easy", str(number))["kind"] == "lay"


def test_an_easy_bot_moves_nothing_that_lies():
    match = scene("4D 6D 2C", table="5S 5H 5D 5C|7D 8D 9D TD")
    for number in range(6):
        move = chosen(match, "easy", str(number))
        if move["kind"] == "lay":
            after = act(match, 0, **move)
            assert view(after)["last_lay"]["moved"] == []


def test_a_hard_bot_keeps_a_joker_that_brings_little():
    match = scene("8H PJ 2C 9S 4D", "KC KD KS QH 3D", table="5H 6H 7H")
    assert rack(act(match, 0, **chosen(match, "hard")), 0) == ["2C", "4D", "9S", "PJ"]
    # Not when somebody else is about to win, or when it wins.
    near = scene("8H PJ 2C 9S 4D", "KC KD", table="5H 6H 7H")
    assert "PJ" not in rack(act(near, 0, **chosen(near, "hard")), 0)
    winning = scene("8H PJ", "KC KD KS QH 3D", table="5H 6H 7H")
    assert rack(act(winning, 0, **chosen(winning, "hard")), 0) == []


def test_a_hard_bot_lays_a_joker_that_brings_much():
    match = scene("8H PJ KC KD 4D", "KC KD KS QH 3D", table="5H 6H 7H")
    assert "PJ" not in rack(act(match, 0, **chosen(match, "hard")), 0)
