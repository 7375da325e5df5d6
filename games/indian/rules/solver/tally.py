"""The tally of a hand: one number that holds all that the search for melds needs to know about its cards.

Each card has a number, and the tally is their sum. It has the number of cards of each rank and suit, the number of
jokers, and the points of all cards. A lane is the part of a tally for one suit, and each rank has a digit in it.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from games.cards import ACE, FACE_POINTS, FACE_RANK, FACE_SUIT, FACES, PRINTED_JOKER
from games.indian.rules.solver.suitruns import DIGIT, DIGIT_MASK, ONES, SUIT_BITS, SUIT_MASK

SUIT_INDICES: Final = range(4)
Suits = tuple[int, int, int, int]

# A tally holds, from its lowest bit: a lane for each suit, the jokers, the points of all cards. In a lane
# the digits of a suit are followed by its aces again, above the king, and after a blank digit by the number
# of its wild cards.
LANE_BITS: Final = 64
_ACE_HIGH_AT: Final = SUIT_BITS
_WILDS_AT: Final = SUIT_BITS + 2 * DIGIT
_JOKERS_AT: Final = LANE_BITS * len(SUIT_INDICES)
_JOKERS_MASK: Final = 255
_POINTS_AT: Final = _JOKERS_AT + 8

LANES: Final = tuple(LANE_BITS * suit for suit in SUIT_INDICES)
_SECOND, _THIRD, _FOURTH = LANES[1:]
_RANKS: Final = ONES | 1 << _ACE_HIGH_AT
_ALL_RANKS: Final = sum(_RANKS << lane for lane in LANES)
_ONE_WILD: Final = sum(1 << lane + _WILDS_AT for lane in LANES)
ALL_WILDS: Final = DIGIT_MASK * _ONE_WILD
# The digits of the lowest rank in all suits.
RANK_MASK: Final = sum(DIGIT_MASK << lane for lane in LANES)
# Added to the number of suits that have a rank, these set the highest bit of its digit if there are enough
# of them: two, or three without a joker. Aces are counted only above the king.
_ONCE: Final = _RANKS - 1
_TWO_SUITS: Final = 6 * _ONCE
_THREE_SUITS: Final = 5 * _ONCE
_ENOUGH_SUITS: Final = 8 * _ONCE
# Enough copies of every card for any hand, however many packs it comes from.
COPIES: Final = 14


class Deck(NamedTuple):
    """Two lists, indexed by card: the number that the card adds to a tally, and the card's points, -1 for a joker."""

    tallies: list[int]
    points: list[int]


@lru_cache(maxsize=16)  # at most 1 MB
def deck(wild: int | None) -> Deck:
    tallies = [_tally(face, wild) for face in range(FACES)]
    points = [-1 if jokers_of(tallies[face]) else FACE_POINTS[face] for face in range(FACES)]
    return Deck(tallies * COPIES, points * COPIES)


def _tally(face: int, wild: int | None) -> int:
    if face == PRINTED_JOKER:
        return 1 << _JOKERS_AT
    rank, suit = FACE_RANK[face], FACE_SUIT[face]
    if rank == wild:
        return (1 << _JOKERS_AT) + (1 << LANES[suit] + _WILDS_AT)
    return (FACE_POINTS[face] << _POINTS_AT) + shift_to_lane(1 << DIGIT * (rank - 1), suit)


def shift_to_lane(cards: int, suit: int) -> int:
    """Return cards of one suit as they stand in a tally.

    `cards` is a number as in `suitruns`, with at most one card of each rank. In the lane of a tally an ace has two
    digits, below the two and above the king.
    """
    return (cards | (cards & ACE) << _ACE_HIGH_AT) << LANES[suit]


def points_of(tally: int) -> int:
    return tally >> _POINTS_AT


def jokers_of(tally: int) -> int:
    return tally >> _JOKERS_AT & _JOKERS_MASK


def suits_of(tally: int) -> Suits:
    return (
        tally & SUIT_MASK,
        tally >> _SECOND & SUIT_MASK,
        tally >> _THIRD & SUIT_MASK,
        tally >> _FOURTH & SUIT_MASK,
    )


def ranks_of(tally: int) -> int:
    """Return a number with a one in the digit of each natural card that the hand has, once or more."""
    folded = tally | tally >> 1
    return (folded | folded >> 2) & _ALL_RANKS


def find_dearest(tally: int) -> int:
    """Return the most points that any one card in the tally has, or 0 if it has only jokers."""
    ranks = ranks_of(tally)
    ranks |= ranks >> _THIRD
    ranks |= ranks >> _SECOND
    # Aces rank above the face cards, and none of them counts more than ten.
    return min(10, ((ranks & _RANKS).bit_length() + DIGIT - 1) // DIGIT)


def find_sequences(ranks: int) -> int:
    """Return a number with a one in the digit of each card that begins three cards of its suit in order.

    `ranks` is from `ranks_of`. The result is 0 if the hand has no such three cards.
    """
    return ranks & ranks >> DIGIT & ranks >> 2 * DIGIT


def find_shared_ranks(ranks: int, jokers: int) -> int:
    """Return a number with the highest bit set in the digit of each rank that has enough suits for a set.

    Two suits are enough if there are jokers, otherwise three. `ranks` is from `ranks_of`.
    """
    ranks += ranks >> _THIRD
    ranks += ranks >> _SECOND
    return ranks + (_TWO_SUITS if jokers else _THREE_SUITS) & _ENOUGH_SUITS


def wilds_of(tally: int, wild: int) -> int:
    """Return a number with a one in the digit of each wild card that the hand has, in the lane of its suit.

    `wild` is the wild rank. Wild aces have a one below the two and another above the king.
    """
    wilds = tally & ALL_WILDS
    wilds |= wilds >> 1
    wilds = (wilds | wilds >> 2) & _ONE_WILD
    wilds >>= _WILDS_AT - DIGIT * (wild - 1)
    if wild == ACE:
        wilds |= wilds << _ACE_HIGH_AT
    return wilds
