"""Sets, sequences and what hands count (B1, B4, B6, B12), by trying every subset."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

from games.basic.rules.ruleset import BasicRules

RANKS = "A23456789TJQK"


def rank(card: str) -> int:
    return RANKS.index(card[0]) + 1


def value(card: str) -> int:
    return min(rank(card), 10)


def count(cards: Sequence[str]) -> int:
    return sum(map(value, cards))


def kind_of(cards: Sequence[str], rules: BasicRules) -> str | None:
    """B1, B4: `set`, `sequence`, or None."""
    if len(cards) < 3 or len(set(cards)) < len(cards):
        return None
    if len({card[0] for card in cards}) == 1:
        return "set"
    return "sequence" if steps(cards, rules) else None


def steps(cards: Sequence[str], rules: BasicRules) -> dict[str, int] | None:
    """B1: the place of each card in its suit; an ace is 1, or 14 where the rules say both."""
    if len({card[1] for card in cards}) != 1:
        return None
    for ace in (1, 14) if rules.ace == "both" else (1,):
        places = {card: ace if card[0] == "A" else rank(card) for card in cards}
        low, high = min(places.values()), max(places.values())
        if high - low == len(cards) - 1 and len(set(places.values())) == len(cards):
            return places
    return None


def sort_meld(cards: Sequence[str], kind: str, rules: BasicRules) -> list[str]:
    places = steps(cards, rules)
    return sorted(cards, key=places.__getitem__) if kind == "sequence" and places else list(cards)


def grow(meld: dict[str, Any], cards: Sequence[str], rules: BasicRules) -> bool:
    """B6: at either end of a sequence, or the fourth card of a set; what lies is not moved."""
    together = [*meld["cards"], *cards]
    if not cards or kind_of(together, rules) != meld["kind"]:
        return False
    if meld["kind"] == "set":
        return True
    before, after = steps(meld["cards"], rules), steps(together, rules)
    return before is not None and after is not None and all(after[c] == before[c] for c in before)


def list_melds(hand: Sequence[str], rules: BasicRules) -> Iterator[tuple[str, ...]]:
    for size in range(3, len(hand) + 1):
        for cards in combinations(hand, size):
            if kind_of(cards, rules):
                yield cards


def find_least_loose(hand: Sequence[str], rules: BasicRules) -> list[frozenset[str]]:
    """Return the cards in no meld, for every arrangement in which they count least."""
    melds = [frozenset(cards) for cards in list_melds(hand, rules)]
    found: set[frozenset[str]] = set()

    def search(left: frozenset[str], after: int) -> None:
        found.add(left)
        for place in range(after, len(melds)):
            if melds[place] <= left:
                search(left - melds[place], place + 1)

    search(frozenset(hand), 0)
    least = min(sum(map(value, left)) for left in found)
    return [left for left in found if sum(map(value, left)) == least]


def search_least(hand: frozenset[str], table: Sequence[Sequence[str]], rules: BasicRules) -> int:
    """Return the least count of a hand after every way to meld and lay off, card by card (B11)."""
    best = count([*hand])
    for card, (number, meld) in product(hand, enumerate(table)):
        if kind_of([*meld, card], rules):
            grown = [*table[:number], [*meld, card], *table[number + 1 :]]
            best = min(best, search_least(hand - {card}, grown, rules))
    # A longer meld is one of three or four, and cards laid off on it.
    for group in combinations(sorted(hand), 3):
        if kind_of(group, rules):
            best = min(best, search_least(hand - {*group}, [*table, group], rules))
    return best
