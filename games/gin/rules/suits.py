"""Tables of all holdings of a suit: the points that sequences free, and the gain of a discard.

A holding is a mask of thirteen bits, the ace lowest. The tables hold all 8,192.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from games.gin.rules.melds import MIN_MELD, POINTS

SUIT_BITS: Final = 13
HOLDINGS: Final = 1 << SUIT_BITS
SUIT_MASK: Final = HOLDINGS - 1
# The gain of a discard where there is no card: below any other.
NO_CARD: Final = -1_000


def _counts() -> list[int]:
    counts = [0] * HOLDINGS
    for held in range(1, HOLDINGS):
        lowest = held & -held
        counts[held] = counts[held ^ lowest] + POINTS[lowest.bit_length() - 1]
    return counts


def _runs_from_lowest(held: int) -> Iterator[int]:
    """The sequences that begin with the lowest card."""
    run = card = held & -held
    length = 1
    while held & card << 1:
        card <<= 1
        run |= card
        length += 1
        if length >= MIN_MELD:
            yield run


def _freed(counts: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return, by holding, the most that sequences free, and the lowest sequence of such a laying."""
    freed, first_run = [0] * HOLDINGS, [0] * HOLDINGS
    for held in range(1, HOLDINGS):
        lowest = held & -held
        rest = held ^ lowest
        freed[held], first_run[held] = freed[rest], first_run[rest]
        for run in _runs_from_lowest(held):
            most = counts[run] + freed[held ^ run]
            if most > freed[held]:
                freed[held], first_run[held] = most, run
    return freed, first_run


def gain_by_discard(held: int, kept: int = 0) -> tuple[int, int]:
    """Return the gain from giving away one card of this suit, and that card as a bit.

    The cards in `kept` stay. `(NO_CARD, 0)` if there is none to give.
    """
    most, best = NO_CARD, 0
    left = held & ~kept
    while left:
        card = left & -left
        left ^= card
        gain = FREED[held ^ card] + COUNT[card] - FREED[held]
        # Of equals the dearest card.
        if gain >= most:
            most, best = gain, card
    return most, best


def runs_of(held: int) -> list[int]:
    """The sequences of a laying that frees most, as masks of the suit."""
    runs = []
    while run := FIRST_RUN[held]:
        runs.append(run)
        held ^= run
    return runs


# By holding: the points of its cards, the most that sequences free of them.
COUNT: Final = _counts()
FREED, FIRST_RUN = _freed(COUNT)
_DISCARDS: Final = [gain_by_discard(held) for held in range(HOLDINGS)]
# By holding: what a discard gains at the most, and which card that is.
GAIN: Final = [gain for gain, _ in _DISCARDS]
DISCARD: Final = [card for _, card in _DISCARDS]
