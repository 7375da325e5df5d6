"""The results to be expected from the hands dealt."""

from collections import Counter
from math import exp
from typing import Final

from games.cards import FACES
from games.indian.bots.playouts import Hands
from games.indian.bots.value import Standing, value_of_first_hand
from games.indian.lab.analysis.reading import Situation
from games.indian.lab.fairplay.losses import prospect_of

# Net points of a first hand that make its chance to win e times as large: the likeliest value in 400
# matches of four bots.
_SPREAD: Final = 30.0


def weights_of_hands(begun: Situation, hands: Hands) -> list[float]:
    """Return, by place, its relative chance to win the deal."""
    dealt = begun.position.hands
    standing = Standing(turn=0, opponents=len(dealt) - 1, pot=0, taken=0)
    weights = []
    for hand in dealt:
        seen = {*hand, *begun.position.open_pile, begun.wild_card}
        unseen = Counter(card % FACES for card in begun.deck() if card not in seen)
        worth = value_of_first_hand(prospect_of(hands, hand, unseen), standing, len(dealt))
        weights.append(exp(worth / _SPREAD))
    return weights
