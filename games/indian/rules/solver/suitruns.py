"""The sequences that the cards of one suit can form, with and without jokers.

A suit is a number with one hexadecimal digit for each rank, the ace in the lowest. The digit is the number of cards of
that rank.

A run is a sequence of three to five cards, jokers included. A longer sequence can be split into runs that hold the same
cards and need the same number of jokers.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

from games.cards import ACE, FACE_POINTS, RANKS, SUITS
from games.indian.rules.melds import MIN_MELD

DIGIT: Final = 4
DIGIT_MASK: Final = 15
SUIT_BITS: Final = DIGIT * len(RANKS)
SUIT_MASK: Final = (1 << SUIT_BITS) - 1
ONES: Final = SUIT_MASK // DIGIT_MASK
RANK_POINTS: Final = (0, *FACE_POINTS[: len(RANKS)])
_KING: Final = 13
_ACE_HIGH: Final = 14
_LONGEST: Final = 5


class SuitRun(NamedTuple):
    """A sequence of one suit, described by its natural cards.

    `jokers` is how many jokers it needs to fill its gaps, or to have three cards. `points` are those of the natural
    cards.
    """

    cards: int  # as digits of the suit
    span: int  # digits of the ranks from its lowest card to its highest
    jokers: int
    points: int
    faces: tuple[tuple[int, ...], ...]  # of its cards in each suit


def find_present(suit: int) -> int:
    """Return a number with a one in the digit of each rank of which the suit has a card, and zeros elsewhere."""
    folded = suit | suit >> 1
    return (folded | folded >> 2) & ONES


def list_pure_runs(suit: int) -> tuple[SuitRun, ...]:
    """Return every pure sequence of three to five cards that the suit can form."""
    there = find_present(suit)
    return tuple([run for cards, run in _PURE_RUNS if there & cards == cards])


def _run(places: tuple[int, ...]) -> SuitRun:
    """Return the run whose natural cards stand in these places.

    A place is a rank from 1, the ace, to 13, the king, or 14 for the ace above the king. Places are in ascending order.
    """
    ranks = tuple(ACE if place == _ACE_HIGH else place for place in places)
    return SuitRun(
        cards=sum(1 << DIGIT * (rank - 1) for rank in ranks),
        span=sum(
            1 << DIGIT * (place - 1 if place < _ACE_HIGH else 0)
            for place in range(places[0], places[-1] + 1)
        ),
        jokers=max(MIN_MELD, places[-1] - places[0] + 1) - len(places),
        points=sum(RANK_POINTS[rank] for rank in ranks),
        faces=tuple(
            tuple(suit * len(RANKS) + rank - 1 for rank in ranks) for suit in range(len(SUITS))
        ),
    )


def _list_runs_from(place: int) -> Iterator[SuitRun]:
    """Yield the runs whose lowest natural card, apart from an ace below it, has this rank.

    For the ace, yield only the run that consists of the ace and two jokers.
    """
    if place == ACE:
        yield _run((ACE,))
        return
    upper = range(place + 1, min(place + _LONGEST, _ACE_HIGH + 1))
    for count in range(_LONGEST):
        for others in combinations(upper, count):
            yield _run((place, *others))
            if (place, *others)[-1] <= _LONGEST:
                yield _run((ACE, place, *others))


_RUNS_FROM: Final = tuple(tuple(_list_runs_from(place)) for place in range(ACE, _KING + 1))
RUNS: Final = tuple(run for runs in _RUNS_FROM for run in runs)
# By the digit of the lowest card: indices in RUNS of the runs that begin with it.
RUNS_FROM: Final = tuple(tuple(map(RUNS.index, runs)) for runs in _RUNS_FROM)
_PURE_RUNS: Final = tuple((run.cards, run) for run in RUNS if not run.jokers)
