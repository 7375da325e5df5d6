"""How strong the bots of Rummikub are, and how long they take: duels of two at one table.

    python -m bench.rummikub_agents hard easy --deals 500 --seed 1

Both sides play each deal: the tiles are dealt twice, with the seats changed.
"""

import argparse
import hashlib
import math
import random
import time
from dataclasses import dataclass, field

from games.engine.base import Result, Strength
from games.rummikub.game import GAME as RUMMIKUB
from games.rummikub.rules.ruleset import PRESETS, RummikubRules

STRENGTHS: tuple[Strength, ...] = ("easy", "medium", "hard")


@dataclass
class Duel:
    """The results of the first of the two."""

    deals: int = 0
    won: float = 0.0
    points: int = 0
    lost: int = 0
    moves: int = 0
    seconds: dict[int, list[float]] = field(default_factory=lambda: {0: [], 1: []})


def duel(first: Strength, second: Strength, *, rules: RummikubRules, deals: int, seed: int) -> Duel:
    """Play a number of deals. Each pair has the same tiles with the seats exchanged."""
    total = Duel()
    for number in range(deals):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        result = _played((first, second), order, rules, f"{seed}/{number // 2}", total)
        total.deals += 1
        total.won += (0 in result.winners) / len(result.winners)
        total.points += result.points[1]
        total.lost += result.points[0]
    return total


def _played(
    strengths: tuple[Strength, Strength],
    order: tuple[int, int],
    rules: RummikubRules,
    name: str,
    total: Duel,
) -> Result:
    rng = random.Random(name)  # noqa: S311 - the same deal for the same seed
    seed = hashlib.sha256(name.encode()).digest()
    match = RUMMIKUB.core.start(rules=rules, seats=order, toss=False, seed=seed, now=0).state
    now = 0
    while (result := RUMMIKUB.core.status(match).result) is None:
        (seat,) = RUMMIKUB.core.status(match).acting
        view = {
            "public": RUMMIKUB.view.public(match),
            "you": RUMMIKUB.view.private(match, seat),
            "rules": RUMMIKUB.rules.json(match.rules),
        }
        began = time.process_time()
        wire = RUMMIKUB.bots(view, seat, strength=strengths[seat], rng=rng)
        total.seconds[seat].append(time.process_time() - began)
        total.moves += 1
        now += 1_000
        match = RUMMIKUB.core.play(match, seat, RUMMIKUB.wire.read(wire), now=now, seed=seed).state
    ended: Result = result
    return ended


def report(names: tuple[str, str], total: Duel) -> None:
    share = total.won / total.deals
    margin = 1.96 * math.sqrt(share * (1 - share) / total.deals)
    print(
        f"{names[0]} against {names[1]}: {share:.1%} of {total.deals} deals won "
        f"(95 % of such runs are within {margin:.1%} of the truth), "
        f"points {total.points} to {total.lost}, {total.moves / total.deals:.1f} moves a deal"
    )
    for seat, name in enumerate(names):
        took = sorted(total.seconds[seat])
        print(
            f"  {name}: {sum(took) / len(took) * 1000:.2f} ms a move, "
            f"p95 {took[len(took) * 95 // 100] * 1000:.1f} ms, "
            f"longest {took[-1] * 1000:.1f} ms of processor time"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", choices=STRENGTHS)
    parser.add_argument("second", choices=STRENGTHS)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", choices=PRESETS, default="points")
    given = parser.parse_args()
    rules = PRESETS[given.rules]
    total = duel(given.first, given.second, rules=rules, deals=given.deals, seed=given.seed)
    report((given.first, given.second), total)


if __name__ == "__main__":
    main()
