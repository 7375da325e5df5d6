"""Duels between the bots of basic and Contract Rummy, and how long they think.

    python -m bench.laid_agents basic hard easy --deals 500 --seed 1
    python -m bench.laid_agents contract hard easy --deals 500 --seed 1

A deal is a whole match for points (`points` of basic, `single` of Contract Rummy). Both sides play
each deal: the cards are dealt twice, with the seats changed.
"""

import argparse
import hashlib
import math
import random
import time
from typing import Any, cast

from games.basic.game import GAME as BASIC
from games.contract.game import GAME as CONTRACT
from games.engine.base import STRENGTHS, Strength

GAMES: dict[str, tuple[Any, str]] = {"basic": (BASIC, "points"), "contract": (CONTRACT, "single")}
GOAL_MS = 100


def played(
    game: Any, rules: Any, strengths: dict[int, Strength], order: tuple[int, int], name: str
) -> tuple[Any, dict[int, list[float]]]:
    """The result, and the seconds of processor time of each decision by seat."""
    rng = random.Random(name)  # noqa: S311 - the same deal for the same seed
    seed = hashlib.sha256(name.encode()).digest()
    match = game.core.start(rules=rules, seats=order, toss=False, seed=seed, now=0).state
    took: dict[int, list[float]] = {0: [], 1: []}
    now = 0
    while (result := game.core.status(match).result) is None:
        seat = game.core.status(match).acting[0]
        view = {
            "public": game.view.public(match),
            "you": game.view.private(match, seat),
            "rules": game.rules.json(rules),
        }
        began = time.process_time()
        wire = game.bots(view, seat, strength=strengths[seat], rng=rng)
        took[seat].append(time.process_time() - began)
        now += 1_000
        match = game.core.play(match, seat, game.wire.read(wire), now=now, seed=seed).state
    return result, took


def main() -> None:
    names = STRENGTHS
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("first", choices=names)
    parser.add_argument("second", choices=names)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game, preset = GAMES[given.game]
    strengths = cast("dict[int, Strength]", {0: given.first, 1: given.second})
    won, moves, seconds = 0.0, 0, {0: [0.0], 1: [0.0]}
    for number in range(given.deals):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        name = f"{given.seed}/{number // 2}"
        result, took = played(game, game.rules.preset(preset), strengths, order, name)
        won += (0 in result.winners) / len(result.winners)
        moves += sum(map(len, took.values()))
        for seat in seconds:
            seconds[seat] += took[seat]
    share = won / given.deals
    margin = 1.96 * math.sqrt(share * (1 - share) / given.deals)
    print(
        f"{given.game}: {given.first} against {given.second}: {share:.1%} of {given.deals} deals "
        f"won (95 % of such runs are within {margin:.1%} of the truth), "
        f"{moves / given.deals:.1f} moves a deal"
    )
    for seat, strength in strengths.items():
        ordered = sorted(seconds[seat])
        late = ordered[len(ordered) * 95 // 100] * 1000
        verdict = "reached" if late <= GOAL_MS else "missed"
        print(
            f"  {strength}: p95 {late:.1f} ms a move (goal {GOAL_MS} ms {verdict}), "
            f"longest {ordered[-1] * 1000:.0f} ms of processor time"
        )


if __name__ == "__main__":
    main()
