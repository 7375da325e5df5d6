"""What a hand may become: cards that go together, and what the next draw may bring."""

from collections.abc import Mapping, Sequence
from typing import Final

from tables.games.cards import ACE, FACE_RANK, FACE_SUIT, FACES, PRINTED_JOKER, Card
from tables.games.indian.arrangement import arrange, arrange_fourteen
from tables.games.indian.rulesets import RuleSet

# Two neighbours wait for two cards, two with a gap for one; so do two of a rank.
_NEIGHBOURS: Final = 3
_GAP: Final = 2
_SAME_RANK: Final = 2
# A pack that is never dealt, for cards that are only thought of.
_IMAGINED_PACK: Final = 13


def kinship(card: Card, others: Sequence[Card]) -> int:
    """How well a card goes with others, as melds that it may grow into."""
    return sum(_link(card.face, other.face) for other in others)


def expected_gain(
    hand: Sequence[Card], wild: int | None, rules: RuleSet, unseen: Mapping[int, int]
) -> float:
    """By how much the next card from the closed deck lowers the count, on average."""
    now = arrange(hand, wild, rules).points
    faces = {card.face for card in hand}
    gained = 0
    joker_gain: int | None = None
    for face, copies in unseen.items():
        is_joker = face == PRINTED_JOKER or FACE_RANK[face] == wild
        if is_joker and joker_gain is not None:
            gained += copies * joker_gain
        elif is_joker or any(_link(face, held) for held in faces):
            drawn = Card.of(face, _IMAGINED_PACK)
            gain = now - arrange_fourteen((*hand, drawn), wild, rules).points
            gained += copies * gain
            joker_gain = gain if is_joker else joker_gain
    return gained / max(1, sum(unseen.values()))


def _link(face: int, other: int) -> int:
    if face == other or PRINTED_JOKER in (face, other):
        return 0
    rank, other_rank = FACE_RANK[face], FACE_RANK[other]
    if FACE_SUIT[face] != FACE_SUIT[other]:
        return _SAME_RANK if rank == other_rank else 0
    distance = _distance(rank, other_rank)
    return {1: _NEIGHBOURS, 2: _GAP}.get(distance, 0)


def _distance(rank: int, other: int) -> int:
    """Between places of a sequence, where the ace is also above the king (R1.3)."""
    low, high = sorted((rank, other))
    return min(high - low, 14 - high) if low == ACE else high - low


# By two faces: how well cards of them go together.
LINKS: Final = tuple(tuple(_link(face, other) for other in range(FACES)) for face in range(FACES))
