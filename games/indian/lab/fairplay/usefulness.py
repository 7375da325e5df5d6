"""The usefulness of a discard to other hands, compared with equally cheap discards."""

from collections.abc import Sequence
from typing import Final

from games.cards import FACES
from games.indian.bots.playouts import Hands

# More than this says no more of the intention.
MOST: Final = 15
# Points of one's own count that a discard may cost and still be an alternative.
CHEAP: Final = 5


def usefulness(hands: Hands, hand: Sequence[int], card: int) -> int:
    """Return the points by which the card lowers the least count of thirteen cards, at most `MOST`."""
    return min(MOST, hands.least(hand) - hands.best_of_fourteen([*hand, card])[0])


def counts_without(hands: Hands, hand: Sequence[int], kept: int | None) -> dict[int, int]:
    """Return, for each discard of fourteen cards, one of each face, the least count of the rest.

    Jokers, which nobody discards, and cards that may not be discarded (R4.5) are left out.
    """
    by_face = {card % FACES: card for card in hand if card != kept and not hands.is_joker(card)}
    return {
        card: hands.least([other for other in hand if other != card]) for card in by_face.values()
    }


def alternatives(counts: dict[int, int], thrown: int) -> list[int]:
    """Return the other discards that would have cost little."""
    if not counts:
        return []
    most = min(counts.values()) + CHEAP
    return [
        card for card, count in counts.items() if count <= most and card % FACES != thrown % FACES
    ]


def beyond_alternatives(
    hands: Hands, hand: Sequence[int], thrown: int, others: Sequence[int]
) -> float:
    """Return how much more useful to this hand the discard was than the mean alternative."""
    usual = sum(usefulness(hands, hand, card) for card in others) / len(others)
    return usefulness(hands, hand, thrown) - usual
