"""States as they were stored before msgpack: JSON lists, cards in hexadecimal. Read for one release.

A game names the fields of each class in the order in which they stood; their types say the rest.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from itertools import islice
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from games.cards import CARDS, Card

HEAD: Final = ord("[")


class Version1:
    """Reads states of `match_type`.

    `fields`: names by class. `readers`: functions for classes stored in a form of their own.
    `amend` changes what was stored of a match.
    """

    def __init__(
        self,
        match_type: type[Any],
        *,
        fields: Mapping[str, str],
        rules: Callable[[object], Any],
        readers: Mapping[Any, Callable[[Any], Any]] | None = None,
        amend: Callable[[dict[str, Any]], None] = lambda _values: None,
    ) -> None:
        self._match_type = match_type
        self._fields = {name: names.split() for name, names in fields.items()}
        self._rules = rules
        self._readers = {Card: CARDS.__getitem__, bytes: bytes.fromhex, **(readers or {})}
        self._amend = amend

    def load(self, data: bytes) -> Any:
        _version, *values = json.loads(data)
        # Some games stored the fields beside the version, some as a list of their own.
        return self._read_value(self._match_type, values[0] if len(values) == 1 else values)

    def _read_value(self, kind: Any, stored: Any) -> Any:
        if kind in self._readers:
            return self._readers[kind](stored)
        origin, parts = get_origin(kind), get_args(kind)
        if origin in (Annotated, Union, UnionType):
            [inner, *_metadata] = [part for part in parts if part is not NoneType]
            return None if stored is None else self._read_value(inner, stored)
        if origin is tuple:
            return self._read_tuple(parts, stored)
        if getattr(kind, "__name__", None) in self._fields:
            return self._read_struct(kind, stored)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return kind(stored)
        return stored

    def _read_struct(self, kind: Any, stored: Any) -> Any:
        hints = get_type_hints(kind, include_extras=True)
        values = dict(zip(self._fields[kind.__name__], stored, strict=True))
        if kind is self._match_type:
            self._amend(values)
        values = {
            name: self._rules(json.loads(value))
            if name == "rules"
            else self._read_value(hints.get(name, Any), value)
            for name, value in values.items()
        }
        return kind(**values)

    def _read_tuple(self, parts: tuple[Any, ...], stored: Any) -> tuple[Any, ...]:
        if isinstance(stored, str):
            return tuple(_from_hex(parts, stored))
        kinds = islice(parts, 1) if parts[-1] is ... else parts
        each = [*kinds] * (len(stored) if parts[-1] is ... else 1)
        return tuple(
            self._read_value(kind, value) for kind, value in zip(each, stored, strict=True)
        )


def _from_hex(parts: tuple[Any, ...], text: str) -> Iterator[Any]:
    """Cards, numbers, (seat, card) pairs, or groups: their sizes, a full stop, then all cards."""
    sizes, is_groups, numbers = text.rpartition(".")
    values = bytes.fromhex(numbers)
    if is_groups:
        # Games with longer groups stored a size as two digits; no size is zero.
        lengths = bytes.fromhex(sizes) if sizes.startswith("0") else [int(s, 16) for s in sizes]
        cards = map(CARDS.__getitem__, values)
        return (tuple(islice(cards, length)) for length in lengths)
    if parts[0] is Card:
        return map(CARDS.__getitem__, values)
    if get_origin(parts[0]) is tuple:
        return zip(values[::2], map(CARDS.__getitem__, values[1::2]), strict=True)
    return iter(values)
