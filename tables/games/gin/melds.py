"""What is a meld, what counts, and what may be laid off on a meld (G1, G6, G10)."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from tables.games.cards import FACE_RANK, Card, card_texts

Groups = tuple[tuple[Card, ...], ...]
# A card, and the number of the knocker's meld that it is laid on.
LayOffs = tuple[tuple[Card, int], ...]

MIN_MELD: Final = 3
# G7: an ace counts one, pictures ten, all others their number.
POINTS: Final = tuple(min(rank, 10) for rank in FACE_RANK[:52])


class MeldKind(StrEnum):
    SET = "set"
    SEQUENCE = "sequence"


def deadwood(cards: Iterable[Card]) -> int:
    """The points of cards that are in no meld."""
    return sum(POINTS[card] for card in cards)


def meld_kind(cards: Sequence[Card]) -> MeldKind | None:
    """G6, whatever the order of the cards; None for what is no meld."""
    if len(cards) < MIN_MELD or len(set(cards)) < len(cards):
        return None
    ranks = sorted(card.rank for card in cards)
    if ranks[0] == ranks[-1]:
        return MeldKind.SET
    is_one_suit = len({card.suit for card in cards}) == 1
    is_in_order = ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return MeldKind.SEQUENCE if is_one_suit and is_in_order else None


def fits(meld: Sequence[Card], card: Card) -> bool:
    """G10: whether a meld with this card is still one."""
    return meld_kind((*meld, card)) is not None


def group_texts(groups: Groups) -> list[list[str]]:
    return [card_texts(group) for group in groups]
