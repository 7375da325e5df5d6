"""The melds of Contract Rummy: contracts, lay-offs and jokers (C3 to C5, C9 to C11)."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Annotated, Any, Final, Literal

from games.cards import FACE_RANK, FACE_SUIT, FACE_TEXT, PRINTED_JOKER, Card, card_texts
from games.contract.rules.ruleset import LARGEST_DECK, RUN, SET, Contract, ContractRules
from games.engine.base import JSON
from games.engine.base import gettext_noop as _
from games.engine.fields import Form, Within, make_reader
from games.engine.laid import HIGH_ACE, LOW_ACE, Meld, build_meld, extend_meld, face_at
from games.engine.laying import DOES_NOT_FIT
from games.engine.moves import MoveRefusal
from games.engine.state import Value

CONTRACT_NOT_MET: Final = MoveRefusal(
    "contract_not_met", _("These melds are not the contract of this deal.")
)
JOKER_IS_DEAD: Final = MoveRefusal("joker_is_dead", _("A joker in a set cannot be taken."))
NO_SUCH_JOKER: Final = MoveRefusal("no_such_joker", _("No joker of that run replaces this card."))

# Where the joker of a swap goes.
To = Literal["hand", "front", "back"]

_read_cards: Final = make_reader(Annotated[tuple[Card, ...], Within(0, LARGEST_DECK)])
_FACE_BY_TEXT: Final = {text: face for face, text in enumerate(FACE_TEXT) if face != PRINTED_JOKER}


class LaidMeld(Value):
    """Cards that a player wants to lay as one meld, and the faces that they stand for."""

    cards: tuple[Card, ...]
    faces: tuple[int, ...]

    @classmethod
    def read(cls, value: Any) -> "LaidMeld":
        """Read `{"cards": [...], "as": [...]}`. Raises `ValueError` or `TypeError` if it is malformed."""
        if not isinstance(value, dict) or value.keys() != {"cards", "as"}:
            raise ValueError(value)
        cards, faces = _read_cards(value["cards"]), value["as"]
        if not isinstance(faces, list) or len(faces) != len(cards):
            raise ValueError(faces)
        if not all(isinstance(face, str) and face in _FACE_BY_TEXT for face in faces):
            raise ValueError(faces)
        return cls(cards, tuple(_FACE_BY_TEXT[face] for face in faces))

    def json(self) -> dict[str, JSON]:
        return {"cards": card_texts(self.cards), "as": [FACE_TEXT[face] for face in self.faces]}


# A `LaidMeld` as a field of a move.
LaidCards = Annotated[LaidMeld, Form(LaidMeld.read)]


def stands(laid: LaidMeld, rules: ContractRules) -> bool:
    """Return whether all cards except jokers stand for themselves (C3)."""
    pairs = zip(laid.cards, laid.faces, strict=True)
    return all(card.face == face or rules.is_wild(card) for card, face in pairs)


def as_meld(laid: LaidMeld, rules: ContractRules, *, seat: int = 0) -> Meld | None:
    """Return the new meld, or None if it is invalid or too few of its cards stand for themselves (C3, C4)."""
    meld = (
        build_meld(laid.cards, laid.faces, rules.shape, seat=seat) if stands(laid, rules) else None
    )
    if meld is None:
        return None
    least = rules.min_naturals_set if meld.is_set else rules.min_naturals_run
    return meld if meld.naturals >= least else None


def contract_refusal(
    melds: Sequence[Meld], contract: Contract, rules: ContractRules, *, is_whole: bool
) -> MoveRefusal | None:
    """Check that these melds meet the contract (C4, C5)."""
    kinds = sorted(SET if meld.is_set else RUN for meld in melds)
    if kinds != sorted(contract):
        return CONTRACT_NOT_MET
    sizes = [(len(meld.cards), rules.min_set if meld.is_set else rules.min_run) for meld in melds]
    if rules.exact_contract and not is_whole and any(size > least for size, least in sizes):
        return CONTRACT_NOT_MET
    runs = [meld for meld in melds if not meld.is_set]
    touching = any(touch(one, other) for one, other in combinations(runs, 2))
    return CONTRACT_NOT_MET if touching else None


def touch(one: Meld, other: Meld) -> bool:
    """Return whether two runs are of one suit and overlap or adjoin (C5)."""
    if FACE_SUIT[one.faces[0]] != FACE_SUIT[other.faces[0]]:
        return False
    return one.start <= other.end + 1 and other.start <= one.end + 1


def add_to_meld(meld: Meld, laid: LaidMeld, rules: ContractRules, *, seat: int = 0) -> Meld | None:
    """Return the meld with these cards laid off on it, or None if they do not fit (C10)."""
    if not stands(laid, rules) or len(set(laid.cards)) < len(laid.cards):
        return None
    return extend_meld(meld, laid.cards, laid.faces, rules.shape, seat=seat)


def list_faces_onto(meld: Meld, card: Card, rules: ContractRules) -> Iterator[int]:
    """Yield the faces that this card could stand for if it were the only card laid off on the meld."""
    if meld.is_set:
        rank = FACE_RANK[meld.faces[0]]
        if card.rank == rank:
            yield card.face
        elif rules.is_wild(card):
            yield rank - 1
        return
    suit = FACE_SUIT[meld.faces[0]]
    for step in (meld.start - 1, meld.end + 1):
        if LOW_ACE <= step <= HIGH_ACE:
            face = face_at(suit, step)
            if card.face == face or rules.is_wild(card):
                yield face


def fits_somewhere(card: Card, melds: Sequence[Meld], rules: ContractRules) -> bool:
    return any(list(list_faces_onto(meld, card, rules)) for meld in melds)


def swap_joker(meld: Meld, card: Card, to: To, *, seat: int) -> tuple[Meld, Card] | MoveRefusal:
    """Let the card replace the joker that stands for it. Return the new meld and the joker, or a refusal (C11).

    `to` says where the joker goes: into the hand, or to the front or back of the meld.
    """
    if meld.is_set:
        return JOKER_IS_DEAD
    place = meld.find_joker_for(card.face)
    if place is None:
        return NO_SUCH_JOKER
    joker, faces = meld.cards[place], meld.faces
    cards = (*meld.cards[:place], card, *meld.cards[place + 1 :])
    by = (*meld.by[:place], seat, *meld.by[place + 1 :])
    natural = Meld(cards, faces, by, meld.start)
    if to == "hand":
        return natural, joker
    step = meld.start - 1 if to == "front" else meld.end + 1
    if not LOW_ACE <= step <= HIGH_ACE:
        return DOES_NOT_FIT
    face = face_at(FACE_SUIT[faces[0]], step)
    if to == "front":
        moved = Meld((joker, *cards), (face, *faces), (meld.by[place], *by), step)
    else:
        moved = Meld((*cards, joker), (*faces, face), (*by, meld.by[place]), meld.start)
    return moved, joker
