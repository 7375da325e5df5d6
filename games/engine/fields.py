"""The fields of moves and of rule sets in JSON. Their type hints define which values are valid."""

from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from games.cards import CARD_BY_TEXT, CARD_TEXT, Card
from games.engine.base import JSON
from games.engine.state import as_json


@dataclass(frozen=True, slots=True)
class Within:
    """The bounds of a number, or of the length of a tuple: `Annotated[int, Within(1, 10)]`."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Form:
    """How a field with a JSON form of its own is read and written: `Annotated[Melds, Form(read_melds)]`."""

    read: Callable[[Any], Any]
    write: Callable[[Any], JSON] = as_json


# A number or a length without bounds of its own, as the database can store it.
ANY: Final = Within(0, 2**31 - 1)

# Fields that the rule sets of several games share. The bounds allow all values that make sense.
DAY_SECONDS: Final = 24 * 3_600
# Ten years, so that no deal ends by its limit of minutes.
NO_LIMIT_MINUTES: Final = 10 * 365 * 24 * 60
Points = Annotated[int, Within(0, 1_000)]  # a penalty or a bonus
MaxPoints = Annotated[int, Within(1, 1_000)]  # the most that a deal costs
CardPoints = Annotated[int, Within(0, 100)]  # what one card counts
Target = Annotated[int, Within(1, 1_000)]  # a score that ends a match
Deals = Annotated[int, Within(1, 50)]
Turns = Annotated[int, Within(1, 100)]  # of each player in a deal
Minutes = Annotated[int, Within(1, NO_LIMIT_MINUTES)]
MissedTurns = Annotated[int, Within(1, 20)]
Restocks = Annotated[int, Within(0, 10)]
Qualifiers = Annotated[int, Within(1, 7)]
Seconds = Annotated[int, Within(5, DAY_SECONDS)]  # to decide, or between two deals
ExtraSeconds = Annotated[int, Within(0, DAY_SECONDS)]

Reader = Callable[[Any], Any]
# Raised by a reader for a value of another type, one out of bounds, or an unknown card or choice.
UNREADABLE: Final = (TypeError, ValueError, KeyError)


def make_reader(kind: Any, cards: int = len(CARD_TEXT), bounds: Within = ANY) -> Reader:
    """Return a function that reads a value of this type, or raises an exception of `UNREADABLE`.

    `cards` is the size of the deck: only the first `cards` of all cards are valid.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        special = parts[1]
        return special.read if isinstance(special, Form) else make_reader(parts[0], cards, special)
    if origin in (Union, UnionType):
        [inner] = [make_reader(part, cards) for part in parts if part is not NoneType]
        return lambda value: None if value is None else inner(value)
    if origin is Literal:
        return {value: value for value in parts}.__getitem__
    if origin is tuple:
        return _make_tuple_reader(parts, cards, bounds)
    if kind is Card:
        return {text: card for text, card in CARD_BY_TEXT.items() if card < cards}.__getitem__
    return _number(bounds) if kind is int else _make_exact_reader(kind)


def make_readers(kind: Any, cards: int = len(CARD_TEXT)) -> dict[str, Reader]:
    """Return a reader for each field of a value class."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: make_reader(hints[name], cards) for name in kind.__struct_fields__}


def make_writers(kind: Any) -> dict[str, Callable[[Any], JSON]]:
    """Return a writer for each field of a value class."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: _make_writer(hints[name]) for name in kind.__struct_fields__}


def _make_writer(kind: Any) -> Callable[[Any], JSON]:
    special = get_args(kind)[1] if get_origin(kind) is Annotated else None
    return special.write if isinstance(special, Form) else as_json


def _number(bounds: Within) -> Reader:
    def read(value: Any) -> int:
        if type(value) is not int:
            raise TypeError(value)
        if not bounds.least <= value <= bounds.most:
            raise ValueError(value)
        return value

    return read


def _make_exact_reader(kind: type) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(value)
        return value

    return read


def _make_tuple_reader(parts: tuple[Any, ...], cards: int, bounds: Within) -> Reader:
    if parts[-1] is ...:
        one = make_reader(parts[0], cards)

        def read(value: Any) -> tuple[Any, ...]:
            if not isinstance(value, list | tuple):
                raise TypeError(value)
            if not bounds.least <= len(value) <= bounds.most:
                raise ValueError(value)
            return tuple([one(part) for part in value])

        return read
    each = [make_reader(part, cards) for part in parts]

    def read_each(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) != len(each):
            raise ValueError(value)
        return tuple(read(part) for read, part in zip(each, value, strict=True))

    return read_each
