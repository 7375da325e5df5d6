"""Melds on the table: their shapes, their owners, and the cards that fit on them (B4, B6, C3).

Beside each card lies the face that it stands for. The cards of a run stand at
steps: 1 is a low ace, 2 to 13 the ranks, 14 a high ace.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from games.cards import FACE_RANK, FACE_SUIT, FACE_TEXT, PRINTED_JOKER, Card, card_texts
from games.engine.base import JSON

LOW_ACE: Final = 1
HIGH_ACE: Final = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The melds that a rule set allows."""

    min_set: int = 3
    min_run: int = 3
    # Whether an ace may follow a king, at the end of a run.
    ace_high: bool = False
    # Whether a set may hold a suit twice, as the cards of several packs do.
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld. `faces` are what the cards stand for, `by` the seats that laid them, in one order.

    A run lies in order, and `start` is the step of its first card; it is 0 for a set.
    """

    cards: tuple[Card, ...]
    faces: tuple[int, ...]
    by: tuple[int, ...]
    start: int = 0

    @property
    def is_set(self) -> bool:
        return not self.start

    @property
    def end(self) -> int:
        """The step of a run's last card."""
        return self.start + len(self.cards) - 1

    @property
    def naturals(self) -> int:
        """The number of cards that stand for themselves."""
        return sum(card.face == face for card, face in zip(self.cards, self.faces, strict=True))

    def find_joker_for(self, face: int) -> int | None:
        """Return the index of a card that stands for this face and has another, or None."""
        for place, (card, stands_for) in enumerate(zip(self.cards, self.faces, strict=True)):
            if stands_for == face and card.face != face:
                return place
        return None

    def json(self, word_for_run: str) -> dict[str, JSON]:
        """Return the meld as every player sees it."""
        return {
            "kind": "set" if self.is_set else word_for_run,
            "cards": card_texts(self.cards),
            "as": [FACE_TEXT[face] for face in self.faces],
            "by": list(self.by),
        }


def face_at(suit: int, step: int) -> int:
    return suit * 13 + (step - 1) % 13


def meld_of(
    cards: Sequence[Card], faces: Sequence[int], shape: Shape, *, seat: int = 0
) -> Meld | None:
    """Return these cards as a meld, in any order, or None if they are none. No face is a joker."""
    if len(set(cards)) < len(cards) or PRINTED_JOKER in faces:
        return None
    if len({FACE_RANK[face] for face in faces}) == 1:
        return _set_of(cards, faces, shape, seat)
    steps = steps_of(faces, shape)
    if steps is None or len(cards) < shape.min_run:
        return None
    return _run(sorted(zip(steps, cards, faces, [seat] * len(cards), strict=True)))


def extend_meld(
    meld: Meld, cards: Sequence[Card], faces: Sequence[int], shape: Shape, *, seat: int
) -> Meld | None:
    """Return the meld with these cards on it, or None. The cards that lie there do not move (B6)."""
    if not cards or PRINTED_JOKER in faces:
        return None
    by = [seat] * len(cards)
    if meld.is_set:
        everything = (*meld.cards, *cards), (*meld.faces, *faces)
        grown = meld_of(*everything, shape)
        if grown is None or not grown.is_set:
            return None
        return Meld(*everything, (*meld.by, *by))
    suits = {FACE_SUIT[face] for face in (meld.faces[0], *faces)}
    held = range(meld.start, meld.end + 1)
    steps = steps_of(faces, shape, beside=held)
    if len(suits) > 1 or steps is None:
        return None
    lying = zip(held, meld.cards, meld.faces, meld.by, strict=True)
    return _run(sorted([*lying, *zip(steps, cards, faces, by, strict=True)]))


def as_meld(cards: Sequence[Card], shape: Shape, *, seat: int = 0) -> Meld | None:
    """Return the meld of cards that all stand for themselves, or None."""
    return meld_of(cards, [card.face for card in cards], shape, seat=seat)


def add_to_meld(meld: Meld, cards: Sequence[Card], shape: Shape, *, seat: int = 0) -> Meld | None:
    """Return the meld with these cards, which stand for themselves, or None if they do not fit."""
    return extend_meld(meld, cards, [card.face for card in cards], shape, seat=seat)


def steps_of(
    faces: Sequence[int], shape: Shape, *, beside: Sequence[int] = ()
) -> tuple[int, ...] | None:
    """Return the steps at which these faces make one run with the steps beside them, or None.

    A single ace that could stand at either end is the low one.
    """
    if len({FACE_SUIT[face] for face in faces}) != 1:
        return None
    ranks = [FACE_RANK[face] for face in faces]
    if ranks.count(LOW_ACE) > 2:
        return None
    ace_steps = (LOW_ACE, HIGH_ACE) if shape.ace_high else (LOW_ACE,)
    for steps in product(*(ace_steps if rank == LOW_ACE else (rank,) for rank in ranks)):
        taken = sorted((*steps, *beside))
        if taken == list(range(taken[0], taken[0] + len(taken))):
            return steps
    return None


def _set_of(cards: Sequence[Card], faces: Sequence[int], shape: Shape, seat: int) -> Meld | None:
    if len(cards) < shape.min_set:
        return None
    if not shape.repeats and len(set(faces)) < len(faces):
        return None
    return Meld(tuple(cards), tuple(faces), (seat,) * len(cards))


def _run(rows: Sequence[tuple[int, Card, int, int]]) -> Meld:
    steps, cards, faces, by = zip(*rows, strict=True)
    return Meld(cards, faces, by, steps[0])
