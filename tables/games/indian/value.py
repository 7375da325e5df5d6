"""What a hand is worth: the points that its player may expect to win or lose by the deal.

In two steps. `turns_to_go` is how many more draws the hand takes to a declaration if it is played for
that alone; `value` makes net points of it, of the count and of how the deal stands, by the number of
players. Both are sums of terms with weights fitted to deals of the bots themselves
(`python -m bench.fit_value`, docs/bots.md); the weights are in `value_weights`.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from tables.games.indian.prospects import Prospect
from tables.games.indian.value_weights import BEFORE, TURNS, VALUE

# Hands that lack more are taken for alike.
_MOST_MISSING: Final = 5
# Turns of one's own after which nothing changes any more.
_LATEST: Final = 15


class Standing(NamedTuple):
    """How a deal stands for one seat: own turns gone, others who still play, points that those who
    do not will pay, and the cards that the others have taken from the open pile."""

    turn: int
    opponents: int
    pot: int
    taken: int


def terms_of_hand(hand: Prospect) -> list[float]:
    missing = min(max(hand.missing, 1), _MOST_MISSING)
    helpful = hand.helpful
    rare = 1 / (helpful + 0.03)
    row = [0.0] * _MOST_MISSING
    row[missing - 1] = 1.0
    return [
        *row,
        helpful if missing == 1 else 0.0,
        rare if missing == 1 else 0.0,
        helpful if missing == 2 else 0.0,
        rare if missing == 2 else 0.0,
        helpful if missing == 3 else 0.0,
        helpful if missing > 3 else 0.0,
        float(hand.jokers),
        float(hand.sequences > 0),
        float(hand.sequences > 1),
    ]


def turns_to_go(hand: Prospect) -> float:
    return max(1.0, _product(TURNS, terms_of_hand(hand)))


def terms(hand: Prospect, standing: Standing) -> list[float]:
    to_go = turns_to_go(hand)
    turn = min(standing.turn, _LATEST) / 10
    count = min(hand.count, 100) / 10
    return [
        1.0,
        to_go,
        math.exp(-to_go / 3),
        to_go * turn,
        turn,
        count,
        count * turn,
        float(hand.jokers),
        float(standing.opponents),
        standing.pot / 10,
        standing.taken / max(1, standing.opponents) / (1 + 5 * turn),
    ]


def value(hand: Prospect, standing: Standing, seats: int) -> float:
    """After a discard: net points to be expected at a table of so many."""
    return _product(VALUE[seats], terms(hand, standing))


def value_of_drawing(hand: Prospect, standing: Standing, seats: int) -> float:
    """Before a draw: net points to be expected if the closed deck is drawn from."""
    return _product(BEFORE[seats], terms(hand, standing))


def _product(weights: Sequence[float], row: Sequence[float]) -> float:
    return sum(map(float.__mul__, weights, row))
