"""Melds, card points, and lay-offs (G1, G6, G10)."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from games.cards import FACE_RANK, Card

Groups = tuple[tuple[Card, ...], ...]
# A card, and the number of the knocker's meld that it is laid on.
LayOffs = tuple[tuple[Card, int], ...]

MIN_MELD: Final = 3
# G7: an ace counts one, face cards ten, all others their number.
POINTS: Final = tuple(min(rank, 10) for rank in FACE_RANK[:52])


class GinMeldKind(StrEnum):
    SET = "set"
    SEQUENCE = "sequence"


def deadwood(cards: Iterable[Card]) -> int:
    """Return the points of these cards, which are in no meld."""
    return sum(POINTS[card] for card in cards)


def meld_kind(cards: Sequence[Card]) -> GinMeldKind | None:
    """Return the kind of meld that these cards form in any order, or None (G6)."""
    if len(cards) < MIN_MELD or len(set(cards)) < len(cards):
        return None
    ranks = sorted(card.rank for card in cards)
    if ranks[0] == ranks[-1]:
        return GinMeldKind.SET
    is_one_suit = len({card.suit for card in cards}) == 1
    is_in_order = ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return GinMeldKind.SEQUENCE if is_one_suit and is_in_order else None


def fits(meld: Sequence[Card], card: Card) -> bool:
    """Return whether the card can be laid off on the meld (G10)."""
    return meld_kind((*meld, card)) is not None
