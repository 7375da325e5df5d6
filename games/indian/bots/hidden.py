"""Inferences from what the other players took from the open pile and what they discarded.

A seat is not told of draws that it did not see; the cards taken are read off the open pile.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from games.cards import ACE, CARD_BY_TEXT, FACE_RANK, FACE_SUIT, FACES, Card
from games.indian.rules.ruleset import HAND_SIZE, RuleSet

# A card's relation to an equal one.
EQUAL: Final = 4


@dataclass
class ShownCards:
    """The cards that a seat took and still holds, and its discards, oldest first."""

    held: list[Card] = field(default_factory=list)
    thrown: list[Card] = field(default_factory=list)
    took: int = 0


@dataclass
class IndianSigns:
    by_seat: dict[int, ShownCards]
    # Discarded cards that are in the closed deck again (R4.6).
    returned: list[Card]


def read_signs(public: Mapping[str, Any], rules: RuleSet) -> IndianSigns:
    """Read the signs from the public view of a deal."""
    discards = [(seat, CARD_BY_TEXT[text]) for seat, text in public["discards"]]
    pile = {CARD_BY_TEXT[text] for text in public["open_pile"]}
    shown = {seat: ShownCards() for seat in public["order"]}
    last = {card: index for index, (_, card) in enumerate(discards)}
    gone = [
        index for index, (_, card) in enumerate(discards) if last[card] != index or card not in pile
    ]
    returned: list[Card] = []
    if _is_reshuffled(public, rules, len(discards), len(gone)):
        bottom = min((last[card] for card in pile if card in last), default=len(discards))
        returned = [discards[index][1] for index in gone if index < bottom]
        gone = [index for index in gone if index >= bottom]
    takers = dict.fromkeys(gone)
    for index, (seat, card) in enumerate(discards):
        mine = shown[seat]
        mine.thrown.append(card)
        if card in mine.held:
            mine.held.remove(card)
        if index in takers:
            taker = discards[index + 1][0] if index + 1 < len(discards) else public["turn"]
            if taker in shown:
                shown[taker].held.append(card)
                shown[taker].took += 1
    return IndianSigns(shown, returned)


def _is_reshuffled(public: Mapping[str, Any], rules: RuleSet, draws: int, gone: int) -> bool:
    """Return whether the closed deck was reshuffled. No deck is used up in fewer draws."""
    seats = len(public["order"])
    dealt = rules.packs_at(seats) * FACES - seats * HAND_SIZE - 2
    return draws >= dealt and gone > draws / 2


def find_relation(face: int, cards: Iterable[Card]) -> int:
    """Return the closest relation of a face to any of these cards.

    0 none; 1 the same rank; 2 the same suit with a gap; 3 next in the suit; 4 the same face.
    """
    closest = 0
    rank, suit = FACE_RANK[face], FACE_SUIT[face]
    for card in cards:
        other = card % FACES
        if other == face:
            return EQUAL
        if FACE_RANK[other] == rank:
            closest = max(closest, 1)
        elif FACE_SUIT[other] == suit:
            low, high = sorted((rank, FACE_RANK[other]))
            apart = min(high - low, 14 - high) if low == ACE else high - low
            if apart <= 2:
                closest = max(closest, 4 - apart)
    return closest


# How much likelier than others an unseen copy of a face is in a hand, by how the face goes with the cards
# that the seat took (rows) and discarded (columns). Counted in 190 self-played deals of three, rounded, and
# smoothed where there were few.
_HELD: Final = (
    (1.1, 0.6, 0.5, 0.4, 1.0),
    (1.25, 0.85, 0.65, 0.7, 1.2),
    (1.7, 1.15, 0.95, 0.6, 1.3),
    (1.95, 1.6, 0.7, 0.95, 1.4),
    (0.45, 0.2, 0.2, 0.2, 0.5),
)
# The same for a discarded card: how often the next player takes it.
_TAKES: Final = (
    (0.49, 0.41, 0.38, 0.33, 0.47),
    (0.67, 0.55, 0.55, 0.45, 0.55),
    (0.75, 0.55, 0.6, 0.55, 0.5),
    (0.9, 0.8, 0.65, 0.75, 0.7),
    (0.85, 0.75, 0.6, 0.7, 0.8),
)
# Chance that a card known not to be in the closed deck is still discarded by the player after next.
_STILL_THROWN: Final = 0.25


def estimate_chance_to_take(face: int, shown: ShownCards) -> float:
    """Return the chance that this seat takes such a card from the open pile."""
    return _TAKES[find_relation(face, shown.held)][find_relation(face, shown.thrown)]


def score_closed(
    public: Mapping[str, Any], seat: int, unseen: Mapping[int, int], signs: IndianSigns
) -> dict[int, float]:
    """Return, by unseen face, the copies expected outside the other players' hands.

    Once the closed deck is made of discards (R4.6), these are nearly all that counts.
    """
    if signs.returned:
        weights = {face: _STILL_THROWN * copies for face, copies in unseen.items()}
        for card in signs.returned:
            weights[card.face] = weights.get(card.face, 0.0) + 1.0
        return weights
    total = sum(unseen.values()) or 1
    weights = {face: float(copies) for face, copies in unseen.items()}
    for other, shown in signs.by_seat.items():
        if other == seat or not (shown.held or shown.thrown):
            continue
        part = (public["players"][str(other)]["cards"] - len(shown.held)) / total
        for face, copies in unseen.items():
            factor = _HELD[find_relation(face, shown.held)][find_relation(face, shown.thrown)]
            weights[face] -= copies * part * (factor - 1)
    return {face: max(0.0, weight) for face, weight in weights.items()}
