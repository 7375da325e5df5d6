"""How moves are written on the wire, for every game alike: `kind`, and the fields of the move.

A move is a dataclass with its `kind`. What its fields hold is read by the field's name; anything
missing, unknown or of another type is a malformed move.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, Final, Generic, NamedTuple, TypeVar

from tables.games.base import JSON, IllegalMove
from tables.games.cards import CARD_BY_TEXT, CARD_TEXT, Card, card_texts
from tables.games.wording import gettext_noop as _

MoveT = TypeVar("MoveT")
Groups = tuple[tuple[Card, ...], ...]

# Far above what a client counts up to in a deal, and it fits into the database.
_MAX_REV: Final = 2**31 - 1
NO_MOVE: Final = _("That is not a move of this game.")


class Field(NamedTuple):
    """Reads a value of the wire, or raises `malformed()`; writes it back."""

    read: Callable[[object], Any]
    write: Callable[[Any], JSON]


def malformed() -> IllegalMove:
    return IllegalMove("malformed_move", NO_MOVE)


class MoveForms(Generic[MoveT]):
    """The moves of one game. `of_move` has fields that one kind reads in another way."""

    def __init__(
        self,
        moves: Iterable[Any],
        by_name: Mapping[str, Field],
        of_move: Mapping[tuple[str, str], Field] | None = None,
    ) -> None:
        self._moves: dict[str, Any] = {move.kind: move for move in moves}
        special = of_move or {}
        self._fields = {
            kind: {f.name: special.get((kind, f.name)) or by_name[f.name] for f in fields(move)}
            for kind, move in self._moves.items()
        }
        self._keys = {kind: {"kind", *named} for kind, named in self._fields.items()}

    def parse(self, data: object) -> MoveT:
        if not isinstance(data, dict):
            raise malformed()
        kind = data.get("kind")
        if not isinstance(kind, str) or kind not in self._moves or data.keys() != self._keys[kind]:
            raise malformed()
        values = {name: field.read(data[name]) for name, field in self._fields[kind].items()}
        move: MoveT = self._moves[kind](**values)
        return move

    def json(self, move: Any) -> dict[str, JSON]:
        written: dict[str, JSON] = {"kind": move.kind}
        for name, field in self._fields[move.kind].items():
            written[name] = field.write(getattr(move, name))
        return written


def _read_source(value: object) -> str:
    if value not in ("closed", "open"):
        raise malformed()
    return str(value)


def _read_bool(value: object) -> bool:
    if type(value) is not bool:
        raise malformed()
    return value


def whole_number(limit: int) -> Field:
    """From 0 up to, and not with, the limit."""

    def read(value: object) -> int:
        if type(value) is not int or not 0 <= value < limit:
            raise malformed()
        return value

    return Field(read, int)


SOURCE: Final = Field(_read_source, str)
BOOL: Final = Field(_read_bool, bool)
REV: Final = whole_number(_MAX_REV + 1)


def card_field(is_played: Callable[[Card], bool] | None = None) -> Field:
    """One of the cards that the game is played with; all of them by default."""

    def read(value: object) -> Card:
        card = CARD_BY_TEXT.get(value) if isinstance(value, str) else None
        if card is None or (is_played is not None and not is_played(card)):
            raise malformed()
        return card

    return Field(read, CARD_TEXT.__getitem__)


def or_null(field: Field) -> Field:
    return Field(
        lambda value: None if value is None else field.read(value),
        lambda value: None if value is None else field.write(value),
    )


def listed(field: Field, most: int, *, least: int = 0) -> Field:
    """A list of so many values."""

    def read(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise malformed()
        return tuple(field.read(one) for one in value)

    return Field(read, lambda values: [field.write(one) for one in values])


def group_fields(card: Field, most: int) -> Field:
    """Groups of a hand: never empty, and no more cards in one than a hand has."""
    return listed(listed(card, most, least=1), most)


def group_texts(groups: Groups) -> list[list[str]]:
    return [card_texts(group) for group in groups]
