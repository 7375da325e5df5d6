"""What a player may do, and how it is written on the wire."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Literal, get_args

from tables.games.base import JSON
from tables.games.cards import CARD_BY_TEXT, CARD_TEXT, Card
from tables.games.gin.melds import Groups, LayOffs, group_texts
from tables.games.gin.refusals import Refusal, illegal
from tables.games.gin.rulesets import DECK_SIZE

Source = Literal["closed", "open"]


@dataclass(frozen=True, slots=True)
class Draw:
    """While the upcard is offered (G4) only from the open pile."""

    kind: ClassVar = "draw"
    source: Source


@dataclass(frozen=True, slots=True)
class Pass:
    """Let the upcard go (G4)."""

    kind: ClassVar = "pass"


@dataclass(frozen=True, slots=True)
class Discard:
    kind: ClassVar = "discard"
    card: Card


@dataclass(frozen=True, slots=True)
class Knock:
    """Put `card` face down and lay melds; what is in none is deadwood (G7, G8).

    None as the card is big gin: the melds hold all eleven cards (G9).
    """

    kind: ClassVar = "knock"
    card: Card | None
    groups: Groups


@dataclass(frozen=True, slots=True)
class Defend:
    """Answer a knock (G10): one's own melds, and cards laid off in this order."""

    kind: ClassVar = "defend"
    groups: Groups
    lay_offs: LayOffs


@dataclass(frozen=True, slots=True)
class Arrange:
    """Save the order of one's own hand; a newer `rev` wins. It counts for nothing else."""

    kind: ClassVar = "arrange"
    rev: int
    groups: Groups


@dataclass(frozen=True, slots=True)
class Leave:
    kind: ClassVar = "leave"


Move = Draw | Pass | Discard | Knock | Defend | Arrange | Leave

_MOVES: Final[Mapping[str, type[Move]]] = {move.kind: move for move in get_args(Move)}
_FIELDS: Final = {kind: tuple(f.name for f in fields(move)) for kind, move in _MOVES.items()}
_KEYS: Final = {kind: {"kind", *names} for kind, names in _FIELDS.items()}

# Far above what a client counts up to in a deal, and it fits into the database.
_MAX_REV: Final = 2**31 - 1
_MAX_HAND: Final = 11


def parse_move(data: object) -> Move:
    """Read a move; anything missing, unknown or of another type is a malformed move."""
    if not isinstance(data, dict):
        raise illegal(Refusal.MALFORMED_MOVE)
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in _MOVES or data.keys() != _KEYS[kind]:
        raise illegal(Refusal.MALFORMED_MOVE)
    values: dict[str, Any] = {
        name: (_READERS.get((kind, name)) or _READERS["", name])(data[name])
        for name in _FIELDS[kind]
    }
    return _MOVES[kind](**values)


def move_json(move: Move) -> dict[str, JSON]:
    written: dict[str, JSON] = {"kind": move.kind}
    for name in _FIELDS[move.kind]:
        written[name] = _WRITERS[name](getattr(move, name))
    return written


def read_arrangement(rev: int, groups: object) -> Arrange:
    """The move that keeps these groups. Raises `IllegalMove`."""
    return Arrange(_read_rev(rev), _read_groups(groups))


def _read_source(value: object) -> Source:
    if value == "closed":
        return "closed"
    if value == "open":
        return "open"
    raise illegal(Refusal.MALFORMED_MOVE)


def _read_card(value: object) -> Card:
    """One of the 52 that are played with (G1)."""
    card = CARD_BY_TEXT.get(value) if isinstance(value, str) else None
    if card is None or card >= DECK_SIZE:
        raise illegal(Refusal.MALFORMED_MOVE)
    return card


def _read_card_or_none(value: object) -> Card | None:
    return None if value is None else _read_card(value)


def _read_groups(value: object) -> Groups:
    """Groups are never empty, and a hand never has more than eleven cards."""
    if not isinstance(value, list) or len(value) > _MAX_HAND:
        raise illegal(Refusal.MALFORMED_MOVE)
    return tuple(_read_group(group) for group in value)


def _read_group(value: object) -> tuple[Card, ...]:
    if not isinstance(value, list) or not 0 < len(value) <= _MAX_HAND:
        raise illegal(Refusal.MALFORMED_MOVE)
    return tuple(_read_card(card) for card in value)


def _read_lay_offs(value: object) -> LayOffs:
    if not isinstance(value, list) or len(value) > _MAX_HAND:
        raise illegal(Refusal.MALFORMED_MOVE)
    return tuple(_read_lay_off(lay_off) for lay_off in value)


def _read_lay_off(value: object) -> tuple[Card, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise illegal(Refusal.MALFORMED_MOVE)
    card, meld = value
    if type(meld) is not int or not 0 <= meld < _MAX_HAND:
        raise illegal(Refusal.MALFORMED_MOVE)
    return _read_card(card), meld


def _read_rev(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _MAX_REV:
        raise illegal(Refusal.MALFORMED_MOVE)
    return value


# By the move and the field; without a move for the field of any other one.
_READERS: Final[Mapping[tuple[str, str], Callable[[object], object]]] = {
    ("", "source"): _read_source,
    ("", "card"): _read_card,
    ("knock", "card"): _read_card_or_none,
    ("", "groups"): _read_groups,
    ("", "lay_offs"): _read_lay_offs,
    ("", "rev"): _read_rev,
}


def _lay_off_texts(lay_offs: LayOffs) -> list[list[JSON]]:
    return [[CARD_TEXT[card], meld] for card, meld in lay_offs]


_WRITERS: Final[Mapping[str, Callable[[Any], JSON]]] = {
    "source": str,
    "card": lambda card: None if card is None else CARD_TEXT[card],
    "groups": group_texts,
    "lay_offs": _lay_off_texts,
    "rev": int,
}
