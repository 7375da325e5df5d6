"""python -m tests.games.contract.model 20000 5000 1: so many positions, so many buyings, a seed."""

import sys
from collections import Counter

from tests.games.contract.model import positions, windows


def main() -> int:
    number, buyings, seed = map(int, sys.argv[1:])
    said: Counter[str] = Counter()
    found = []
    for place in range(number):
        for what, code in positions.disagreements(place, seed):
            said[code] += 1
            found += [what] if what else []
    for place in range(buyings):
        found += windows.disagreements(place, seed)
    for code, often in sorted(said.items()):
        sys.stdout.write(f"{often:8} {code}\n")
    sys.stdout.write("".join(f"{what}\n" for what in found[:5]))
    sys.stdout.write(
        f"{number} positions, {said.total()} layings; {buyings} buyings; "
        f"{len(found)} disagreements\n"
    )
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
