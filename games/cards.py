"""Cards: their identity, notation (R1.1, R1.3, R1.5), jokers (R1.4) and points (R6.1)."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
FACES: Final = 53
PRINTED_JOKER: Final = 52
ACE: Final = 1
# A printed joker has neither rank nor suit; these stand in for them and match no other card.
NO_RANK: Final = 0
NO_SUIT: Final = 4


class Card(int):
    """One card of a known pack: `pack * 53 + face`, so that equal faces of two packs are different cards.

    A face is `suit * 13 + rank - 1`, or `PRINTED_JOKER`.
    """

    __slots__ = ()

    @classmethod
    def of(cls, face: int, pack: int = 0) -> "Card":
        return cls(pack * FACES + face)

    @property
    def face(self) -> int:
        return self % FACES

    @property
    def pack(self) -> int:
        return self // FACES

    @property
    def rank(self) -> int:
        """The rank, from 1 for an ace to 13 for a king."""
        return FACE_RANK[self % FACES]

    @property
    def suit(self) -> int:
        """The suit, as an index into `SUITS`."""
        return FACE_SUIT[self % FACES]

    def __str__(self) -> str:
        return f"{FACE_TEXT[self % FACES]}.{self // FACES}"

    def __repr__(self) -> str:
        return f"Card({self})"


FACE_RANK: Final = (*(rank for _ in SUITS for rank in range(1, 14)), NO_RANK)
FACE_SUIT: Final = (*(suit for suit in range(4) for _ in RANKS), NO_SUIT)
FACE_TEXT: Final = (*(rank + suit for suit in SUITS for rank in RANKS), "PJ")
# R6.1: aces and face cards count ten, other cards their number, printed jokers nothing.
FACE_POINTS: Final = (*(10 if rank == ACE else min(rank, 10) for rank in FACE_RANK[:52]), 0)

# The most whole packs of a deck, and the most printed jokers: `PJ.0` to `PJ.7`.
MAX_PACKS: Final = 4
MOST_JOKERS: Final = 8
# All cards by their number. Only the jokers of packs beyond `MAX_PACKS` are dealt.
CARDS: Final = tuple(Card(number) for number in range(FACES * MOST_JOKERS))
CARD_TEXT: Final = tuple(str(card) for card in CARDS)
CARD_SUIT: Final = tuple(card.suit for card in CARDS)
CARD_BY_TEXT: Final = {
    str(card): card for card in CARDS if card.pack < MAX_PACKS or card.face == PRINTED_JOKER
}

_SIGNS: Final = str.maketrans("♠♥♦♣", "SHDC")
_FACE_BY_TEXT: Final = {text: face for face, text in enumerate(FACE_TEXT)}


def full_deck(packs: int) -> tuple[Card, ...]:
    """Return the cards of this many packs, in their order before a shuffle."""
    return CARDS[: FACES * packs]


def parse_face(text: str) -> int:
    """Return the face written as `7H`, `10H`, `T♥` or `PJ` (R1.5); raise `ValueError` for anything else."""
    folded = text.strip().upper().translate(_SIGNS)
    if folded.startswith("10"):
        folded = "T" + folded[2:]
    try:
        return _FACE_BY_TEXT[folded]
    except KeyError:
        raise ValueError(f"unknown card: {text!r}") from None


def read_cards(texts: Iterable[str]) -> tuple[Card, ...]:
    """Read cards written without a pack. Equal faces become cards of different packs."""
    seen: Counter[int] = Counter()
    cards = []
    for text in texts:
        face = parse_face(text)
        cards.append(Card.of(face, seen[face]))
        seen[face] += 1
    return tuple(cards)


def card_texts(cards: Iterable[Card]) -> list[str]:
    return [CARD_TEXT[card] for card in cards]


def wild_rank(indicator: Card | None) -> int | None:
    """Return the rank of the wild jokers, or None without an indicator.

    If the indicator is a printed joker, aces are wild.
    """
    if indicator is None:
        return None
    return ACE if indicator.face == PRINTED_JOKER else indicator.rank


def is_joker(card: Card, wild: int | None) -> bool:
    return FACE_RANK[card % FACES] in (NO_RANK, wild)
