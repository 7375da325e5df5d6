"""What a hand of gin is worth: the net points of the deal that its player may expect.

`value` is a sum of terms with weights fitted to deals that the bots played against themselves
(`python -m bench.fit_gin`, docs/bots.md), which are in `value_weights`: one list for hands above the
limit of G7, one for those that could knock already.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from tables.games.gin.closeness import APART, CLOSE
from tables.games.gin.melding import cards_of, least, least_after_discard, loose_of
from tables.games.gin.value_weights import ABOVE, WITHIN

# Turns of one's own and cards of the other after which nothing changes any more.
_LATEST: Final = 12
_MOST_HELD: Final = 4


class Prospect(NamedTuple):
    """Ten cards: their least deadwood, what the next card from the closed deck saves on average, how
    likely it lets knock and go gin, the unseen cards that go with a loose one (of all unseen cards
    and loose ones: their sum by their number), pairs among the loose cards, and how many are loose."""

    deadwood: int
    saved: float
    knocks: float
    gins: float
    outs: float
    pairs: float
    loose: int


class Standing(NamedTuple):
    """How a deal stands for one player: own turns gone, and the cards of the other that are known."""

    turn: int
    held: int


def prospect(ten: int, hidden: Sequence[int], limit: int) -> Prospect:
    """`hidden` are the unseen cards, each as a mask."""
    now = least(ten)
    after = [least_after_discard(ten | card) for card in hidden]
    cards = max(1, len(hidden))
    everything = sum(hidden)
    loose = loose_of(ten)
    outs, pairs = 0, 0.0
    for card in cards_of(loose):
        outs += (everything & CLOSE[card]).bit_count()
        pairs += (loose & CLOSE[card]).bit_count() + (loose & APART[card]).bit_count() / 2
    return Prospect(
        deadwood=now,
        saved=now - sum(after) / cards if after else 0.0,
        knocks=sum(points <= limit for points in after) / cards,
        gins=after.count(0) / cards,
        outs=outs / cards,
        pairs=pairs,
        loose=loose.bit_count(),
    )


def terms(hand: Prospect, standing: Standing) -> list[float]:
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


def value(hand: Prospect, standing: Standing, limit: int) -> float:
    """After a discard, the other one to draw: net points to be expected."""
    weights = WITHIN if hand.deadwood <= limit else ABOVE
    return sum(map(float.__mul__, weights, terms(hand, standing)))
