"""The least count of a hand by trying everything; it goes back to nothing of the solver."""

from collections.abc import Iterator, Sequence
from itertools import combinations

RANKS = "A23456789TJQK"


def points(card: str) -> int:
    return min(RANKS.index(card[0]) + 1, 10)


def is_meld(cards: Sequence[str], *, ace_high: bool) -> bool:
    if len(cards) < 3:
        return False
    if len({card[0] for card in cards}) == 1:
        return True
    if len({card[1] for card in cards}) > 1:
        return False
    order = RANKS + "A" if ace_high else RANKS
    ranks = "".join(sorted((card[0] for card in cards), key=RANKS.index))
    low_to_end = ranks[1:] + ranks[:1]
    return ranks in order or (ranks[0] == "A" and low_to_end in order)


def search_least(hand: frozenset[str], table: tuple[frozenset[str], ...], *, ace_high: bool) -> int:
    """Every meld is laid and every group laid off that can be, one after the other."""
    best = sum(map(points, hand))
    for laid, now in _steps(hand, table, ace_high=ace_high):
        best = min(best, search_least(hand - laid, now, ace_high=ace_high))
    return best


def _steps(
    hand: frozenset[str], table: tuple[frozenset[str], ...], *, ace_high: bool
) -> Iterator[tuple[frozenset[str], tuple[frozenset[str], ...]]]:
    for card in sorted(hand):
        for number, meld in enumerate(table):
            grown = meld | {card}
            if is_meld(sorted(grown), ace_high=ace_high):
                yield frozenset({card}), (*table[:number], grown, *table[number + 1 :])
    # A longer meld is one of three or four, and cards laid off on it.
    for group in combinations(sorted(hand), 3):
        if is_meld(group, ace_high=ace_high):
            yield frozenset(group), (*table, frozenset(group))
