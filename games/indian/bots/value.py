"""The value of a hand: the points that its player may expect to win or lose in the deal.

`estimate_turns_to_go` estimates the turns until a declaration. From these turns, the count of the hand and the seat's
standing in the deal, `estimate_value` computes the expected net points as a sum of terms. The weights of the terms, one
set for each number of players, were fitted to deals between the bots (docs/bots.md).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.indian.bots.prospects import IndianProspect

VALUE = {
    2: (26.180, -2.993, -0.508, -12.277, 10.365, -3.523, -1.475, 3.396, 0.059, 0.000, -0.576),
    3: (39.874, -4.562, -0.275, -21.587, 10.346, -4.065, -1.513, 8.045, -3.008, 1.036, -7.367),
    4: (53.568, -6.131, -0.042, -30.897, 10.328, -4.607, -1.550, 12.694, -6.076, 2.073, -14.157),
    5: (37.508, -7.853, 0.138, -40.297, 8.099, -5.471, -0.567, 12.484, 2.213, 4.638, -38.763),
    6: (21.448, -9.574, 0.318, -49.698, 5.870, -6.336, 0.415, 12.274, 10.503, 7.203, -63.368),
}

BEFORE = {
    2: (12.597, -1.839, -0.831, -13.200, 10.762, -3.982, -0.748, 3.396, 12.597, 0.000, -0.392),
    3: (8.572, -2.244, -2.425, -12.284, 9.181, -4.524, -0.902, 8.373, 9.533, 3.912, -6.770),
    4: (4.548, -2.649, -4.020, -11.367, 7.600, -5.066, -1.056, 13.349, 6.469, 7.824, -13.148),
    5: (5.285, -3.723, -5.546, -10.294, 7.695, -6.223, 0.222, 13.375, 8.166, 7.260, -31.854),
    6: (6.021, -4.797, -7.072, -9.222, 7.789, -7.379, 1.501, 13.402, 9.863, 6.696, -50.561),
}

FIRST = {
    2: (13.897, -1.503, -3.421, -2.401, 9.840, 13.897, 0.000),
    3: (11.192, -1.569, -7.670, -3.783, 11.816, 16.889, 5.582),
    4: (8.488, -1.635, -11.920, -5.166, 13.793, 19.882, 11.163),
    5: (7.023, -2.079, -15.564, -6.703, 13.609, 21.112, 11.027),
    6: (5.557, -2.522, -19.209, -8.240, 13.425, 22.342, 10.890),
}


# Cards seen in a turn: the drawn one, and the open one, which others thought useless.
_SEEN: Final = 1.5
# Chance to get nearer without any of the cards that help now: the hand becomes another one.
_LUCK: Final = 0.04
# Turns to find a card when one is missing, two and so on, by the mean share of helpful unseen cards: 20 %,
# 34 %, 40 %, 48 %, 56 % and 80 %.
_LATER: Final = (2.9, 1.8, 1.6, 1.3, 1.1, 0.8)
# Own turns beyond which the value is constant.
_LATEST: Final = 15


class SeatStanding(NamedTuple):
    """A seat's standing in a deal.

    `turn`: the number of turns that the seat has had. `opponents`: the number of opponents still in the deal. `pot`:
    the points that players who are out of the deal will pay. `taken`: how many cards other players took from the open
    pile.
    """

    turn: int
    opponents: int
    pot: int
    taken: int


def estimate_turns_to_go(hand: IndianProspect) -> float:
    """Return the number of turns that the player may expect to have until declaring, 0 if no card is missing.

    The missing cards are assumed to come one after the other.
    """
    if hand.missing == 0:
        return 0.0
    later = sum(_LATER[: min(hand.missing, len(_LATER)) - 1])
    return 1 / (_SEEN * hand.helpful + _LUCK) + later


def list_terms(hand: IndianProspect, standing: SeatStanding) -> list[float]:
    to_go = estimate_turns_to_go(hand)
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


def estimate_value(hand: IndianProspect, standing: SeatStanding, seats: int) -> float:
    """Return the net points that the player may expect from the deal, with this hand left after a discard.

    `seats` is the number of players at the table.
    """
    return _multiply(VALUE[seats], list_terms(hand, standing))


def estimate_value_of_drawing(hand: IndianProspect, standing: SeatStanding, seats: int) -> float:
    """Return the net points that the player may expect from the deal if they draw from the closed deck with this hand.

    `hand` are the thirteen cards before the draw, and `seats` is the number of players at the table.
    """
    return _multiply(BEFORE[seats], list_terms(hand, standing))


def list_terms_of_first_hand(hand: IndianProspect, standing: SeatStanding) -> list[float]:
    return [
        1.0,
        estimate_turns_to_go(hand),
        float(hand.missing),
        min(hand.points, 100) / 10,
        float(hand.jokers),
        float(standing.opponents),
        standing.pot / 10,
    ]


def estimate_value_of_first_hand(hand: IndianProspect, standing: SeatStanding, seats: int) -> float:
    """Return the net points that a player before the first draw may expect from playing this hand, not dropping it.

    `seats` is the number of players at the table.
    """
    return _multiply(FIRST[seats], list_terms_of_first_hand(hand, standing))


def _multiply(weights: Sequence[float], row: Sequence[float]) -> float:
    return sum(map(float.__mul__, weights, row))
