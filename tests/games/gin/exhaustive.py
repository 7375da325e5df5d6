"""The least deadwood of a hand, found by trying every set of melds, unlike the solver."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from games.cards import CARDS, Card
from games.gin.rules.melding import arrange

Cards = tuple[Card, ...]


def points(cards: Sequence[Card]) -> int:
    return sum(min(card.rank, 10) for card in cards)


def is_meld(cards: Sequence[Card]) -> bool:
    ranks, suits = [card.rank for card in cards], [card.suit for card in cards]
    if len(set(ranks)) == 1:
        return len(set(suits)) == len(cards) >= 3
    one_suit = len(set(suits)) == 1
    return one_suit and len(cards) >= 3 and max(ranks) - min(ranks) == len(cards) - 1


def search_least_deadwood(hand: Sequence[Card]) -> int:
    return _search_least(hand, [0])


def search_least_after_discard(hand: Sequence[Card], kept: Card | None = None) -> int:
    """Return the least deadwood after the best discard. `kept` must not be discarded."""
    return _search_least(hand, [1 << place for place, card in enumerate(hand) if card != kept])


def _search_least(hand: Sequence[Card], discards: Sequence[int]) -> int:
    """Return the least deadwood over `discards`, each a bit mask of the hand's places to leave out."""
    melds = list(_melds(hand))

    @cache
    def find_most(left: int) -> int:
        if not left:
            return 0
        first = left & -left
        best = find_most(left ^ first)
        for mask, freed in melds:
            if mask & first and mask & left == mask:
                best = max(best, freed + find_most(left ^ mask))
        return best

    everything = (1 << len(hand)) - 1

    def deadwood(left: int) -> int:
        kept = [card for place, card in enumerate(hand) if left >> place & 1]
        return points(kept) - find_most(left)

    return min(deadwood(everything & ~discard) for discard in discards)


def _melds(hand: Sequence[Card]) -> Iterator[tuple[int, int]]:
    """Yield every possible meld as a bit mask of the hand's places, with its points."""
    alike: dict[str, list[int]] = {}
    for place, card in enumerate(hand):
        alike.setdefault(f"suit {card.suit}", []).append(place)
        alike.setdefault(f"rank {card.rank}", []).append(place)
    for places in alike.values():
        for size in range(3, len(places) + 1):
            for chosen in combinations(places, size):
                cards = [hand[place] for place in chosen]
                if is_meld(cards):
                    yield sum(1 << place for place in chosen), points(cards)


def search_least_defended(hand: Sequence[Card], melds: Sequence[Sequence[Card]]) -> int:
    """Return the least deadwood after trying every way to lay off cards, in any order."""
    best = search_least_deadwood(hand)
    seen = set()
    waiting: list[tuple[Cards, tuple[Cards, ...]]] = [
        (tuple(hand), tuple(tuple(sorted(meld)) for meld in melds))
    ]
    while waiting:
        rest, grown = waiting.pop()
        for card in rest:
            for place, meld in enumerate(grown):
                if not is_meld((*meld, card)):
                    continue
                larger = (*grown[:place], tuple(sorted((*meld, card))), *grown[place + 1 :])
                smaller = tuple(other for other in rest if other != card)
                if (smaller, larger) not in seen:
                    seen.add((smaller, larger))
                    waiting.append((smaller, larger))
                    best = min(best, search_least_deadwood(smaller))
    return best


def deal_any_hand(rng: random.Random, size: int) -> Cards:
    return tuple(rng.sample(CARDS[:52], size))


def deal_clustered_hand(rng: random.Random, size: int) -> Cards:
    """Deal from five neighbouring ranks, where sets and sequences compete for the same cards."""
    lowest = rng.randrange(1, 10)
    near = [card for card in CARDS[:52] if lowest <= card.rank < lowest + 5]
    return tuple(rng.sample(near, size))


def deal_two_suits_hand(rng: random.Random, size: int) -> Cards:
    suits = rng.sample(range(4), 2)
    return tuple(rng.sample([card for card in CARDS[:52] if card.suit in suits], size))


KINDS = {"any": deal_any_hand, "clustered": deal_clustered_hand, "two suits": deal_two_suits_hand}


def deal_knocked_hands(kind: str, rng: random.Random) -> tuple[Cards, tuple[Cards, ...]]:
    """Deal a defender's ten cards, and the melds of a knocker's ten, of which there is at least one."""
    while True:
        both = KINDS[kind](rng, 20)
        melds = arrange(both[:10]).groups
        if melds:
            return tuple(both[10:]), melds
