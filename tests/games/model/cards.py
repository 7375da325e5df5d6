"""Cards as they are written on the wire, and how a seed deals them (docs/deal-record.md)."""

import hashlib
import hmac
from collections.abc import Iterator
from itertools import count
from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
JOKER: Final = "PJ"
FACES: Final = (*(rank + suit for suit in SUITS for rank in RANKS), JOKER)
PLACE: Final = {face: place for place, face in enumerate(FACES)}
HAND: Final = 13


def face(card: str) -> str:
    return card[:2]


def is_joker(card: str, wild: str) -> bool:
    """R1.4: return whether the card is a printed joker or of the wild rank."""
    return card[:2] == JOKER or card[0] == wild


def wild_rank(turned_up: str) -> str:
    return "A" if face(turned_up) == JOKER else turned_up[0]


def value(card: str, wild: str) -> int:
    """R6.1: return the points that the card counts."""
    if is_joker(card, wild):
        return 0
    return 10 if card[0] in "ATJQK" else int(card[0])


def sort_groups(hand: list[str]) -> list[list[str]]:
    """Return the first groups of a hand: by suit and rank, with printed jokers last."""
    ordered = sorted(hand, key=lambda card: (PLACE[face(card)], card[3:]))
    groups = [[card for card in ordered if card[1] == suit] for suit in (*SUITS, JOKER[1])]
    return [group for group in groups if group]


def draw_numbers(seed: bytes, label: str) -> Iterator[int]:
    for block in count():
        digest = hmac.digest(seed, f"{label}:{block}".encode(), hashlib.sha256)
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")


def shuffle(cards: list[str], seed: bytes, label: str) -> list[str]:
    cards, source = list(cards), draw_numbers(seed, label)
    for last in range(len(cards) - 1, 0, -1):
        number = next(source)
        while number >= 2**32 // (last + 1) * (last + 1):
            number = next(source)
        other = number % (last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def packs_of(number: int) -> list[str]:
    return [f"{name}.{pack}" for pack in range(number) for name in FACES]


def toss(seats: tuple[int, ...], seed: bytes) -> list[tuple[int, str]]:
    """R4.1: return each seat with its card, the highest first."""
    drawn = shuffle(packs_of(1)[:-1], seed, "toss")
    cards = list(zip(sorted(seats), drawn, strict=False))
    return sorted(cards, key=lambda one: (-RANKS.index(one[1][0]), SUITS.index(one[1][1])))
