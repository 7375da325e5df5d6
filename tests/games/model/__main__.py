"""python -m tests.games.model --matches 5000 --seed 1 [--jobs 2] [--only 17]"""

import argparse
import sys
import time
from collections import Counter
from functools import partial
from multiprocessing import Pool

from tests.games.model import happenings
from tests.games.model.playing import Played, play_match

_SHOWN = 5


def main() -> int:
    options = _options()
    numbers = [options.only] if options.only is not None else list(range(options.matches))
    started = time.monotonic()
    play = partial(play_match, options.seed)
    if options.jobs == 1:
        played = list(map(play, numbers))
    else:
        with Pool(options.jobs) as pool:
            played = pool.map(play, numbers, chunksize=20)
    _report(played, time.monotonic() - started)
    return int(any(one.disagreement for one in played))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.games.model")
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", type=int, help="one match by its number")
    return parser.parse_args()


def _report(played: list[Played], seconds: float) -> None:
    happened: Counter[str] = Counter()
    for one in played:
        happened += one.happened
    found = [one.disagreement for one in played if one.disagreement]
    for what, often in sorted(happened.items()):
        _say(f"{often:8} {what}")
    for what in sorted(set(happenings.EXPECTED) - set(happened)):
        _say(f"       0 {what}")
    for disagreement in found[:_SHOWN]:
        _say(disagreement)
    steps = sum(one.steps for one in played)
    _say(f"{len(played)} matches, {steps} steps, {seconds:.0f} s, {len(found)} disagreements")


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
