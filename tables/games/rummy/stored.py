"""States as short bytes: lists of values in the order of a dataclass's fields, cards as hex."""

import json
from collections.abc import Callable, Iterable
from dataclasses import fields
from itertools import islice
from typing import Any, Final, Generic, NamedTuple, TypeVar

from tables.games.cards import CARDS, Card
from tables.games.rummy.forms import Groups
from tables.games.rummy.melds import Meld

T = TypeVar("T")

_card_of: Final = CARDS.__getitem__


class UnknownVersion(ValueError):  # noqa: N818 - says what it is
    """The state was written by a later version of this code."""


class Codec(NamedTuple):
    """Makes JSON of a value, and the value of this JSON."""

    dump: Callable[[Any], Any]
    load: Callable[[Any], Any]


class Record(Generic[T]):
    """A dataclass as a list. Fields without a codec are JSON already."""

    def __init__(self, kind: type[T], **codecs: Codec) -> None:
        self._kind = kind
        self._names = tuple(field.name for field in fields(kind))  # type: ignore[arg-type] # one
        self._codecs = codecs

    def dump(self, value: T) -> list[Any]:
        return [
            self._codecs[name].dump(getattr(value, name))
            if name in self._codecs
            else getattr(value, name)
            for name in self._names
        ]

    def load(self, data: list[Any]) -> T:
        values = {
            name: self._codecs[name].load(value) if name in self._codecs else value
            for name, value in zip(self._names, data, strict=True)
        }
        return self._kind(**values)

    @property
    def codec(self) -> Codec:
        return Codec(self.dump, self.load)


class Stored(Generic[T]):
    """Whole states of one version."""

    def __init__(self, version: int, record: Record[T]) -> None:
        self._version = version
        self._record = record
        self._encode = json.JSONEncoder(separators=(",", ":")).encode

    def dump(self, state: T) -> bytes:
        return self._encode([self._version, self._record.dump(state)]).encode("ascii")

    def load(self, data: bytes) -> T:
        version, state = json.loads(data)
        if version != self._version:
            raise UnknownVersion(f"version {version} of a stored match")
        return self._record.load(state)


def or_null(codec: Codec) -> Codec:
    return Codec(
        lambda value: None if value is None else codec.dump(value),
        lambda value: None if value is None else codec.load(value),
    )


def each(codec: Codec) -> Codec:
    return Codec(
        lambda values: [codec.dump(value) for value in values],
        lambda values: tuple(codec.load(value) for value in values),
    )


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(_card_of, bytes.fromhex(text)))


def _dump_groups(groups: Groups) -> str:
    """The size of each group as a byte, a full stop, then all cards."""
    sizes = bytes(map(len, groups)).hex()
    return f"{sizes}.{''.join(bytes(group).hex() for group in groups)}"


def _load_groups(text: str) -> Groups:
    sizes, _, numbers = text.partition(".")
    cards = iter(_cards(numbers))
    return tuple(tuple(islice(cards, size)) for size in bytes.fromhex(sizes))


def _by_seat(rows: Iterable[Iterable[int]]) -> list[list[int]]:
    return [list(row) for row in rows]


CARD: Final = Codec(int, _card_of)
CARDS_HEX: Final = Codec(lambda cards: bytes(cards).hex(), _cards)
NUMBERS_HEX: Final = Codec(lambda numbers: bytes(numbers).hex(), lambda t: tuple(bytes.fromhex(t)))
GROUPS: Final = Codec(_dump_groups, _load_groups)
NUMBERS: Final = Codec(list, tuple)
# Pairs of numbers, such as a seat and its points.
PAIRS: Final = Codec(_by_seat, lambda rows: tuple((one, other) for one, other in rows))
DISCARDS: Final = Codec(_by_seat, lambda rows: tuple((seat, CARDS[card]) for seat, card in rows))
BYTES: Final = Codec(bytes.hex, bytes.fromhex)


def enum(kind: Any) -> Codec:
    return Codec(lambda member: member.value, kind)


MELD: Final = Record(Meld, cards=CARDS_HEX, faces=NUMBERS_HEX, by=NUMBERS_HEX).codec
