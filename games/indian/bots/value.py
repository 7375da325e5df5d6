"""The value of a hand: the points that its player may expect to win or lose in the deal.

`turns_to_go` estimates the turns to a declaration. `value` turns it, the count and the standing of
the deal into net points, by the number of players. It is a sum of terms whose weights
(`value_weights`) were fitted to deals between the bots (docs/bots.md).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.indian.bots.prospects import Prospect
from games.indian.bots.value_weights import BEFORE, FIRST, VALUE

# Cards that one sees in a turn: the one drawn, and the open one, which others thought useless.
_SEEN: Final = 1.5
# How a hand gets nearer without any of the cards that help now: it becomes another one.
_LUCK: Final = 0.04
# Turns to find one card when one is missing, two and so on, by what helps such hands on average:
# 20 %, 34 %, 40 %, 48 %, 56 % and 80 % of the unseen cards.
_LATER: Final = (2.9, 1.8, 1.6, 1.3, 1.1, 0.8)
# Turns of one's own after which nothing changes any more.
_LATEST: Final = 15


class Standing(NamedTuple):
    """A seat's standing in a deal.

    The seat's turns so far, its opponents still in play, the points that the others will pay, and
    the cards taken from the open pile.
    """

    turn: int
    opponents: int
    pot: int
    taken: int


def turns_to_go(hand: Prospect) -> float:
    """Return the expected own turns to a declaration, finding one card after the other."""
    if hand.missing == 0:
        return 0.0
    later = sum(_LATER[: min(hand.missing, len(_LATER)) - 1])
    return 1 / (_SEEN * hand.helpful + _LUCK) + later


def terms(hand: Prospect, standing: Standing) -> list[float]:
    to_go = turns_to_go(hand)
    turn = min(standing.turn, _LATEST) / 10
    count = min(hand.points, 100) / 10
    return [
        1.0,
        to_go,
        to_go * turn,
        turn,
        float(standing.turn == 0),
        count,
        count * turn,
        float(hand.jokers),
        float(standing.opponents),
        standing.pot / 10,
        standing.taken / max(1, standing.opponents) / (1 + 5 * turn),
    ]


def value(hand: Prospect, standing: Standing, seats: int) -> float:
    """Return the net points expected after a discard at a table of this many players."""
    return _product(VALUE[seats], terms(hand, standing))


def value_of_drawing(hand: Prospect, standing: Standing, seats: int) -> float:
    """Return the net points expected from a draw from the closed deck."""
    return _product(BEFORE[seats], terms(hand, standing))


def terms_of_first_hand(hand: Prospect, standing: Standing) -> list[float]:
    return [
        1.0,
        turns_to_go(hand),
        float(hand.missing),
        min(hand.points, 100) / 10,
        float(hand.jokers),
        float(standing.opponents),
        standing.pot / 10,
    ]


def value_of_first_hand(hand: Prospect, standing: Standing, seats: int) -> float:
    """Return the net points expected from playing a hand, before its first draw."""
    return _product(FIRST[seats], terms_of_first_hand(hand, standing))


def _product(weights: Sequence[float], row: Sequence[float]) -> float:
    return sum(map(float.__mul__, weights, row))
