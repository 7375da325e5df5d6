"""The least count of a hand, found by an exhaustive search that shares no code with the solver."""

from collections.abc import Sequence
from itertools import combinations, product

from games.basic.rules.ruleset import BasicRules

RANKS = "A23456789TJQK"


def count(cards: Sequence[str]) -> int:
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards)


def is_meld(cards: Sequence[str], rules: BasicRules) -> bool:
    """B1, B4: return whether the cards are a meld. Aces are low; with `ace="both"` they may be high, too."""
    if len(cards) < 3 or len({card[0] for card in cards}) == 1:
        return len(cards) >= 3
    order = RANKS + "A" if rules.ace == "both" else RANKS
    runs = (order[low : low + len(cards)] for low in range(len(order) - len(cards) + 1))
    ranks = sorted(card[0] for card in cards)
    return len({card[1] for card in cards}) == 1 and any(sorted(run) == ranks for run in runs)


def search_least(hand: frozenset[str], table: Sequence[Sequence[str]], rules: BasicRules) -> int:
    """Return the least count of a hand after every way to meld and lay off, card by card (B11)."""
    best = count([*hand])
    for card, (number, meld) in product(hand, enumerate(table)):
        if is_meld([*meld, card], rules):
            grown = [*table[:number], [*meld, card], *table[number + 1 :]]
            best = min(best, search_least(hand - {card}, grown, rules))
    # A longer meld is a meld of three with cards laid off on it.
    for group in combinations(sorted(hand), 3):
        if is_meld(group, rules):
            best = min(best, search_least(hand - {*group}, [*table, group], rules))
    return best
