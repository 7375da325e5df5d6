"""Puzzles out of deals that bots play among themselves (docs/puzzles.md).

    python -m bench.puzzles --each 8 > tables/history/puzzles/starting_puzzles.json

What a deal took, and what came of it, is told on the error stream. The same `--seed` gives the same
puzzles.
"""

import argparse
import json
import sys
import time
from typing import Any, Final

from bench.analysed import INDIAN
from bench.play import seeded
from games.engine.base import Strength
from games.indian.lab.puzzles.finding import KINDS, PUZZLES

_PLAYERS: Final = (2, 2, 2, 3, 4)
_STRENGTHS: Final[tuple[Strength, ...]] = ("easy", "medium", "hard")


def found(kind: str, number: int) -> dict[str, Any] | None:
    """The puzzle of one deal, played by bots of any strength."""
    rng = seeded(f"{kind}/{number}")
    players = rng.choice(_PLAYERS)
    record = INDIAN.played(
        number, [INDIAN.bot(rng.choice(_STRENGTHS), rng.random()) for _ in range(players)]
    )
    return PUZZLES.find(record, kind, rng=rng)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--each", type=int, default=8, help="puzzles of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", choices=sorted(KINDS), default=list(KINDS))
    asked = parser.parse_args()
    made = []
    for kind in asked.kinds:
        of_kind, number, began = 0, asked.seed, time.process_time()
        while of_kind < asked.each:
            puzzle = found(kind, number)
            number += 1
            if puzzle is not None:
                of_kind += 1
                made.append({"game": "indian", "kind": kind, **puzzle})
                print(_line(kind, puzzle), file=sys.stderr, flush=True)
        seconds = (time.process_time() - began) / (number - asked.seed)
        print(
            f"{kind}: {of_kind} of {number - asked.seed} deals, {seconds:.1f} s a deal",
            file=sys.stderr,
            flush=True,
        )
    print(json.dumps(made, indent=1))


def _line(kind: str, puzzle: dict[str, Any]) -> str:
    solution = puzzle["solution"]
    if "options" in solution:
        wrong = solution["options"][len(solution["right"])]
        told = f"{' '.join(solution['right'])}, next {wrong['answer']} {wrong['loss']} worse"
    else:
        told = f"{solution['points']} points, {len(solution['groups'])} melds"
    return f"{kind}: {' '.join(puzzle['task']['hand'])} ({puzzle['task']['wild']}): {told}"


if __name__ == "__main__":
    main()
