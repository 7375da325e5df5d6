"""What a player may do, and how it is written on the wire."""

from dataclasses import dataclass
from typing import ClassVar, Final, Literal, get_args

from tables.games.base import JSON
from tables.games.cards import Card
from tables.games.indian.declaration import Groups
from tables.games.rummy.forms import BOOL, REV, SOURCE, MoveForms, card_field, group_fields

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

_MAX_HAND: Final = 14
_CARD: Final = card_field()

_FORMS: Final = MoveForms[Move](
    (*get_args(DealMove), *get_args(MatchMove)),
    {
        "source": SOURCE,
        "card": _CARD,
        "groups": group_fields(_CARD, _MAX_HAND),
        "rev": REV,
        "accept": BOOL,
    },
)


def parse_move(data: object) -> Move:
    """Read a move; anything missing, unknown or of another type is a malformed move."""
    return _FORMS.parse(data)


def move_json(move: Move) -> dict[str, JSON]:
    return _FORMS.json(move)
