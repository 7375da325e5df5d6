"""The ways to lay the cards of one rank in sets, computed once for each combination."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from games.cards import RANKS
from games.indian.rules.melds import MIN_MELD
from games.indian.rules.solver.suitruns import DIGIT, DIGIT_MASK, RANK_POINTS
from games.indian.rules.solver.tally import LANES, SUIT_INDICES

# A key holds the digits of a rank in all suits, interleaved with the digit's position in its suit.
_PLACE_AT: Final = 2 * DIGIT
PLACE_SHIFT: Final = _PLACE_AT - 2  # from bits to digits
# Combinations that a table keeps before it is emptied: all 1,053 of two packs.
_MOST_RANKS: Final = 1 << 11
# Sets of one rank need no more: beside two sequences fourteen cards hold no four pairs with a joker each.
_MOST_JOKERS: Final = 4

# Faces of the natural cards of a meld, and how many jokers it needs.
MeldFaces = tuple[tuple[int, ...], int]
_Suits = tuple[int, ...]


class SetPlan(NamedTuple):
    """Disjoint sets of one rank. Their cards are digits of each suit."""

    freed: int
    jokers: int
    spades: int
    hearts: int
    diamonds: int
    clubs: int
    sets: tuple[MeldFaces, ...]


class RankSets(NamedTuple):
    """All ways to lay at least one set, those that free most first.

    They free at most `most`, without jokers at most `plain`; suits together add at most
    `by_jokers`.
    """

    most: int
    plain: int
    by_jokers: int
    plans: tuple[SetPlan, ...]


class RankTable(dict[int, RankSets]):
    """The number of cards of a rank in each suit's lane, and the place of the rank. The ace is above the king."""

    def __init__(self, jokers: int, max_set_size: int | None) -> None:
        self._jokers = jokers
        self._largest = len(SUIT_INDICES) if max_set_size is None else max_set_size

    def __missing__(self, key: int) -> RankSets:
        if len(self) >= _MOST_RANKS:
            self.clear()
        rank = (key >> _PLACE_AT & DIGIT_MASK) % len(RANKS) + 1
        counts = tuple([key >> LANES[suit] & DIGIT_MASK for suit in SUIT_INDICES])
        plans = [
            _set_plan(rank, sets) for sets in list_layings(counts, self._jokers, self._largest)
        ]
        plans.sort(key=lambda plan: (-plan.freed, plan.jokers))
        most = max([plan.freed for plan in plans], default=0)
        plain = max([plan.freed for plan in plans if not plan.jokers], default=0)
        self[key] = sets = RankSets(most, plain, most - plain, tuple(plans))
        return sets


@lru_cache(maxsize=8)  # five tables for each size of sets, of at most 1 MB
def get_rank_table(jokers: int, max_set_size: int | None) -> RankTable:
    if jokers > _MOST_JOKERS:
        return get_rank_table(_MOST_JOKERS, max_set_size)
    return RankTable(jokers, max_set_size)


def _set_plan(rank: int, sets: tuple[_Suits, ...]) -> SetPlan:
    suits = [suit for of_set in sets for suit in of_set]
    digit = 1 << DIGIT * (rank - 1)
    return SetPlan(
        len(suits) * RANK_POINTS[rank],
        sum(map(_count_needed, sets)),
        suits.count(0) * digit,
        suits.count(1) * digit,
        suits.count(2) * digit,
        suits.count(3) * digit,
        tuple(
            [
                (tuple([suit * len(RANKS) + rank - 1 for suit in of_set]), _count_needed(of_set))
                for of_set in sets
            ]
        ),
    )


@lru_cache(maxsize=1 << 10)  # at most 1 MB
def list_layings(counts: _Suits, jokers: int, largest: int) -> tuple[tuple[_Suits, ...], ...]:
    """Yield sets whose cards differ from those of any other that needs as few jokers."""
    best: dict[_Suits, tuple[_Suits, ...]] = {}
    for sets in _list_disjoint(counts, jokers, _suits_of_sets(largest)):
        taken = tuple(sorted(suit for of_set in sets for suit in of_set))
        if taken not in best or sum(map(_count_needed, sets)) < sum(
            map(_count_needed, best[taken])
        ):
            best[taken] = sets
    return tuple(best.values())


def _list_disjoint(
    counts: _Suits, jokers: int, choices: tuple[_Suits, ...]
) -> Iterator[tuple[_Suits, ...]]:
    for index, suits in enumerate(choices):
        needed = _count_needed(suits)
        if needed <= jokers and all(counts[suit] for suit in suits):
            yield (suits,)
            rest = tuple([counts[suit] - (suit in suits) for suit in SUIT_INDICES])
            # Continue with later sets only, so that no combination comes twice.
            for more in _list_disjoint(rest, jokers - needed, choices[index:]):
                yield (suits, *more)


def _count_needed(suits: _Suits) -> int:
    return max(0, MIN_MELD - len(suits))


def _suits_of_sets(largest: int) -> tuple[_Suits, ...]:
    """Return the suits of every set of two natural cards or more. One card and two jokers are a run."""
    sizes = range(2, min(len(SUIT_INDICES), largest) + 1)
    return tuple(suits for size in sizes for suits in combinations(SUIT_INDICES, size))
