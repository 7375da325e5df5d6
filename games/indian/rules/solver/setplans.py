"""The ways to lay the cards of one rank in sets, computed once for each combination of cards.

A plan is one of these ways: sets that share no card, and the jokers that they need.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from games.indian.rules.melds import MIN_MELD
from games.indian.rules.solver.suitruns import DIGIT_MASK
from games.indian.rules.solver.tally import LANES, SUIT_INDICES, ranks_of

# Combinations that a table keeps before it is emptied: all 81 of two packs and all 256 of three.
_MOST_RANKS: Final = 1 << 8
# Sets of one rank need no more: beside two sequences fourteen cards hold no four pairs with a joker each.
_MOST_JOKERS: Final = 4

_Suits = tuple[int, ...]

# Sets of one rank: the cards left in each lane, the jokers needed, the suits of each set.
_Laid = tuple[int, int, tuple[_Suits, ...]]


class _Set(NamedTuple):
    """A set of one rank, described by its natural cards, at most one of each suit.

    `suits` are the suits' indices. `cards` is a number with a one in the lane of each suit (see `tally`). `jokers` is
    how many jokers the set needs to have three cards.
    """

    suits: _Suits
    cards: int
    jokers: int


class SetPlan(NamedTuple):
    """A plan: sets of one rank that share no card.

    `cards` and `jokers` are the numbers of natural cards and of jokers in all sets together. `spades` to `clubs` are
    the numbers of natural cards of each suit, and `sets` has the suits of each set.
    """

    cards: int
    jokers: int
    spades: int
    hearts: int
    diamonds: int
    clubs: int
    sets: tuple[_Suits, ...]


class RankSets(NamedTuple):
    """The plans for the cards of one rank, those with the most cards first. Each lays at least one set.

    `most` is the largest number of natural cards in any plan, and `plain` is the largest in a plan without jokers. Both
    are 0 if there is no such plan.
    """

    most: int
    plain: int
    plans: tuple[SetPlan, ...]


class RankTable(dict[int, RankSets]):
    """A mapping from the cards of one rank to the plans for them, computed on first use.

    The key has, in the lane of each suit, the number of cards of this rank. A plan needs at most `jokers` jokers.
    """

    def __init__(self, jokers: int, max_set_size: int | None) -> None:
        self._jokers = jokers
        self._sets = tuple(_list_sets(max_set_size or len(SUIT_INDICES)))

    def __missing__(self, key: int) -> RankSets:
        if len(self) >= _MOST_RANKS:
            self.clear()
        plans = _list_plans(key, self._jokers, self._sets)
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


def _list_plans(key: int, most_jokers: int, choices: Sequence[_Set]) -> list[SetPlan]:
    """Return one plan for each selection of the rank's cards that can be laid in sets: the one with the fewest jokers.

    `key` holds the cards as in `RankTable`. `choices` are the sets that may be laid.
    """
    best: dict[int, tuple[int, tuple[_Suits, ...]]] = {}
    for left, jokers, sets in _list_disjoint(key, most_jokers, choices):
        if left not in best or jokers < best[left][0]:
            best[left] = jokers, sets
    return [_plan_sets(key - left, jokers, sets) for left, (jokers, sets) in best.items() if sets]


def _list_disjoint(key: int, most_jokers: int, choices: Sequence[_Set]) -> list[_Laid]:
    """Return every way to lay any number of sets that share no card, including no set at all.

    Each way tells which cards of `key` are left, how many jokers the sets need (at most `most_jokers`), and their
    suits.
    """
    found: list[_Laid] = [(key, 0, ())]
    there = ranks_of(key)
    for suits, cards, needed in choices:
        if there & cards == cards:
            # The list grows during the loop: with several packs the same set may be laid again.
            for left, jokers, sets in found:
                if ranks_of(left) & cards == cards and jokers + needed <= most_jokers:
                    found.append((left - cards, jokers + needed, (*sets, suits)))
    return found


def _plan_sets(taken: int, jokers: int, sets: tuple[_Suits, ...]) -> SetPlan:
    spades, hearts, diamonds, clubs = [taken >> lane & DIGIT_MASK for lane in LANES]
    cards = spades + hearts + diamonds + clubs
    return SetPlan(cards, jokers, spades, hearts, diamonds, clubs, sets)


def count_needed(suits: _Suits) -> int:
    return max(0, MIN_MELD - len(suits))


def _list_sets(largest: int) -> Iterator[_Set]:
    """Yield the sets that have at least two natural cards, and at most `largest`.

    A single card with two jokers is laid as a sequence instead.
    """
    for size in range(2, min(len(SUIT_INDICES), largest) + 1):
        for suits in combinations(SUIT_INDICES, size):
            yield _Set(suits, sum([1 << LANES[suit] for suit in suits]), count_needed(suits))
