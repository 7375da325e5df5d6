"""What a player may do, and how it is written on the wire."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Literal, get_args

from tables.games.base import JSON
from tables.games.cards import CARD_BY_TEXT, CARD_TEXT, Card, card_texts
from tables.games.indian.declaration import Groups
from tables.games.indian.refusals import Refusal, illegal

Source = Literal["closed", "open"]


@dataclass(frozen=True, slots=True)
class Draw:
    kind: ClassVar = "draw"
    source: Source


@dataclass(frozen=True, slots=True)
class Discard:
    kind: ClassVar = "discard"
    card: Card


@dataclass(frozen=True, slots=True)
class Drop:
    kind: ClassVar = "drop"


@dataclass(frozen=True, slots=True)
class Finish:
    """Put the fourteenth card into the finish slot (R3.2)."""

    kind: ClassVar = "finish"
    card: Card


@dataclass(frozen=True, slots=True)
class Declare:
    kind: ClassVar = "declare"
    groups: Groups


@dataclass(frozen=True, slots=True)
class Show:
    """Lay one's groups after somebody else's valid declaration (R3.6)."""

    kind: ClassVar = "show"
    groups: Groups


@dataclass(frozen=True, slots=True)
class Arrange:
    """Save the groups that count if one does not answer (R6.4); a newer `rev` wins."""

    kind: ClassVar = "arrange"
    rev: int
    groups: Groups


@dataclass(frozen=True, slots=True)
class Leave:
    kind: ClassVar = "leave"


@dataclass(frozen=True, slots=True)
class Rejoin:
    """Come back after elimination, or say that one does not (R8.2)."""

    kind: ClassVar = "rejoin"
    accept: bool


@dataclass(frozen=True, slots=True)
class OfferSplit:
    """Ask the others to share the prize (R8.4)."""

    kind: ClassVar = "offer_split"


@dataclass(frozen=True, slots=True)
class AnswerSplit:
    kind: ClassVar = "answer_split"
    accept: bool


DealMove = Draw | Discard | Drop | Finish | Declare | Show | Arrange | Leave
MatchMove = Rejoin | OfferSplit | AnswerSplit
Move = DealMove | MatchMove

_MOVES: Final[Mapping[str, type[Move]]] = {
    move.kind: move for move in (*get_args(DealMove), *get_args(MatchMove))
}
_FIELDS: Final = {kind: tuple(f.name for f in fields(move)) for kind, move in _MOVES.items()}
_KEYS: Final = {kind: {"kind", *names} for kind, names in _FIELDS.items()}

# Far above what a client counts up to in a deal, and it fits into the database.
_MAX_REV: Final = 2**31 - 1
_MAX_HAND: Final = 14


def parse_move(data: object) -> Move:
    """Read a move; anything missing, unknown or of another type is a malformed move."""
    if not isinstance(data, dict):
        raise illegal(Refusal.MALFORMED_MOVE)
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in _MOVES or data.keys() != _KEYS[kind]:
        raise illegal(Refusal.MALFORMED_MOVE)
    values: dict[str, Any] = {name: _READERS[name](data[name]) for name in _FIELDS[kind]}
    return _MOVES[kind](**values)


def move_json(move: Move) -> dict[str, JSON]:
    written: dict[str, JSON] = {"kind": move.kind}
    for name in _FIELDS[move.kind]:
        written[name] = _WRITERS[name](getattr(move, name))
    return written


def _read_source(value: object) -> Source:
    if value == "closed":
        return "closed"
    if value == "open":
        return "open"
    raise illegal(Refusal.MALFORMED_MOVE)


def _read_card(value: object) -> Card:
    card = CARD_BY_TEXT.get(value) if isinstance(value, str) else None
    if card is None:
        raise illegal(Refusal.MALFORMED_MOVE)
    return card


def _read_groups(value: object) -> Groups:
    """Groups are never empty, and a hand never has more than fourteen cards."""
    if not isinstance(value, list) or len(value) > _MAX_HAND:
        raise illegal(Refusal.MALFORMED_MOVE)
    return tuple(_read_group(group) for group in value)


def _read_group(value: object) -> tuple[Card, ...]:
    if not isinstance(value, list) or not 0 < len(value) <= _MAX_HAND:
        raise illegal(Refusal.MALFORMED_MOVE)
    return tuple(_read_card(card) for card in value)


def _read_rev(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _MAX_REV:
        raise illegal(Refusal.MALFORMED_MOVE)
    return value


def _read_accept(value: object) -> bool:
    if type(value) is not bool:
        raise illegal(Refusal.MALFORMED_MOVE)
    return value


_READERS: Final[Mapping[str, Callable[[object], object]]] = {
    "source": _read_source,
    "card": _read_card,
    "groups": _read_groups,
    "rev": _read_rev,
    "accept": _read_accept,
}
_WRITERS: Final[Mapping[str, Callable[[Any], JSON]]] = {
    "source": str,
    "card": CARD_TEXT.__getitem__,
    "groups": lambda groups: [card_texts(group) for group in groups],
    "rev": int,
    "accept": bool,
}
