"""Measure the processor time of each call of a game with its most extreme rules.

    bin/bench extremes                       # every game
    bin/bench extremes --game rummikub --matches 60

It measures bots, questions about hands, and views with the legal moves, in matches that a malicious host
might open (`tests/games/extremes.py`). The goals are 200 ms for a question or a view, and 1 s for a bot.
Caches are emptied before each call. At the end it measures racks of Rummikub that are larger than any in
play.
"""

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from bench.figures import compute_percentile
from games.registry import GAMES
from games.rummikub.rules.laying import Stand, find_best_lay
from games.rummikub.rules.melds import DECK, JOKER
from games.rummikub.rules.ruleset import PRESETS
from tests.games.deals_in_one_process import list_caches
from tests.games.driving import GAMES as PARTS
from tests.games.extremes import Kind, play_extreme_match

GOALS_MS: Final = {"question": 200, "view": 200, "bot": 1_000}
RACKS: Final = (30, 44, 60, 74, 92)
Times = dict[tuple[Kind, str], list[float]]


def measure(times: Times, kind: Kind, what: str, call: Callable[[], Any]) -> Any:
    for _name, cache in list_caches("games."):
        cache.cache_clear()
    began = time.process_time()
    result = call()
    times[kind, what].append(1_000 * (time.process_time() - began))
    return result


def play(code: str, matches: int) -> None:
    times: Times = defaultdict(list)
    for number in range(matches):
        for _state in play_extreme_match(PARTS[code], number, partial(measure, times)):
            pass
    for (kind, what), took in sorted(times.items()):
        verdict = "reached" if max(took) <= GOALS_MS[kind] else "missed"
        print(
            f"{code}, {kind} {what}: {len(took)} calls, p50 {compute_percentile(took, 50):.1f} ms,"
            f" p99 {compute_percentile(took, 99):.1f}, longest {max(took):.0f}"
            f" (goal {GOALS_MS[kind]} {verdict})",
            flush=True,
        )


def lay_racks() -> None:
    """Measure finding the best lay of racks with both jokers."""
    naturals = [card for card in DECK if card.face != JOKER]
    jokers = [card for card in DECK if card.face == JOKER]
    for size in RACKS:
        took, tiles = [], []
        for number in range(10):
            rng = random.Random(f"{size}/{number}")  # noqa: S311 - the same racks every time
            rack = tuple(sorted((*jokers, *rng.sample(naturals, size - len(jokers)))))
            find_best_lay.cache_clear()
            began = time.process_time()
            best = find_best_lay(Stand((), rack, True, PRESETS["points"]))  # noqa: FBT003 - it has begun
            took.append(1_000 * (time.process_time() - began))
            tiles.append(0 if best is None else best.tiles)
        print(
            f"rummikub, rack of {size}: p50 {compute_percentile(took, 50):.0f} ms, longest"
            f" {max(took):.0f}, lays {min(tiles)} to {max(tiles)} tiles",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--matches", type=int, default=10)
    chosen = parser.parse_args()
    for code in [chosen.game] if chosen.game else GAMES:
        play(code, chosen.matches)
    lay_racks()


if __name__ == "__main__":
    main()
