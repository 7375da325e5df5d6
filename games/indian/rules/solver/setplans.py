"""The ways to lay the cards of one rank in sets, computed once for each combination of suits."""

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
    """A set: its suits, a number with a one in the lane of each suit (`tally`), and the jokers that the set needs."""

    suits: _Suits
    cards: int
    jokers: int


class SetPlan(NamedTuple):
    """Disjoint sets of one rank: their cards and jokers, the cards of each suit, and the suits of each set."""

    cards: int
    jokers: int
    spades: int
    hearts: int
    diamonds: int
    clubs: int
    sets: tuple[_Suits, ...]


class RankSets(NamedTuple):
    """All ways to lay at least one set of a rank, those with the most cards first.

    Together the sets of a plan have at most `most` natural cards, or at most `plain` if the plan uses no joker.
    """

    most: int
    plain: int
    plans: tuple[SetPlan, ...]


class RankTable(dict[int, RankSets]):
    """The sets of a rank. The key has, in the lane of each suit, the number of cards of this rank."""

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
    """Return one plan for each choice of cards, the one that needs the fewest jokers."""
    best: dict[int, tuple[int, tuple[_Suits, ...]]] = {}
    for left, jokers, sets in _list_disjoint(key, most_jokers, choices):
        if left not in best or jokers < best[left][0]:
            best[left] = jokers, sets
    return [_plan_sets(key - left, jokers, sets) for left, (jokers, sets) in best.items() if sets]


def _list_disjoint(key: int, most_jokers: int, choices: Sequence[_Set]) -> list[_Laid]:
    """Return every way to lay any number of disjoint sets, including none."""
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
    """Yield every set of two or more natural cards. A single card with two jokers is laid as a run."""
    for size in range(2, min(len(SUIT_INDICES), largest) + 1):
        for suits in combinations(SUIT_INDICES, size):
            yield _Set(suits, sum([1 << LANES[suit] for suit in suits]), count_needed(suits))
