"""python -m tests.games.basic.model 1000 1: so many matches, and a seed."""

import sys
from collections import Counter

from tests.games.basic.model.playing import play_match


def main() -> int:
    matches, seed = map(int, sys.argv[1:])
    found, steps, happened = [], 0, Counter[str]()
    for number in range(matches):
        played = play_match(seed, number)
        steps, happened = steps + played.steps, happened + played.happened
        found += [played.disagreement] if played.disagreement else []
    for what, often in sorted(happened.items()):
        sys.stdout.write(f"{often:8} {what}\n")
    sys.stdout.write("".join(f"{what}\n" for what in found[:5]))
    sys.stdout.write(f"{matches} matches, {steps} steps, {len(found)} disagreements\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
