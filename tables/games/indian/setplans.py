"""The ways to lay the cards of one rank in sets."""

from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

SUIT_INDICES: Final = range(4)


class SetPlan(NamedTuple):
    """Disjoint sets of one rank: `taken` is how many cards of each suit lie in them."""

    cards: int
    jokers: int
    taken: tuple[int, ...]
    sets: tuple[tuple[int, ...], ...]
    # Of which suits cards are taken, and how many.
    taken_from: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1 << 14)
def set_plans(
    counts: tuple[int, ...], jokers: int, max_set_size: int | None
) -> tuple[tuple[SetPlan, ...], tuple[int, ...]]:
    """Every way to lay at least one set, those with most cards first.

    `counts` says how many cards of the rank there are in each suit. Beside the plans, by the
    number of jokers: the most cards that a plan takes with them.
    """
    plans = tuple(sorted(_plans(counts, jokers, _sets(max_set_size)), reverse=True))
    most = tuple(
        max((plan.cards for plan in plans if plan.jokers <= limit), default=0)
        for limit in range(jokers + 1)
    )
    return plans, most


def _plans(
    counts: tuple[int, ...], jokers: int, sets: tuple[tuple[int, ...], ...]
) -> list[SetPlan]:
    plans = []
    for index, suits in enumerate(sets):
        needed = max(0, 3 - len(suits))
        if needed > jokers or not all(counts[suit] for suit in suits):
            continue
        taken = tuple(int(suit in suits) for suit in SUIT_INDICES)
        plans.append(_set_plan(len(suits), needed, taken, (suits,)))
        rest = tuple(count - took for count, took in zip(counts, taken, strict=True))
        # Only sets from here on, so that no combination of them comes twice.
        for more in _plans(rest, jokers - needed, sets[index:]):
            both = tuple(a + b for a, b in zip(taken, more.taken, strict=True))
            plans.append(
                _set_plan(len(suits) + more.cards, needed + more.jokers, both, (suits, *more.sets))
            )
    return plans


def _set_plan(
    cards: int, jokers: int, taken: tuple[int, ...], sets: tuple[tuple[int, ...], ...]
) -> SetPlan:
    taken_from = tuple((suit, count) for suit, count in enumerate(taken) if count)
    return SetPlan(cards, jokers, taken, sets, taken_from)


@lru_cache
def _sets(max_set_size: int | None) -> tuple[tuple[int, ...], ...]:
    """Suits of every set of two natural cards or more; one card and two jokers are a run."""
    largest = 4 if max_set_size is None else min(4, max_set_size)
    return tuple(
        suits for size in range(2, largest + 1) for suits in combinations(SUIT_INDICES, size)
    )
