"""The strength of bots. The benchmarks measure it over more deals (docs/benchmarks.md, docs/bots.md)."""

import random

import pytest

from bench.arena import duel, line
from tests.effort import share_of
from tests.games.driving import GAMES, drive, make_bot_chooser


@pytest.mark.parametrize(
    ("code", "stronger", "weaker", "deals", "won", "seed"),
    [("gin", "medium", "easy", 50, 0.6, 6), ("gin", "hard", "medium", 40, 0.5, 6), ("gin", "hard", "rule", 40, 0.5, 6),
     # Chance outweighs the expert's points in many a sample of so few deals; bench/arena.py measures them.
     ("gin", "expert", "hard", 20, 0, 8), ("gin", "expert", "rule", 20, 0, 6),
     ("rummikub", "hard", "easy", 8, 0.7, 6), ("rummikub", "medium", "easy", 8, 0.55, 6),
     ("rummikub", "expert", "hard", 10, 0.5, 6)],
)  # fmt: skip
def test_a_stronger_bot_wins_more_points(code, stronger, weaker, deals, won, seed):
    rules = GAMES[code].rules.preset("points")
    found = duel(GAMES[code], rules, stronger, weaker, deals=share_of(deals), seed=seed)
    assert found.share > won
    assert found.net > 0


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
def test_a_stronger_bot_wins_more_deals(code, preset, stronger, weaker, deals, won):
    """Each deal is played twice, with the bots on either side."""
    game, wins = GAMES[code], 0
    rules = game.rules.preset(preset)
    deals = share_of(deals)
    for number in range(deals):
        seats = (0, 1) if number % 2 == 0 else (1, 0)
        choose = make_bot_chooser(game, {0: stronger, 1: weaker}, random.Random(number // 2))
        *_, last = drive(game, choose, rules=rules, seats=seats, seed=number // 2, toss=False)
        wins += game.core.status(last.match).result.winners == (0,)
    assert wins > deals * won


def test_a_duel_plays_each_deal_from_every_seat_and_is_reported():
    rules = GAMES["indian"].rules.preset("points")
    found = duel(GAMES["indian"], rules, "medium", "easy", deals=2, seed=1, seats=3)
    assert (found.played, len(found.nets)) == (6, 2)
    told = line("indian", "medium", "easy", 3, found)
    assert told.startswith(f"| indian | medium against easy | 3 | 6 | {found.share:.1%} ± ")
    assert "goal of 60%" not in told
    assert 0 <= found.share <= 1
    beaten = duel(
        GAMES["gin"], GAMES["gin"].rules.preset("points"), "easy", "hard", deals=8, seed=1
    )
    assert beaten.share < 0.6
    assert "goal of 60% missed" in line("gin", "hard", "easy", 2, beaten)
    same = duel(GAMES["indian"], rules, "medium", "medium", deals=2, seed=1, seats=2)
    assert same.moves == sum(map(len, same.seconds.values()))
