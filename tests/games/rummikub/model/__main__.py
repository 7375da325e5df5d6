"""python -m tests.games.rummikub.model 1000 8000 1: so many matches, so many positions, a seed."""

import sys
from collections import Counter

from tests.games.rummikub.model.judging import disagreements
from tests.games.rummikub.model.playing import play_match


def main() -> int:
    matches, positions, seed = map(int, sys.argv[1:])
    found, steps, happened = [], 0, Counter[str]()
    for number in range(matches):
        played = play_match(seed, number)
        steps, happened = steps + played.steps, happened + played.happened
        found += [played.disagreement] if played.disagreement else []
    said: Counter[str] = Counter()
    for number in range(positions):
        for what, code in disagreements(number, seed):
            said[code or "valid"] += 1
            found += [what] if what else []
    for counted in (happened, said):
        for what, often in sorted(counted.items()):
            sys.stdout.write(f"{often:8} {what}\n")
    sys.stdout.write("".join(f"{what}\n" for what in found[:5]))
    sys.stdout.write(
        f"{matches} matches, {steps} steps; {positions} positions, {said.total()} tables; "
        f"{len(found)} disagreements\n"
    )
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
