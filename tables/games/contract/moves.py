"""What a player may do, and how it is written on the wire."""

from dataclasses import dataclass
from typing import ClassVar, Final, Literal, get_args

from tables.games.base import JSON
from tables.games.cards import FACE_TEXT, PRINTED_JOKER, Card, card_texts
from tables.games.rummy.forms import (
    BOOL,
    REV,
    SOURCE,
    Field,
    Groups,
    MoveForms,
    card_field,
    group_fields,
    listed,
    malformed,
    whole_number,
)

Source = Literal["closed", "open"]
To = Literal["hand", "front", "back"]
Faces = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """Cards for one meld, and what each of them stands for."""

    cards: tuple[Card, ...]
    faces: Faces


@dataclass(frozen=True, slots=True)
class Draw:
    """From the closed deck: it refuses the upcard, which the others may buy (C6)."""

    kind: ClassVar = "draw"
    source: Source


@dataclass(frozen=True, slots=True)
class Buy:
    """Ask for the upcard that the player in turn has refused (C7)."""

    kind: ClassVar = "buy"


@dataclass(frozen=True, slots=True)
class Pass:
    kind: ClassVar = "pass"


@dataclass(frozen=True, slots=True)
class NeverBuy:
    """Whether one passes every upcard of this deal beforehand; nobody is told (C7)."""

    kind: ClassVar = "never_buy"
    on: bool


@dataclass(frozen=True, slots=True)
class LayContract:
    """All melds of the contract at once, in any order (C9)."""

    kind: ClassVar = "contract"
    melds: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class LayOff:
    """Add cards to the meld of this number, the first one laid being 0 (C10)."""

    kind: ClassVar = "lay_off"
    meld: int
    laid: Laid


@dataclass(frozen=True, slots=True)
class SwapJoker:
    """Lay the card that a joker of a run stands for; the joker goes to the hand, or to an end of
    its run (C11)."""

    kind: ClassVar = "swap_joker"
    meld: int
    card: Card
    to: To


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


Move = Draw | Buy | Pass | NeverBuy | LayContract | LayOff | SwapJoker | Discard | Arrange | Leave

# A hand never has more cards than it can be dealt and can buy; unlimited buying is cut here.
_MAX_HAND: Final = 110
_MAX_MELDS: Final = 3 * 5
_CARD: Final = card_field()
_GROUPS: Final = group_fields(_CARD, _MAX_HAND)
_CARDS: Final = listed(_CARD, _MAX_HAND)
_FACE_BY_TEXT: Final = {text: face for face, text in enumerate(FACE_TEXT)}


def _read_face(value: object) -> int:
    face = _FACE_BY_TEXT.get(value) if isinstance(value, str) else None
    if face is None or face == PRINTED_JOKER:
        raise malformed()
    return face


_FACES: Final = listed(Field(_read_face, FACE_TEXT.__getitem__), _MAX_HAND)


def _read_laid(value: object) -> Laid:
    if not isinstance(value, dict) or value.keys() != {"cards", "as"}:
        raise malformed()
    laid = Laid(_CARDS.read(value["cards"]), _FACES.read(value["as"]))
    if len(laid.cards) != len(laid.faces):
        raise malformed()
    return laid


def laid_json(laid: Laid) -> dict[str, JSON]:
    return {"cards": card_texts(laid.cards), "as": [FACE_TEXT[face] for face in laid.faces]}


def _read_to(value: object) -> str:
    if value not in get_args(To):
        raise malformed()
    return str(value)


_LAID: Final = Field(_read_laid, laid_json)

FORMS: Final = MoveForms[Move](
    get_args(Move),
    {
        "source": SOURCE,
        "on": BOOL,
        "melds": listed(_LAID, 3),
        "meld": whole_number(_MAX_MELDS),
        "laid": _LAID,
        "card": _CARD,
        "to": Field(_read_to, str),
        "groups": _GROUPS,
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
