"""The expected net points of a hand of gin by itself, for luck and fair play.

`value` is a weighted sum. Its weights were fitted to self-play (docs/bots.md): those of hands `ABOVE` the
limit of G7, and `WITHIN` it, which could knock.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.gin.bots.closeness import count_fitting, count_pairs
from games.gin.rules.melding import cards_of, count_least, count_least_after_discard, find_loose

# fmt: off
ABOVE = (
    27.189, -4.005, -18.310, -9.470, 1.305, 17.976, 27.787, -0.317,
    -0.675, -9.445, 9.509, 0.761, -3.570, 7.394, 0.133,
)
WITHIN = (
    18.558, -2.165, -7.548, -6.215, 1.359, 18.558, 5.240, -9.116,
    0.654, -7.548, 3.139, 0.310, -1.931, 3.794, -4.735,
)
# fmt: on


# Own turns, and cards of the opponent, beyond which the value is constant.
_LATEST: Final = 12
_MOST_HELD: Final = 4


class GinProspect(NamedTuple):
    """The features of ten cards: least deadwood, the average saving of the next closed card, its chances
    to allow a knock and gin, unseen cards that fit a loose card (a mean over unseen and loose
    cards), pairs among the loose cards, and the number of loose cards."""

    deadwood: int
    saved: float
    knocks: float
    gins: float
    outs: float
    pairs: float
    loose: int


class GinStanding(NamedTuple):
    """A player's standing in a deal: turns taken, and known cards of the opponent."""

    turn: int
    held: int


def assess_hand(ten: int, hidden: Sequence[int], limit: int) -> GinProspect:
    """Return the features of a hand. `hidden` are the unseen cards, each as a mask."""
    now = count_least(ten)
    after = [count_least_after_discard(ten | card) for card in hidden]
    cards = max(1, len(hidden))
    everything = sum(hidden)
    loose = find_loose(ten)
    loose_cards = cards_of(loose)
    return GinProspect(
        deadwood=now,
        saved=now - sum(after) / cards if after else 0.0,
        knocks=sum(points <= limit for points in after) / cards,
        gins=after.count(0) / cards,
        outs=count_fitting(loose_cards, everything) / cards,
        pairs=count_pairs(loose_cards, loose),
        loose=loose.bit_count(),
    )


def list_terms(hand: GinProspect, standing: GinStanding) -> list[float]:
    turn = min(standing.turn, _LATEST) / 10
    held = float(min(standing.held, _MOST_HELD))
    count = hand.deadwood / 10
    return [
        1.0,
        count,
        turn,
        held,
        hand.saved,
        hand.knocks,
        hand.gins,
        count * turn,
        hand.saved * turn,
        hand.knocks * turn,
        hand.outs,
        hand.pairs,
        float(hand.loose),
        held * turn,
        count * count,
    ]


def estimate_value(hand: GinProspect, standing: GinStanding, limit: int) -> float:
    """Return the expected net points after a discard, with the opponent to draw."""
    weights = WITHIN if hand.deadwood <= limit else ABOVE
    return sum(map(float.__mul__, weights, list_terms(hand, standing)))
