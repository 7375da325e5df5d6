"""A shuffle that anybody can repeat from its seed with nothing but HMAC-SHA-256.

Block number i of the stream is `HMAC-SHA256(key=seed, message=label + ":" + i)`, with the label in ASCII and i in
decimal. The blocks, one after the other, are read as big-endian 32-bit words. A random number below n is the next word
modulo n. Words at or above the largest multiple of n are skipped, so that every number is equally likely. The cards are
then swapped by a Fisher-Yates shuffle that starts at the end.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, count
from typing import TypeVar

T = TypeVar("T")

_WORD_VALUES = 1 << 32
# The words of a block.
_WORDS = struct.Struct(">8I")

# HMAC as its definition says (RFC 2104): half the time of the library's for such short messages.
_KEY_BYTES = 64
_TO_INNER_KEY = bytes(byte ^ 0x36 for byte in range(256))
_TO_OUTER_KEY = bytes(byte ^ 0x5C for byte in range(256))


def draw_words(seed: bytes, label: str) -> Iterator[int]:
    return chain.from_iterable(_draw_blocks(seed, label))


def _draw_blocks(seed: bytes, label: str) -> Iterator[tuple[int, ...]]:
    key = seed if len(seed) <= _KEY_BYTES else sha256(seed).digest()
    key = key.ljust(_KEY_BYTES, b"\0")
    begun = key.translate(_TO_INNER_KEY) + f"{label}:".encode("ascii")
    outer_key = key.translate(_TO_OUTER_KEY)
    for block in count():
        inner = sha256(begun + b"%d" % block).digest()
        yield _WORDS.unpack(sha256(outer_key + inner).digest())


def shuffle(items: Sequence[T], *, seed: bytes, label: str) -> tuple[T, ...]:
    """Return the items in random order.

    The label distinguishes the shuffles of one deal: its toss, its cards and each reshuffle.
    """
    return shuffle_by(draw_words(seed, label), items)


def shuffle_by(words: Iterable[int], items: Sequence[T]) -> tuple[T, ...]:
    """Return the items in the order that these random words determine. If the words are uniform, so is the shuffle."""
    cards = list(items)
    left = len(cards)
    for word in words:
        if left < 2:
            break
        other = word % left
        if word - other <= _WORD_VALUES - left:
            left -= 1
            cards[left], cards[other] = cards[other], cards[left]
    return tuple(cards)
