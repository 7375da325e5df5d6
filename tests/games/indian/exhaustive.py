"""The least count of a hand, found by trying every way to lay it, with only the rules of melds.

Slow and simple: its method differs from that of `games.indian.rules.solver.arrangement`.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from games.cards import Card, is_joker
from games.indian.rules.melds import MIN_MELD, IndianMeldKind, meld_kind
from games.indian.rules.ruleset import RuleSet
from games.indian.rules.scoring import loose_points

# The most points freed, by the melds so far: (has a pure sequence, number of sequences up to two).
Best = dict[tuple[bool, int], int]


def search_least(hand: Sequence[Card], wild: int | None, rules: RuleSet) -> int:
    return _search_least(hand, wild, rules, [0])


def search_least_of_fourteen(hand: Sequence[Card], wild: int | None, rules: RuleSet) -> int:
    return _search_least(hand, wild, rules, [1 << place for place in range(len(hand))])


def _search_least(
    hand: Sequence[Card], wild: int | None, rules: RuleSet, discards: Sequence[int]
) -> int:
    """Return the least count over `discards`, each a bit mask of the hand's places to leave out."""
    melds = _melds_by_first(tuple(hand), wild, rules)
    everything = (1 << len(hand)) - 1

    @cache
    def find_best(left: int) -> tuple[tuple[tuple[bool, int], int], ...]:
        if not left:
            return (((False, 0), 0),)
        first = left & -left
        found: Best = dict(find_best(left ^ first))
        for mask, kind, points in melds[first.bit_length() - 1]:
            if mask & left == mask:
                for (pure, sequences), freed in find_best(left ^ mask):
                    state = (
                        pure or kind is IndianMeldKind.PURE_SEQUENCE,
                        min(2, sequences + kind.is_sequence),
                    )
                    found[state] = max(found.get(state, -1), freed + points)
        return tuple(found.items())

    def count(left: int) -> int:
        kept = [card for place, card in enumerate(hand) if left >> place & 1]
        freed = [points for (pure, sequences), points in find_best(left) if pure and sequences == 2]
        if rules.lone_pure_sequence == "free":
            freed += [
                points
                for by_first in melds
                for mask, kind, points in by_first
                if kind is IndianMeldKind.PURE_SEQUENCE and mask & left == mask
            ]
        return min(loose_points(kept, wild) - max(freed, default=0), rules.max_points)

    return min(count(everything & ~discard) for discard in discards)


def can_declare(hand: Sequence[Card], wild: int | None, rules: RuleSet) -> bool:
    """Return whether all cards can be laid in melds, including a pure sequence and a second sequence (R3.1)."""
    melds = _melds_by_first(tuple(hand), wild, rules)

    @cache
    def states(left: int) -> frozenset[tuple[bool, int]]:
        if not left:
            return frozenset({(False, 0)})
        return frozenset(
            (pure or kind is IndianMeldKind.PURE_SEQUENCE, min(2, sequences + kind.is_sequence))
            for mask, kind, _ in melds[(left & -left).bit_length() - 1]
            if mask & left == mask
            for pure, sequences in states(left ^ mask)
        )

    return (True, 2) in states((1 << len(hand)) - 1)


def can_finish(hand: Sequence[Card], wild: int | None, rules: RuleSet) -> bool:
    by_face = {card.face: card for card in hand}
    return any(
        can_declare([card for card in hand if card != discard], wild, rules)
        for discard in by_face.values()
    )


@lru_cache(maxsize=1)
def _melds_by_first(
    hand: tuple[Card, ...], wild: int | None, rules: RuleSet
) -> list[list[tuple[int, IndianMeldKind, int]]]:
    """Return the hand's melds by their first place: bit mask of places, kind and points."""
    melds: list[list[tuple[int, IndianMeldKind, int]]] = [[] for _ in hand]
    naturals = [not is_joker(card, wild) for card in hand]
    # The suits and ranks of the cards that are not jokers, by mask. Cards of several suits and several
    # ranks are never a meld; skipping them early saves most of the time.
    suits, ranks = [0], [0]
    for mask in range(1, 1 << len(hand)):
        first = (mask & -mask).bit_length() - 1
        others = mask & (mask - 1)
        suits.append(suits[others] | naturals[first] << hand[first].suit)
        ranks.append(ranks[others] | naturals[first] << hand[first].rank)
        if mask.bit_count() < MIN_MELD or (
            suits[mask].bit_count() > 1 and ranks[mask].bit_count() > 1
        ):
            continue
        cards = [card for place, card in enumerate(hand) if mask >> place & 1]
        kind = meld_kind(cards, wild, rules)
        if kind is not None:
            melds[first].append((mask, kind, loose_points(cards, wild)))
    return melds
