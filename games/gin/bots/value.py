"""The expected net points of a hand of gin, estimated from its own cards.

Luck and the losses of fair play are computed from these points.

`estimate_value` is a weighted sum. Its weights were fitted to self-play (docs/bots.md): `ABOVE` for hands above the
knock limit of G7, `WITHIN` for hands that could knock.
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
    """The features of ten cards on which their value depends.

    `deadwood`: the least deadwood. `saved`: by how much the next card of the closed deck lowers the deadwood on
    average. `knocks` and `gins`: the chances that this card allows a knock and gin. `outs`: the unseen cards that are
    close to a loose card, summed over the loose cards and divided by the number of unseen cards. `pairs`: how close the
    loose cards are to each other (`count_pairs`). `loose`: the number of loose cards.
    """

    deadwood: int
    saved: float
    knocks: float
    gins: float
    outs: float
    pairs: float
    loose: int


class GinStanding(NamedTuple):
    """A player's standing in a deal: the turns taken, and how many of the opponent's cards are known."""

    turn: int
    held: int


def assess_hand(ten: int, hidden: Sequence[int], limit: int) -> GinProspect:
    """Return the features of ten cards, given as a mask.

    `hidden` are the unseen cards, each as a mask. `limit` is the most deadwood with which the player may knock.
    """
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
    """Return the expected net points of a player who has just discarded. The opponent is about to draw.

    `limit` is the most deadwood with which a player may knock.
    """
    weights = WITHIN if hand.deadwood <= limit else ABOVE
    return sum(map(float.__mul__, weights, list_terms(hand, standing)))
