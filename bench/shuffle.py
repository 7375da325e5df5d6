"""How even the shuffle is: a million deals from seeds of the system, counted in one run.

    .venv/bin/python -m bench.shuffle [deals]

Two statistics, each with its distance from what chance gives (in standard deviations, z), for the
shuffle of the deals and, as a control, for Python's own over the system's random numbers:
* position x card: how often each of the 106 cards lay at each of the 106 places;
* serial pairs: how often each card came right after each other one.
Beyond |z| = 4 the shuffle would be suspect.
"""

import random
import secrets
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from typing import TypeAlias

from games.shuffle import shuffled

CARDS = 106
PROCESSES = 2
DEALS = 1_000_000


Cells: TypeAlias = "array[int]"


def ours() -> Sequence[int]:
    return shuffled(range(CARDS), seed=secrets.token_bytes(32), label="deal")


_system = random.SystemRandom()


def pythons() -> Sequence[int]:
    cards = list(range(CARDS))
    _system.shuffle(cards)
    return cards


def count(shuffle: Callable[[], Sequence[int]], deals: int) -> tuple[Cells, Cells]:
    """Count into the cells `place * CARDS + card` and `card * CARDS + next card`."""
    places, pairs = array("q", bytes(8 * CARDS * CARDS)), array("q", bytes(8 * CARDS * CARDS))
    rows = [place * CARDS for place in range(CARDS)]
    for _ in range(deals):
        last = -1
        for row, card in zip(rows, shuffle(), strict=True):
            places[row + card] += 1
            if last >= 0:
                pairs[last + card] += 1
            last = card * CARDS
    return places, pairs


def z_of_places(cells: Sequence[int], deals: int) -> float:
    """Return z of a permutation matrix: (n - 1)/n of the statistic is chi-square, (n - 1)^2."""
    expected, freedom = deals / CARDS, (CARDS - 1) ** 2
    statistic = sum((cell - expected) ** 2 for cell in cells) / expected
    return (statistic * (CARDS - 1) / CARDS - freedom) / sqrt(2 * freedom)


def z_of_pairs(cells: Sequence[int], deals: int) -> float:
    """Return z of the successions. A card never follows itself.

    The statistic of the others has mean (n - 1)^2, and very nearly the spread of a chi-square of as many degrees.
    """
    expected, mean = deals / CARDS, (CARDS - 1) ** 2
    others = (cell for number, cell in enumerate(cells) if number % (CARDS + 1))
    statistic = sum((cell - expected) ** 2 for cell in others) / expected
    return (statistic - mean) / sqrt(2 * mean)


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    share = deals // PROCESSES
    deals = share * PROCESSES
    print(f"{deals} deals of {CARDS} cards")
    with ProcessPoolExecutor(PROCESSES) as pool:
        for name, shuffle in (("the deals' shuffle", ours), ("Python's, as a control", pythons)):
            began = time.perf_counter()
            parts = list(pool.map(count, [shuffle] * PROCESSES, [share] * PROCESSES))
            seconds = time.perf_counter() - began
            places, pairs = (
                [sum(cell) for cell in zip(*both, strict=True)] for both in zip(*parts, strict=True)
            )
            print(
                f"{name:23} position x card z {z_of_places(places, deals):+.2f}   "
                f"serial pairs z {z_of_pairs(pairs, deals):+.2f}   {deals / seconds:.0f} a second"
            )


if __name__ == "__main__":
    main()
