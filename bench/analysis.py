"""Measure the losses and the luck that the analysis of a deal reports (docs/analysis.md).

    python -m bench.analysis losses --deals 60            # by strength, and of the policy itself
    python -m bench.analysis luck --deals 1000 --effort 0.2
    python -m bench.analysis luck --deals 150
    python -m bench.analysis blunders --deals 200 --effort 0.4
    python -m bench.analysis losses --game gin

Deals are between two players, of whom seat 0 is analysed. The same `--seed` gives the same deals.
"""

import argparse
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from statistics import fmean, stdev
from typing import Any

from bench.analysed import GAMES, Analysed, step_of
from bench.figures import compute_standard_error
from bench.play import make_random
from games.analysis.report import compute_outcome
from games.engine.base import STRENGTHS, Strength


def print_losses(game: Analysed, analysis: Any, deals: int, seed: int) -> None:
    """Print how much each strength of bots, and the policy, loses against `hard`."""
    bot = game.bot
    players: dict[str, Any] = {  # of the number of a deal their choosers
        "policy": lambda _number: game.by_policy,
        **{strength: partial(bot, strength) for strength in STRENGTHS[::-1]},
    }
    print("player   loss a deal       a decision  seconds a deal (mean, worst)  adjusted  by kind")
    for name, made in players.items():
        sums, counts, times, adjusted, faulty = [], [], [], [], 0
        kinds: Counter[str] = Counter()
        for number in range(seed, seed + deals):
            record = game.play_deal(number, [made(number), bot("hard", -number)])
            began = time.process_time()
            report = analysis.analyse(record, 0, rng=make_random(number))
            times.append(time.process_time() - began)
            sums.append(sum(decision["loss"] for decision in report["decisions"]))
            counts.append(len(report["decisions"]))
            faulty += sum(decision["loss"] > 0 for decision in report["decisions"])
            adjusted.append(report["adjusted"])
            for decision in report["decisions"]:
                kinds[decision["kind"]] += decision["loss"]
        told = ", ".join(f"{kind} {kinds[kind] / deals:.2f}" for kind in sorted(kinds))
        print(
            f"{name:8} {fmean(sums):6.2f} ± {compute_standard_error(sums):4.2f} {sum(sums) / sum(counts):12.3f}"
            f" {fmean(times):14.2f} {max(times):6.2f} {fmean(adjusted):+15.1f}"
            f" ± {compute_standard_error(adjusted):.1f}  {faulty / sum(counts):.1%} of decisions  {told}",
            flush=True,
        )


def print_luck(game: Analysed, analysis: Any, deals: int, seed: int, strength: Strength) -> None:
    lucks, results, adjusted = [], [], []
    for number in range(seed, seed + deals):
        record = game.play_deal(number, [game.bot(strength, number), game.bot(strength, -number)])
        found = analysis.estimate_luck(record, 0, make_random(number), analysis.effort)
        result = compute_outcome(record, 0) or 0.0
        lucks.append(found.total)
        results.append(result)
        adjusted.append(result - found.total)
    print(f"luck a deal      {fmean(lucks):+6.2f} ± {compute_standard_error(lucks):.2f}")
    print(f"result           {fmean(results):+6.2f}, deviation {stdev(results):.1f}")
    print(f"less luck        {fmean(adjusted):+6.2f}, deviation {stdev(adjusted):.1f}")
    print(f"deviation left   {stdev(adjusted) / stdev(results):.1%}")


def print_blunders(game: Analysed, analysis: Any, deals: int, seed: int) -> None:
    """Print how many planted blunders the analysis found to be the most expensive decision."""
    planted = dearest = 0
    losses: list[float] = []
    number = seed
    while planted < deals:
        number += 1
        at_turn = make_random(number).randrange(1, 6)
        chooser, dear = game.with_blunder(game.bot("hard", number), at_turn)
        record = game.play_deal(number, [chooser, game.bot("hard", -number)])
        if not dear:
            continue  # the deal was over before
        planted += 1
        report = analysis.analyse(record, 0, rng=make_random(number))
        worst = max(report["decisions"], key=lambda decision: decision["loss"])
        is_it = worst["step"] == step_of(record, dear) and worst["loss"] > 0
        dearest += is_it
        losses.append(worst["loss"] if is_it else 0.0)
    print(
        f"{dearest} of {planted} planted blunders were the dearest decision: {dearest / planted:.1%}"
    )
    print(f"points that they cost: {fmean(losses):.1f} on average, {min(losses):.1f} at least")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("what", choices=["losses", "luck", "blunders"])
    parser.add_argument("--game", choices=GAMES, default="indian")
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--effort", type=float, default=1.0, help="part of the worlds looked at")
    parser.add_argument(
        "--players", choices=STRENGTHS, default="hard", help="whose luck is measured"
    )
    asked = parser.parse_args()
    game = GAMES[asked.game]
    analysis = replace(game.analysis, effort=game.analysis.effort.scale(asked.effort))
    if asked.what == "losses":
        print_losses(game, analysis, asked.deals, asked.seed)
    elif asked.what == "luck":
        print_luck(game, analysis, asked.deals, asked.seed, asked.players)
    else:
        print_blunders(game, analysis, asked.deals, asked.seed)


if __name__ == "__main__":
    main()
