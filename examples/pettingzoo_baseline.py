#!/usr/bin/env python3
"""A baseline for agents that learn: random play against the easy bot in the engine's PettingZoo environments.

pip install openrummy-engine[pettingzoo]
python examples/pettingzoo_baseline.py gin 50   (the game, and matches from each of two seats)
"""

import random
import statistics
import sys

import numpy as np
from openrummy_engine.pettingzoo import raw_env


def play(match: raw_env, seed: int, bot: str) -> float:
    """Play a match and return the points that the bot wins. The other agent takes any legal action."""
    chance, rng = np.random.default_rng(seed), random.Random(seed)  # noqa: S311 - the same matches
    match.reset(seed=seed)
    won = 0.0
    for agent in match.agent_iter():
        observation, reward, is_over, is_cut_off, _ = match.last()
        won += reward if agent == bot else 0
        if is_over or is_cut_off:
            action = None
        elif agent == bot:
            action = match.ask_bot("easy", rng)
        else:
            action = int(chance.choice(np.flatnonzero(observation["action_mask"])))
        match.step(action)
    return won


def main() -> None:
    game, matches = sys.argv[1], int(sys.argv[2])
    match = raw_env(game)
    won = [play(match, seed, bot) for seed in range(matches) for bot in match.possible_agents]
    error = statistics.stdev(won) / len(won) ** 0.5
    print(f"{game}: the easy bot wins {statistics.mean(won):.1f} ± {error:.1f} points a match.")


if __name__ == "__main__":
    main()
