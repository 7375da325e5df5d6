"""The points that a player loses by dropping, and each player's chance to win with the hand dealt.

Both are estimated from the value of a hand, which is quick to compute and uses only what the seat itself could know.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp
from typing import Final

from games.cards import FACES
from games.indian.bots.distance import get_distances, shape_of
from games.indian.bots.playouts import Hands
from games.indian.bots.prospects import IndianProspect
from games.indian.bots.value import (
    SeatStanding,
    estimate_value_of_drawing,
    estimate_value_of_first_hand,
)
from games.indian.lab.analysis.reading import IndianSituation

# Net points of a first hand that multiply its chance to win by e: the maximum-likelihood value in 400
# matches of four bots.
_SPREAD: Final = 30.0


def estimate_loss_of_drop(
    situation: IndianSituation, hands: Hands, place: int, points: int
) -> float:
    """Return how many net points the player at `place` lost by dropping thirteen cards instead of playing on.

    `points` is the cost of the drop. The result is 0 if dropping was better.
    """
    position = situation.position
    hand = position.hands[place]
    standing = SeatStanding(
        turn=len(situation.discards[place]),
        opponents=sum(position.playing) - 1,
        pot=sum(position.lost),
        taken=sum(len(taken) for other, taken in enumerate(situation.taken) if other != place),
    )
    seen = {*hand, *situation.thrown, situation.wild_card}
    unseen = Counter(card % FACES for card in situation.deck if card not in seen)
    by = estimate_value_of_drawing if situation.has_drawn[place] else estimate_value_of_first_hand
    worth = by(assess_hand(hands, hand, unseen), standing, len(position.hands))
    return max(0.0, worth + points)


def assess_hand(hands: Hands, hand: Sequence[int], unseen: Mapping[int, float]) -> IndianProspect:
    """Return the prospects of a hand of thirteen cards. `unseen` is the number of unseen cards of each face.

    `sequences` is always 0, because the value of a hand does not depend on it.
    """
    known = get_distances(hands.wild)
    shape = shape_of(hand, hands.wild)
    helpful = known.find_helpful(shape, unseen)
    return IndianProspect(
        missing=known.count_missing(shape),
        helpful=sum(helpful.values()) / max(1, sum(unseen.values())),
        points=hands.count_least(hand),
        jokers=shape.jokers,
        sequences=0,
    )


def score_hands(begun: IndianSituation, hands: Hands) -> list[float]:
    """Return a weight for each player, in order of play, by the value of the hand dealt.

    The players' chances to win the deal are in proportion to these weights.
    """
    dealt = begun.position.hands
    standing = SeatStanding(turn=0, opponents=len(dealt) - 1, pot=0, taken=0)
    weights = []
    for hand in dealt:
        seen = {*hand, *begun.position.open_pile, begun.wild_card}
        unseen = Counter(card % FACES for card in begun.deck if card not in seen)
        worth = estimate_value_of_first_hand(assess_hand(hands, hand, unseen), standing, len(dealt))
        weights.append(exp(worth / _SPREAD))
    return weights
