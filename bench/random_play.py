"""Measure how many moves per second players make who choose among the legal moves at random.

bin/bench random_play [seconds a rule set]
"""

import sys
import time
from typing import Any

from bench.play import begin, make_random, seed
from games.engine.game import Game
from games.registry import GAMES

GOAL = 500
# They end the deal or the match for the player, or prepare something.
_LEFT_OUT = frozenset({"leave", "drop", "arrange", "never_buy"})


def play_randomly(game: Game, rules: Any, seconds: float) -> tuple[int, float]:
    """Return the number of moves of two players, and the seconds of processor time."""
    rng, moves, matches = make_random(rules.name), 0, 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        name, matches = f"{rules.name}/{matches}", matches + 1
        outcome, now, dealt = begin(game, rules, range(2), name), 0, 1
        fresh = seed(name, 2)
        while outcome.status.result is None and time.process_time() - began < seconds:
            if outcome.status.deals > dealt:
                dealt = outcome.status.deals
                fresh = seed(name, dealt + 1)
            if not outcome.status.acting:
                now = max(now, outcome.status.deadline or now)
                outcome = game.core.expire(outcome.state, now=now, seed=fresh)
                continue
            seat = outcome.status.acting[0]
            legal = game.core.list_legal(outcome.state, seat)
            move = rng.choice([one for one in legal if one.kind not in _LEFT_OUT])
            outcome = game.core.play(outcome.state, seat, move, now=now, seed=fresh)
            moves += 1
    return moves, time.process_time() - began


def main() -> None:
    seconds = float(sys.argv[1]) if sys.argv[1:] else 5
    for game in GAMES.values():
        for number, preset in enumerate(game.rules.presets):
            moves, took = play_randomly(game, game.rules.preset(preset), seconds)
            rate = moves / took
            verdict = f" (goal {GOAL} {'reached' if rate >= GOAL else 'missed'})"
            print(f"{game.code}, {preset}: {rate:,.0f} moves/s{verdict if number == 0 else ''}")


if __name__ == "__main__":
    main()
