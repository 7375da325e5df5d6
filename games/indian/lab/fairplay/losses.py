"""The loss of a decision by the value of a hand, quick and from what the seat could know; and the results
to be expected from the hands dealt."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp
from typing import Final

from games.cards import FACES
from games.indian.bots.distance import distances, shape_of
from games.indian.bots.playouts import Hands
from games.indian.bots.prospects import Prospect
from games.indian.bots.value import Standing, value, value_of_drawing, value_of_first_hand
from games.indian.lab.analysis.reading import Situation

# Points of going on with a hand that could have been declared: somebody else may be quicker.
_NOT_FINISHED: Final = 10
# Net points of a first hand that make its chance to win e times as large: the likeliest value in 400
# matches of four bots.
_SPREAD: Final = 30.0


class Losses:
    """The losses of one place in one situation."""

    def __init__(self, situation: Situation, hands: Hands, place: int) -> None:
        self.situation = situation
        self.hands = hands
        self.place = place
        position = situation.position
        self.hand = position.hands[place]
        self.seats = len(position.hands)
        self.standing = Standing(
            turn=len(situation.thrown[place]),
            opponents=sum(position.playing) - 1,
            pot=sum(position.lost),
            taken=sum(len(taken) for other, taken in enumerate(situation.taken) if other != place),
        )

    def of_discard(self, card: int, counts: Mapping[int, float]) -> float:
        """Return the loss against the discard that leaves the hand nearest to a declaration at the
        least count.

        `counts` holds the least count after each discard.
        """
        wild = self.situation.wild
        known = distances(wild)
        missing = known.missing(shape_of(self.hand, wild))
        nearest = [
            other
            for other in counts
            if known.reaches(shape_of(self._without(other), wild), missing)
        ]
        unfinished = _NOT_FINISHED if missing == 0 else 0
        if not nearest:
            return float(unfinished)
        best = min(nearest, key=counts.__getitem__)
        if best % FACES == card % FACES:
            return float(unfinished)
        return unfinished + max(0.0, self._worth(self._without(best)) - self._worth_without(card))

    def of_drop(self, points: int) -> float:
        """Return the loss against playing on, if that was worth more. The place holds thirteen cards."""
        by = value_of_drawing if self.situation.has_drawn[self.place] else value_of_first_hand
        return max(0.0, by(self._prospect(self.hand), self.standing, self.seats) + points)

    def _without(self, card: int) -> list[int]:
        return [other for other in self.hand if other != card]

    def _worth_without(self, card: int) -> float:
        return self._worth(self._without(card))

    def _worth(self, rest: Sequence[int]) -> float:
        return value(self._prospect(rest), self.standing, self.seats)

    def _prospect(self, rest: Sequence[int]) -> Prospect:
        return prospect_of(self.hands, rest, self._unseen())

    def _unseen(self) -> Counter[int]:
        seen = {*self.hand, *self.situation.laid, self.situation.wild_card}
        return Counter(card % FACES for card in self.situation.deck() if card not in seen)


def prospect_of(hands: Hands, hand: Sequence[int], unseen: Mapping[int, float]) -> Prospect:
    """Return the prospects of thirteen cards as far as their value needs: `sequences` is always 0."""
    known = distances(hands.wild)
    shape = shape_of(hand, hands.wild)
    helpful = known.helpful(shape, unseen)
    return Prospect(
        missing=known.missing(shape),
        helpful=sum(helpful.values()) / max(1, sum(unseen.values())),
        points=hands.least(hand),
        jokers=shape.jokers,
        sequences=0,
    )


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
