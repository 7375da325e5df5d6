"""The strength of bots. The benches measure it over more deals (docs/testing.md, docs/bots.md)."""

import random
from typing import Any

import pytest

from bench import rummikub_agents
from bench.gin_agents import AGENTS, duel, report
from tests.games.driving import GAMES, bots_choosing, drive


@pytest.mark.parametrize(
    ("stronger", "weaker", "deals", "won"),
    [("medium", "easy", 100, 0.6), ("hard", "medium", 80, 0.5), ("hard", "rule", 80, 0.5),
     ("expert", "hard", 40, 0), ("expert", "rule", 40, 0)],
)  # fmt: skip
def test_gin(stronger, weaker, deals, won):
    found = duel(AGENTS[stronger], AGENTS[weaker], deals=deals, seed=6 if won == 0 else 3)
    assert found.won / found.scored > won
    assert found.points > found.lost


@pytest.mark.parametrize(("stronger", "won"), [("hard", 0.7), ("medium", 0.55)])
def test_rummikub(stronger, won):
    rules = GAMES["rummikub"].rules.usual
    found = rummikub_agents.duel(stronger, "easy", rules=rules, deals=16, seed=3)
    assert found.won / found.deals > won
    assert found.points > found.lost


@pytest.mark.parametrize(
    ("code", "preset", "stronger", "weaker", "deals", "won"),
    [
        ("indian", "points", "medium", "easy", 60, 0.55),
        ("indian", "points", "hard", "medium", 24, 0.6),
        ("basic", "points", "hard", "easy", 40, 0.6),
        ("five_hundred", "points", "hard", "easy", 50, 0.7),
        ("contract", "single", "hard", "easy", 30, 0.6),
    ],
)
def test_others(code, preset, stronger, weaker, deals, won):
    """Both sides play each deal."""
    game, wins = GAMES[code], 0
    rules = game.rules.preset(preset)
    for number in range(deals):
        seats = (0, 1) if number % 2 == 0 else (1, 0)
        choose = bots_choosing(game, {0: stronger, 1: weaker}, random.Random(number // 2))
        *_, last = drive(game, choose, rules=rules, seats=seats, seed=number // 2, toss=False)
        wins += game.core.status(last.match).result.winners == (0,)
    assert wins > deals * won


def test_duels_are_told(capsys):
    report(("medium", "easy"), duel(AGENTS["medium"], AGENTS["easy"], deals=4, seed=1))
    rules = GAMES["rummikub"].rules.usual
    found = rummikub_agents.duel("medium", "easy", rules=rules, deals=2, seed=1)
    rummikub_agents.report(("medium", "easy"), found)
    assert capsys.readouterr().out.count("medium against easy: ") == 2


@pytest.mark.parametrize(
    ("code", "preset", "seats"),
    [
        ("basic", "race100", 6),
        ("rummikub", "session4", 3),
        ("gin", "oklahoma100", 2),
        ("gin", "classic100", 2),
        ("indian", "pool61", 3),
        ("indian", "deals2", 3),
    ],
)
def test_whole_matches_of_bots_come_to_an_end(code, preset, seats):
    """So does one of Contract Rummy in test_cache_bounds.py."""
    game = GAMES[code]
    strengths: Any = dict(enumerate(["hard", "medium", "easy", "medium", "easy", "easy"][:seats]))
    choose = bots_choosing(game, strengths, random.Random(preset))
    *_, last = drive(game, choose, rules=game.rules.preset(preset), seats=range(seats), seed=3)
    assert game.core.status(last.match).deals >= 2
