"""How useful a discard is to other hands, beside what could have been thrown as cheaply."""

from collections.abc import Sequence
from typing import Final

from games.cards import FACES
from games.indian.bots.playouts import Hands

# More than this says no more of the intention.
MOST: Final = 15
# Points of one's own count that a discard may cost and still be an alternative.
CHEAP: Final = 5


def usefulness(hands: Hands, hand: Sequence[int], card: int) -> int:
    """Points by which the card lowers the least count of thirteen others, `MOST` at most."""
    return min(MOST, hands.least(hand) - hands.best_of_fourteen([*hand, card])[0])


def counts_without(hands: Hands, hand: Sequence[int], kept: int | None) -> dict[int, int]:
    """By discard of fourteen cards, one of each face: the least count of the rest. No jokers, which
    nobody throws, nor what may not be thrown (R4.5)."""
    by_face = {card % FACES: card for card in hand if card != kept and not hands.is_joker(card)}
    return {
        card: hands.least([other for other in hand if other != card]) for card in by_face.values()
    }


def alternatives(counts: dict[int, int], thrown: int) -> list[int]:
    """The discards that would have cost little, the one made and its like apart."""
    if not counts:
        return []
    most = min(counts.values()) + CHEAP
    return [
        card for card, count in counts.items() if count <= most and card % FACES != thrown % FACES
    ]


def beyond_alternatives(
    hands: Hands, hand: Sequence[int], thrown: int, others: Sequence[int]
) -> float:
    """How much more useful to this hand than the mean of what else could have been thrown."""
    usual = sum(usefulness(hands, hand, card) for card in others) / len(others)
    return usefulness(hands, hand, thrown) - usual
