"""The links between faces: the higher the link of two faces, the more likely they are to end up in one meld."""

from typing import Final

from games.cards import ACE, FACE_RANK, FACE_SUIT, FACES, PRINTED_JOKER

# Two neighbours can become a meld with either of two cards, two cards with a gap only with one.
_NEIGHBOURS: Final = 3
_GAP: Final = 2
_SAME_RANK: Final = 2


def _link(face: int, other: int) -> int:
    if face == other or PRINTED_JOKER in (face, other):
        return 0
    rank, other_rank = FACE_RANK[face], FACE_RANK[other]
    if FACE_SUIT[face] != FACE_SUIT[other]:
        return _SAME_RANK if rank == other_rank else 0
    distance = _measure_distance(rank, other_rank)
    return {1: _NEIGHBOURS, 2: _GAP}.get(distance, 0)


def _measure_distance(rank: int, other: int) -> int:
    """Return how far apart two ranks are in a sequence: 1 for neighbours. The ace is also above the king (R1.3)."""
    low, high = sorted((rank, other))
    return min(high - low, 14 - high) if low == ACE else high - low


# By two faces: how well their cards go together.
LINKS: Final = tuple(tuple(_link(face, other) for other in range(FACES)) for face in range(FACES))
