"""What a player may do, and how it is written on the wire."""

from dataclasses import dataclass
from typing import ClassVar, Final, Literal, get_args

from tables.games.base import JSON
from tables.games.basic.rulesets import DECK_SIZE
from tables.games.cards import Card
from tables.games.rummy.forms import (
    REV,
    SOURCE,
    Groups,
    MoveForms,
    card_field,
    group_fields,
    listed,
    whole_number,
)

Source = Literal["closed", "open"]


@dataclass(frozen=True, slots=True)
class Draw:
    kind: ClassVar = "draw"
    source: Source


@dataclass(frozen=True, slots=True)
class Meld:
    """Lay new melds on the table, one or several at once (B5)."""

    kind: ClassVar = "meld"
    groups: Groups


@dataclass(frozen=True, slots=True)
class LayOff:
    """Add cards to the meld of this number, the first one laid being 0 (B6)."""

    kind: ClassVar = "lay_off"
    meld: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Discard:
    kind: ClassVar = "discard"
    card: Card


@dataclass(frozen=True, slots=True)
class Arrange:
    """Save the order of one's own hand; a newer `rev` wins. It counts for nothing else."""

    kind: ClassVar = "arrange"
    rev: int
    groups: Groups


@dataclass(frozen=True, slots=True)
class Leave:
    kind: ClassVar = "leave"


Move = Draw | Meld | LayOff | Discard | Arrange | Leave

_MAX_HAND: Final = 11
# There are no more sequences and sets of three in a pack.
_MAX_MELDS: Final = DECK_SIZE // 3
_CARD: Final = card_field(lambda card: card < DECK_SIZE)
_GROUPS: Final = group_fields(_CARD, _MAX_HAND)

FORMS: Final = MoveForms[Move](
    get_args(Move),
    {
        "source": SOURCE,
        "card": _CARD,
        "cards": listed(_CARD, _MAX_HAND),
        "groups": _GROUPS,
        "meld": whole_number(_MAX_MELDS),
        "rev": REV,
    },
)


def parse_move(data: object) -> Move:
    return FORMS.parse(data)


def move_json(move: Move) -> dict[str, JSON]:
    return FORMS.json(move)


def read_arrangement(rev: int, groups: object) -> Arrange:
    """The move that keeps these groups. Raises `IllegalMove`."""
    return Arrange(REV.read(rev), _GROUPS.read(groups))
