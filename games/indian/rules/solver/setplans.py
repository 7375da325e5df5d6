"""The ways to lay the cards of one rank in sets, computed once for each combination of suits."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from games.indian.rules.melds import MIN_MELD
from games.indian.rules.solver.suitruns import DIGIT_MASK
from games.indian.rules.solver.tally import LANES, SUIT_INDICES

# Combinations that a table keeps before it is emptied: all 81 of two packs and all 256 of three.
_MOST_RANKS: Final = 1 << 8
# Sets of one rank need no more: beside two sequences fourteen cards hold no four pairs with a joker each.
_MOST_JOKERS: Final = 4

_Suits = tuple[int, ...]


class SetPlan(NamedTuple):
    """Disjoint sets of one rank: how many cards and jokers they have, how many cards of each suit, their suits."""

    cards: int
    jokers: int
    spades: int
    hearts: int
    diamonds: int
    clubs: int
    sets: tuple[_Suits, ...]


class RankSets(NamedTuple):
    """All ways to lay at least one set, those of most cards first.

    They lay at most `most` cards, without jokers at most `plain`.
    """

    most: int
    plain: int
    plans: tuple[SetPlan, ...]


class RankTable(dict[int, RankSets]):
    """The sets of a rank by the number of its cards in the lane of each suit."""

    def __init__(self, jokers: int, max_set_size: int | None) -> None:
        self._jokers = jokers
        self._largest = len(SUIT_INDICES) if max_set_size is None else max_set_size

    def __missing__(self, key: int) -> RankSets:
        if len(self) >= _MOST_RANKS:
            self.clear()
        counts = tuple([key >> LANES[suit] & DIGIT_MASK for suit in SUIT_INDICES])
        plans = [_plan_sets(sets) for sets in _list_layings(counts, self._jokers, self._largest)]
        plans.sort(key=lambda plan: (-plan.cards, plan.jokers))
        most = max([plan.cards for plan in plans], default=0)
        plain = max([plan.cards for plan in plans if not plan.jokers], default=0)
        self[key] = sets = RankSets(most, plain, tuple(plans))
        return sets


@lru_cache(maxsize=8)  # five tables for each size of sets, of at most 1 MB
def get_rank_table(jokers: int, max_set_size: int | None) -> RankTable:
    if jokers > _MOST_JOKERS:
        return get_rank_table(_MOST_JOKERS, max_set_size)
    return RankTable(jokers, max_set_size)


def _plan_sets(sets: tuple[_Suits, ...]) -> SetPlan:
    suits = [suit for of_set in sets for suit in of_set]
    spades, hearts, diamonds, clubs = map(suits.count, SUIT_INDICES)
    return SetPlan(len(suits), sum(map(count_needed, sets)), spades, hearts, diamonds, clubs, sets)


def _list_layings(counts: _Suits, jokers: int, largest: int) -> tuple[tuple[_Suits, ...], ...]:
    """Yield sets whose cards differ from those of any other that needs as few jokers."""
    best: dict[_Suits, tuple[_Suits, ...]] = {}
    for sets in _list_disjoint(counts, jokers, _suits_of_sets(largest)):
        taken = tuple(sorted(suit for of_set in sets for suit in of_set))
        if taken not in best or sum(map(count_needed, sets)) < sum(map(count_needed, best[taken])):
            best[taken] = sets
    return tuple(best.values())


def _list_disjoint(
    counts: _Suits, jokers: int, choices: tuple[_Suits, ...]
) -> Iterator[tuple[_Suits, ...]]:
    for index, suits in enumerate(choices):
        needed = count_needed(suits)
        if needed <= jokers and all(counts[suit] for suit in suits):
            yield (suits,)
            rest = tuple([counts[suit] - (suit in suits) for suit in SUIT_INDICES])
            # Continue with later sets only, so that no combination comes twice.
            for more in _list_disjoint(rest, jokers - needed, choices[index:]):
                yield (suits, *more)


def count_needed(suits: _Suits) -> int:
    return max(0, MIN_MELD - len(suits))


def _suits_of_sets(largest: int) -> tuple[_Suits, ...]:
    """Return the suits of every set of two natural cards or more. One card and two jokers are a run."""
    sizes = range(2, min(len(SUIT_INDICES), largest) + 1)
    return tuple(suits for size in sizes for suits in combinations(SUIT_INDICES, size))
