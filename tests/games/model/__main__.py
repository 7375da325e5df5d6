"""python -m tests.games.model GAME [--matches 5000] [--positions 8000] [--seed 1] [--jobs 2] [--only 17]

Compares whole matches of indian or rummikub, or positions of rummikub, with the model.
"""

import argparse
import sys
import time
from collections import Counter
from functools import partial
from multiprocessing import Pool

from tests.games.model import playing as indian
from tests.games.rummikub.model import judging
from tests.games.rummikub.model import playing as rummikub

MATCHES = {"indian": indian, "rummikub": rummikub}


def main() -> int:
    options, started = _options(), time.monotonic()
    happened: Counter[str] = Counter()
    found, steps = list[str](), 0
    if options.matches or options.only is not None:
        numbers = range(options.matches) if options.only is None else [options.only]
        play = partial(MATCHES[options.game].play_match, options.seed)
        with Pool(options.jobs) as pool:
            for one in pool.imap(play, numbers, chunksize=20):
                happened += one.happened
                steps += one.steps
                found += [one.disagreement] if one.disagreement else []
        happened.update(dict.fromkeys(MATCHES[options.game].EXPECTED, 0))
    for number in range(options.positions):
        for what, code in judging.list_disagreements(number, options.seed):
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
    parser.add_argument("game", choices=sorted(MATCHES))
    for name, default in (("matches", 0), ("positions", 0), ("seed", 1), ("jobs", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--only", type=int, help="one match by its number")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
