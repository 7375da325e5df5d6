"""Which cards are close to each other: cards of one rank, and cards of one suit with neighbouring ranks."""

from collections.abc import Sequence
from typing import Final

from games.cards import CARDS, Card
from games.gin.rules.melding import BIT
from games.gin.rules.ruleset import DECK_SIZE


def _find_related(card: Card, *, close: bool) -> int:
    mask = 0
    for other in CARDS[:DECK_SIZE]:
        apart = abs(other.rank - card.rank)
        if other.suit == card.suit:
            mask |= BIT[other] * (apart == (1 if close else 2))
        else:
            mask |= BIT[other] * (close and apart == 0)
    return mask


def _list_pairs(card: Card) -> tuple[int, ...]:
    same = [CARDS[suit * 13 + card.rank - 1] for suit in range(4) if suit != card.suit]
    of_set = [BIT[one] | BIT[other] for one in same for other in same if one < other]
    of_run = [
        BIT[card + first] | BIT[card + second]
        for first, second in ((-2, -1), (-1, 1), (1, 2))
        if card.rank + first >= 1 and card.rank + second <= 13
    ]
    return (*of_set, *of_run)


# By card: cards of its rank and its neighbours in suit; cards of its suit with one rank between; and the
# pairs that make a meld of three with it. All are masks.
CLOSE: Final = tuple(_find_related(card, close=True) for card in CARDS[:DECK_SIZE])
APART: Final = tuple(_find_related(card, close=False) for card in CARDS[:DECK_SIZE])
PAIRS: Final = tuple(map(_list_pairs, CARDS[:DECK_SIZE]))


def count_fitting(cards: Sequence[int], unseen: int) -> int:
    """Count, for each of these cards, the unseen cards that are close to it. Return the sum.

    `unseen` is a mask.
    """
    return sum([(unseen & CLOSE[card]).bit_count() for card in cards])


def count_pairs(cards: Sequence[int], loose: int) -> float:
    """Count, for each of these cards, the loose cards that are close to it. Return the sum.

    `loose` is a mask. A loose card of the same suit with one rank between the two is counted as half.
    """
    return sum(
        [
            (loose & CLOSE[card]).bit_count() + (loose & APART[card]).bit_count() / 2
            for card in cards
        ]
    )
