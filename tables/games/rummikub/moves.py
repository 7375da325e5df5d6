"""What a player may do, and how it is written on the wire."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, get_args

from tables.games.base import JSON
from tables.games.cards import CARD_BY_TEXT, FACE_TEXT, PRINTED_JOKER, Card
from tables.games.rummikub.melds import DECK, Meld, Melds, laid, melds_json, read_meld
from tables.games.rummikub.refusals import Refusal, illegal


@dataclass(frozen=True, slots=True)
class Lay:
    """The whole table as it shall be (K5)."""

    kind: ClassVar = "lay"
    table: Melds


@dataclass(frozen=True, slots=True)
class Draw:
    """One tile from the pool, which ends the turn."""

    kind: ClassVar = "draw"


@dataclass(frozen=True, slots=True)
class Pass:
    """Only when the pool is empty."""

    kind: ClassVar = "pass"


@dataclass(frozen=True, slots=True)
class Arrange:
    """Keep the table that the player is building (K12), or what they were building no more; a newer
    `rev` wins."""

    kind: ClassVar = "arrange"
    rev: int
    table: Melds | None


@dataclass(frozen=True, slots=True)
class Leave:
    kind: ClassVar = "leave"


Move = Lay | Draw | Pass | Arrange | Leave

_MOVES: Final[Mapping[str, type[Move]]] = {move.kind: move for move in get_args(Move)}
_FIELDS: Final = {kind: tuple(f.name for f in fields(move)) for kind, move in _MOVES.items()}
_KEYS: Final = {kind: {"kind", *names} for kind, names in _FIELDS.items()}

# Far above what a client counts up to in a deal, and it fits into the database.
_MAX_REV: Final = 2**31 - 1
_TILES: Final = len(DECK)
_FACE_BY_TEXT: Final = {text: face for face, text in enumerate(FACE_TEXT) if face != PRINTED_JOKER}


def parse_move(data: object) -> Move:
    """Read a move; anything missing, unknown or of another type is a malformed move."""
    if not isinstance(data, dict):
        raise illegal(Refusal.MALFORMED_MOVE)
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in _MOVES or data.keys() != _KEYS[kind]:
        raise illegal(Refusal.MALFORMED_MOVE)
    values: dict[str, Any] = {name: _READERS[kind, name](data[name]) for name in _FIELDS[kind]}
    return _MOVES[kind](**values)


def move_json(move: Move) -> dict[str, JSON]:
    written: dict[str, JSON] = {"kind": move.kind}
    if isinstance(move, Arrange):
        written["rev"] = move.rev
        written["table"] = None if move.table is None else draft_json(move.table)
    if isinstance(move, Lay):
        written["table"] = melds_json(move.table)
    return written


def draft_json(table: Melds) -> list[JSON]:
    """Of tiles that are no meld nobody knows what their jokers stand for: `as` is null."""
    return [{**meld.json(), "as": stands_json(meld)} for meld in table]


def stands_json(meld: Meld) -> JSON:
    """What each tile is or stands for; null for what is no meld."""
    return None if meld.kind is None else meld.json()["as"]


def read_draft(rev: int, draft: object) -> Arrange:
    """The move that keeps this table, or none (null). Raises `IllegalMove`."""
    return Arrange(_read_rev(rev), _read_draft(draft))


def _read_rev(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _MAX_REV:
        raise illegal(Refusal.MALFORMED_MOVE)
    return value


def _read_draft(value: object) -> Melds | None:
    return None if value is None else _read_melds(value, _read_loosely)


def _read_table(value: object) -> Melds:
    return _read_melds(value, _read_meld)


def _read_melds(value: object, read: Callable[[object], Meld]) -> Melds:
    """Melds without a tile, and tiles that are there twice, are nobody's table."""
    if not isinstance(value, list) or len(value) > _TILES:
        raise illegal(Refusal.MALFORMED_MOVE)
    melds = tuple(read(meld) for meld in value)
    cards = [card for meld in melds for card in meld.cards]
    if len(set(cards)) < len(cards):
        raise illegal(Refusal.MALFORMED_MOVE)
    return melds


def _read_meld(value: object) -> Meld:
    if not isinstance(value, dict) or value.keys() != {"cards", "as"}:
        raise illegal(Refusal.MALFORMED_MOVE)
    cards, faces = _read_cards(value["cards"]), value["as"]
    if not isinstance(faces, list) or len(faces) != len(cards):
        raise illegal(Refusal.MALFORMED_MOVE)
    return laid(cards, [_read_face(face) for face in faces])


def _read_loosely(value: object) -> Meld:
    """While a table is being built nobody has to say what a joker stands for: `as` may be null."""
    if not isinstance(value, dict) or value.keys() != {"cards", "as"}:
        raise illegal(Refusal.MALFORMED_MOVE)
    read = read_meld(_read_cards(value["cards"]))
    if value["as"] is None:
        return read
    said = _read_meld(value)
    return read if said.kind is None else said


def _read_cards(value: object) -> tuple[Card, ...]:
    if not isinstance(value, list) or not 0 < len(value) <= _TILES:
        raise illegal(Refusal.MALFORMED_MOVE)
    return tuple(_read_card(card) for card in value)


def _read_card(value: object) -> Card:
    """One of the 106 that are played with (K1)."""
    card = CARD_BY_TEXT.get(value) if isinstance(value, str) else None
    if card is None or card >= _TILES:
        raise illegal(Refusal.MALFORMED_MOVE)
    return card


def _read_face(value: object) -> int:
    face = _FACE_BY_TEXT.get(value) if isinstance(value, str) else None
    if face is None:
        raise illegal(Refusal.MALFORMED_MOVE)
    return face


_READERS: Final[Mapping[tuple[str, str], Callable[[object], object]]] = {
    ("lay", "table"): _read_table,
    ("arrange", "rev"): _read_rev,
    ("arrange", "table"): _read_draft,
}
