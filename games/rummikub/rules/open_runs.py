"""The open runs of a colour, and the transitions by tiles of the next number (`solver`)."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Final

MOST_JOKERS: Final = 2
# A run of three and a longer one are alike.
LONG: Final = 3
# The open runs of a colour, as their lengths; a state is an index.
STATES: Final = tuple(
    runs
    for size in range(2 + MOST_JOKERS + 1)
    for runs in combinations_with_replacement((1, 2, LONG), size)
)
_STATE_OF: Final = {runs: number for number, runs in enumerate(STATES)}
CLOSED: Final = frozenset(
    number for number, runs in enumerate(STATES) if all(length == LONG for length in runs)
)


@lru_cache(maxsize=1 << 14)  # at most 5 MB
def flow(
    state: int, tiles: int, starting: int, ended: int
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the states that this many tiles of the next number lead to.

    Each state comes with the lengths of the open runs that flow into fixed runs starting here. A face
    has two tiles, and `MOST_JOKERS`.
    """
    found: dict[int, tuple[int, ...]] = {}
    for absorbed, kept in _absorbed(STATES[state], starting):
        runs = (*kept, *[LONG] * ended)
        short = [length for length in runs if length < LONG]
        if tiles < len(short):
            continue
        on_long = min(tiles - len(short), len(runs) - len(short))
        new = tiles - len(short) - on_long
        after = sorted([*[1] * new, *(length + 1 for length in short), *[LONG] * on_long])
        found.setdefault(_STATE_OF[tuple(after)], absorbed)
    return tuple(found.items())


def _absorbed(
    runs: tuple[int, ...], starting: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the short runs that flow into fixed runs, and the runs that continue alone."""
    short = [place for place, length in enumerate(runs) if length < LONG]
    for size in range(min(starting, len(short)) + 1):
        for places in combinations(short, size):
            yield (
                tuple(runs[place] for place in places),
                tuple(length for place, length in enumerate(runs) if place not in places),
            )
