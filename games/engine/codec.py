"""Immutable values, and states stored as bytes. Their types define the format (msgspec)."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, dataclass_transform

import msgspec
from msgspec.structs import replace

from games.cards import CARDS, Card

T = TypeVar("T")
Groups = tuple[tuple[Card, ...], ...]


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Value(msgspec.Struct, frozen=True, array_like=True):
    """An immutable value; `replace` returns a changed copy. Stored as a list of its fields.

    Append new fields at the end, with a default, so that older states can be read.
    """


class UnknownVersion(ValueError):  # noqa: N818 - says what it is
    """The state was written by a later version of this code."""


class Stored(Generic[T]):
    """States of one type as bytes, prefixed with the version of their format.

    `earlier` maps the first byte of an older format to its reader.
    """

    def __init__(
        self,
        kind: type[T],
        *,
        version: int,
        earlier: Mapping[int, Callable[[bytes], T]] | None = None,
    ) -> None:
        self._version = version
        self._earlier = earlier or {}
        self._head = bytes([version])
        self._encode = msgspec.msgpack.Encoder(enc_hook=_number).encode
        self._decode = msgspec.msgpack.Decoder(kind, dec_hook=_card).decode

    def dump(self, state: T) -> bytes:
        return self._head + self._encode(state)

    def load(self, data: bytes) -> T:
        if data[0] == self._version:
            return self._decode(memoryview(data)[1:])
        if data[0] in self._earlier:
            return self._earlier[data[0]](data)
        raise UnknownVersion(f"version {data[0]} of a stored match")


def _number(card: Any) -> int:
    return int(card)


def _card(_kind: Any, number: Any) -> Card:
    card: Card = CARDS[number]
    return card


__all__ = ["Groups", "Stored", "UnknownVersion", "Value", "replace"]
