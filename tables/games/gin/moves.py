"""What a player may do, and how it is written on the wire."""

from dataclasses import dataclass
from typing import ClassVar, Final, Literal, get_args

from tables.games.base import JSON
from tables.games.cards import CARD_TEXT, Card
from tables.games.gin.melds import Groups, LayOffs
from tables.games.gin.rulesets import DECK_SIZE
from tables.games.rummy.forms import (
    REV,
    SOURCE,
    Field,
    MoveForms,
    card_field,
    group_fields,
    listed,
    malformed,
    or_null,
    whole_number,
)

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

_MAX_HAND: Final = 11
# One of the 52 that are played with (G1).
_CARD: Final = card_field(lambda card: card < DECK_SIZE)
_GROUPS: Final = group_fields(_CARD, _MAX_HAND)
_MELD: Final = whole_number(_MAX_HAND)


def _read_lay_off(value: object) -> tuple[Card, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise malformed()
    card, meld = value
    return _CARD.read(card), _MELD.read(meld)


_LAY_OFF: Final = Field(_read_lay_off, lambda lay_off: [CARD_TEXT[lay_off[0]], lay_off[1]])

_FORMS: Final = MoveForms[Move](
    get_args(Move),
    {
        "source": SOURCE,
        "card": _CARD,
        "groups": _GROUPS,
        "lay_offs": listed(_LAY_OFF, _MAX_HAND),
        "rev": REV,
    },
    {("knock", "card"): or_null(_CARD)},
)


def parse_move(data: object) -> Move:
    """Read a move; anything missing, unknown or of another type is a malformed move."""
    return _FORMS.parse(data)


def move_json(move: Move) -> dict[str, JSON]:
    return _FORMS.json(move)


def read_arrangement(rev: int, groups: object) -> Arrange:
    """The move that keeps these groups. Raises `IllegalMove`."""
    return Arrange(REV.read(rev), _GROUPS.read(groups))
