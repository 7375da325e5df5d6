"""How fast hands of gin are solved, beside an exhaustive search in the same run.

    python -m bench.gin_solver [hands]

`best knock` is eleven cards at their least deadwood after the best discard, melds and all; `best
answer` is ten cards against the melds of a knock. Hands are any cards, and cards out of five
neighbouring ranks, which can be laid in more ways.

The solver looks every holding of a suit up in tables that are made once, when the module is loaded
(`suits`); it remembers no hands, so hands never seen before are solved as fast as any. Their figure
is taken in a new process all the same, with the time that making the tables takes.
"""

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from games.gin.rules.defence import best_defence
from games.gin.rules.melding import arrange_eleven
from tests.games.gin import exhaustive

GOAL = 30_000  # hands per second, best knock
ROUNDS = 5
# The exhaustive search is that much slower or less.
EXHAUSTIVE_SHARE = 20

_UNSEEN = """
import random, time
began = time.process_time()
from games.gin.rules import suits
tables = time.process_time() - began
from games.gin.rules.melding import arrange_eleven
from tests.games.gin import exhaustive
rng = random.Random({seed})
hands = [exhaustive.KINDS[{kind!r}](rng, 11) for _ in range({count})]
began = time.process_time()
for hand in hands:
    arrange_eleven(hand)
print(tables, {count} / (time.process_time() - began))
"""


def rate(solve: Callable[..., Any], questions: Sequence[tuple[Any, ...]]) -> float:
    """Questions answered in a second of processor time."""
    began = time.process_time()
    for question in questions:
        solve(*question)
    return len(questions) / (time.process_time() - began)


def compare(
    name: str,
    solve: Callable[..., Any],
    try_all: Callable[..., Any],
    questions: Sequence[tuple[Any, ...]],
) -> float:
    """The best of some rounds, so that other processes do not count; both take turns."""
    few = questions[: max(1, len(questions) // EXHAUSTIVE_SHARE)]
    rounds = [(rate(solve, questions), rate(try_all, few)) for _ in range(ROUNDS)]
    fast, slow = max(fast for fast, _slow in rounds), max(slow for _fast, slow in rounds)
    print(f"{name}: {fast:,.0f} hands/s, exhaustive search {slow:,.0f} ({fast / slow:,.0f} times)")
    return fast


def unseen(kind: str, count: int) -> None:
    tables, rates = [], []
    for seed in range(ROUNDS):
        script = _UNSEEN.format(kind=kind, count=count, seed=1_000 + seed)
        ran = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        )
        took, of_hands = ran.stdout.split()
        tables.append(float(took))
        rates.append(float(of_hands))
    print(
        f"gin, best knock, {kind}, hands never seen before in a new process: "
        f"{statistics.median(rates):,.0f} hands/s after {statistics.median(tables):.3f} s "
        f"of loading the tables"
    )


def main(count: int) -> None:
    rng = random.Random(11)  # noqa: S311 - the same hands every time
    for kind in ("any", "clustered"):
        elevens = [(exhaustive.KINDS[kind](rng, 11),) for _ in range(count)]
        fast = compare(
            f"gin, best knock, {kind}", arrange_eleven, exhaustive.least_after_discard, elevens
        )
        print(f"  goal {GOAL:,} hands/s {'reached' if fast >= GOAL else 'missed'}")
        unseen(kind, count)
        answers = [exhaustive.knocked_hands(kind, rng) for _ in range(count // 4)]
        compare(f"gin, best answer, {kind}", best_defence, exhaustive.least_defended, answers)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
