"""python -m tests.games.model GAME [--matches 5000] [--positions 8000] [--seed 1] [--jobs 2] [--only 17]

Compares whole matches of Indian rummy, or positions of Rummikub, with the model.
"""

import argparse
import sys
import time
from collections import Counter
from functools import partial
from multiprocessing import Pool

from tests.games.model.playing import EXPECTED, play_match
from tests.games.rummikub.model.judging import list_disagreements


def main() -> int:
    options, started = _options(), time.monotonic()
    happened: Counter[str] = Counter()
    found, steps = list[str](), 0
    if options.game == "indian":
        numbers = range(options.matches) if options.only is None else [options.only]
        with Pool(options.jobs) as pool:
            for one in pool.imap(partial(play_match, options.seed), numbers, chunksize=20):
                happened += one.happened
                steps += one.steps
                found += [one.disagreement] if one.disagreement else []
        happened.update(dict.fromkeys(EXPECTED, 0))
    else:
        for number in range(options.positions):
            for what, code in list_disagreements(number, options.seed):
                happened[str(code)] += 1
                found += [what] if what else []
    for kind, often in sorted(happened.items()):
        sys.stdout.write(f"{often:8} {kind}\n")
    sys.stdout.write("".join(f"{what}\n" for what in found[:5]))
    told = f"{options.matches} matches, {steps} steps; {options.positions} positions"
    seconds = time.monotonic() - started
    sys.stdout.write(f"{told}; {seconds:.0f} s, {len(found)} disagreements\n")
    return int(bool(found))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.games.model")
    parser.add_argument("game", choices=["indian", "rummikub"])
    for name, default in (("matches", 0), ("positions", 0), ("seed", 1), ("jobs", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--only", type=int, help="one match by its number")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
