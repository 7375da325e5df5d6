"""How strong the bots of Indian rummy are, and how long they think: the table of docs/bots.md.

    python -m bench.bots --seconds 60
    python -m bench.bots --seconds 120 --first expert --second older --seats 2 4 6

Every strength against every weaker one, against the simple players of `bench/baselines.py` and
against the hard bot as it was before (`older`, bench/older_bots.py): one player of the first kind
among players of the second, each deal once with every seat for the first. A pair takes so many
seconds of processor time. Net points a deal (in a pool: matches won alone count), with the 95 %
interval of the mean over the deals.
"""

import argparse
from functools import partial

from bench import older_bots
from bench.baselines import BASELINES
from bench.duplicates import Chooser, Measured, measure
from games.engine.base import STRENGTHS, Strength
from games.indian.bots import choose as bots
from games.indian.rules.ruleset import PRESETS

GOAL_P95_MS = 100
GOAL_P50_MS = 20


def _bot(strength: Strength) -> Chooser:
    return lambda view, seat, rng: bots.choose(view, seat, strength=strength, rng=rng)


AGENTS: dict[str, Chooser] = {
    **{strength: _bot(strength) for strength in STRENGTHS},
    "older": partial(older_bots.choose, strength="hard"),
    **BASELINES,
}


def pairs(first: str | None, second: str | None) -> list[tuple[str, str]]:
    found = [
        (one, other)
        for place, one in enumerate(STRENGTHS)
        for other in (*STRENGTHS[:place][::-1], "older", *BASELINES)
    ][::-1]
    if first and second:
        return [(first, second)]
    return [pair for pair in found if first in (None, pair[0]) and second in (None, pair[1])]


def line(first: str, second: str, seats: int, measured: Measured) -> str:
    took = sorted(measured.seconds[0])
    p50, p95 = (took[len(took) * part // 100] * 1000 for part in (50, 95))
    return (
        f"| {first} against {second} | {seats} | {measured.matches} | {measured.net:+.1f} "
        f"± {measured.margin:.1f} | {measured.share:.1%} ± {measured.share_margin:.1%} | "
        f"{p50:.1f} / {p95:.1f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--first", choices=AGENTS)
    parser.add_argument("--second", choices=AGENTS)
    parser.add_argument("--seats", type=int, nargs="*", default=[2])
    parser.add_argument("--format", choices=sorted(PRESETS), default="points")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| pair | seats | deals | net points a deal | won | ms a move, p50 / p95 |")
    print("|---|---|---|---|---|---|")
    for seats in given.seats:
        for first, second in pairs(given.first, given.second):
            measured = measure(
                AGENTS[first],
                AGENTS[second],
                rules=PRESETS[given.format],
                seats=seats,
                seed=given.seed,
                seconds=given.seconds,
            )
            print(line(first, second, seats, measured), flush=True)


if __name__ == "__main__":
    main()
