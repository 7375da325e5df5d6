"""python -m tests.games.rummikub.model 1000 8000 1: so many matches, so many positions, a seed."""

import sys

from tests.games.model.driver import report, run
from tests.games.rummikub.model.judging import disagreements
from tests.games.rummikub.model.playing import play_match

if __name__ == "__main__":
    matches, positions, seed = map(int, sys.argv[1:])
    happened, found, steps = run(play_match, matches, seed)
    for number in range(positions):
        for what, code in disagreements(number, seed):
            happened[f"table: {code or 'valid'}"] += 1
            found += [what] if what else []
    told = f"{matches} matches, {steps} steps; {positions} positions"
    sys.exit(report(happened, found, told))
