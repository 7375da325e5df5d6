"""python -m tests.games.basic.model 1000 1: so many matches, and a seed."""

import sys

from tests.games.basic.model.playing import play_match
from tests.games.model.driver import report, run

if __name__ == "__main__":
    matches, seed = map(int, sys.argv[1:])
    happened, found, steps = run(play_match, matches, seed)
    sys.exit(report(happened, found, f"{matches} matches, {steps} steps"))
