"""A shuffle that anybody can redo from its seed with nothing but HMAC-SHA-256.

Block number i of the stream is `HMAC-SHA256(key=seed, message=label + ":" + i)`, with the label in
ASCII and i in decimal. The blocks, one after the other, are read as big-endian 32-bit words.
A number below n is a word modulo n; words at or above the largest multiple of n are skipped, so
that no number is likelier than another. Cards are then swapped by Fisher and Yates from the end.
"""

import hmac
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

_WORD_VALUES = 1 << 32
# The words of a block.
_WORDS = struct.Struct(">8I")


def draw_words(seed: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(seed, f"{label}:{block}".encode("ascii"), "sha256")
        yield from _WORDS.unpack(digest)
        block += 1


def draw_below(limits: Iterable[int], stream: Iterator[int]) -> Iterator[int]:
    """Draw for each limit an evenly distributed number from 0 to `limit` - 1."""
    for limit in limits:
        for word in stream:
            number = word % limit
            if word - number <= _WORD_VALUES - limit:
                yield number
                break


def shuffle(items: Sequence[T], *, seed: bytes, label: str) -> tuple[T, ...]:
    """Return the items in random order.

    The label tells apart the shuffles of one deal: its toss, its cards, each reshuffle.
    """
    cards = list(items)
    numbers = draw_below(range(len(cards), 1, -1), draw_words(seed, label))
    for last, other in zip(range(len(cards) - 1, 0, -1), numbers, strict=True):
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)
