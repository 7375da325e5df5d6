"""Measures how the players of a deal of 13-card Indian rummy helped each other (docs/fair-play.md)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.analysis.fairplay import MOST, DealReading, DiscardFairPlay, Pair, Sums
from games.analysis.situations import Step
from games.cards import FACES
from games.indian.bots.playouts import Hands
from games.indian.lab.analysis.reading import IndianSituation
from games.indian.lab.analysis.report import ANALYSIS
from games.indian.lab.fairplay.losses import estimate_loss_of_drop, score_hands
from games.indian.rules.ruleset import HAND_SIZE

# Cap on the points that a discard gives away: more says nothing further about the intention.
_MOST_BEYOND: Final = 10
# Points charged for not declaring a finished hand: another player may declare first.
_NOT_FINISHED: Final = 10


def usefulness(hands: Hands, hand: Sequence[int], card: int) -> int:
    """Return how many points a card saves a hand of thirteen that takes it and discards another, from 0 to `MOST`.

    They are the difference between the hand's least counts without and with the card.
    """
    return min(MOST, hands.count_least(hand) - hands.find_best_of_fourteen([*hand, card])[0])


def count_without(hands: Hands, hand: Sequence[int], kept: int | None) -> dict[int, int]:
    """Return, for each discard from fourteen cards, the least count of the rest. Equal faces are listed once.

    The mapping leaves out jokers, which no player would discard, and the card `kept`, which may not be discarded
    (R4.5).
    """
    by_face = {card % FACES: card for card in hand if card != kept and not hands.is_joker(card)}
    return {
        card: hands.count_least([other for other in hand if other != card])
        for card in by_face.values()
    }


class _IndianReading(DealReading):
    # Counted in 400 matches of bots.
    picks = ((0, 0.1), (1, 0.15), (5, 0.73), (8, 0.84), (14, 0.96), (MOST, 0.99))

    def __init__(self, record: Mapping[str, Any], sums: defaultdict[Pair, Sums]) -> None:
        super().__init__(record, sums)
        self.hands = Hands(self.begun.wild, self.begun.rules)

    def begin(self, record: Mapping[str, Any]) -> IndianSituation:
        return ANALYSIS.begin(record)

    def prices(self, situation: IndianSituation, kept: int | None) -> Mapping[int, int]:
        position = situation.position
        return count_without(self.hands, position.hands[position.turn], kept)

    def usefulness(self, situation: IndianSituation, place: int, card: int) -> int:
        return usefulness(self.hands, situation.position.hands[place], card)

    def loss(self, situation: IndianSituation, card: int, prices: Mapping[int, float]) -> float:
        """Return the points that this discard gave away.

        They are how many more points the rest of the hand counts after it than after the discard that leaves the least
        count, at most `_MOST_BEYOND`. If the hand could have been declared instead, `_NOT_FINISHED` points are added.

        The count shows a player's intention better than the value of the hand does. A player who dumps points breaks
        melds, which strong players never do and weak players seldom do. Weak players do, however, discard cards that
        nearly fit.
        """
        least = min(prices.values(), default=0)
        others = [
            other for other in situation.position.hands[situation.position.turn] if other != card
        ]
        beyond = min(_MOST_BEYOND, self.hands.count_least(others) - least)
        return beyond + (_NOT_FINISHED if least == 0 else 0)

    def is_for_nobody(self, card: int) -> bool:
        return self.hands.is_joker(card)

    def read_exit(self, step: Step, situation: IndianSituation) -> None:
        for event in step["events"]:
            if event["kind"] == "dropped":
                place = self.order.index(event["seat"])
                if len(situation.position.hands[place]) == HAND_SIZE:
                    loss = estimate_loss_of_drop(situation, self.hands, place, event["points"])
                    self.record_loss(place, loss, situation)
            elif event["kind"] == "declared" and not event["valid"]:
                place = situation.position.turn
                points = situation.cost_of_wrong(situation.position.hands[place])
                self.record_loss(place, float(points), situation)

    def weights(self) -> Sequence[float]:
        return score_hands(self.begun, self.hands)


FAIR_PLAY: Final = DiscardFairPlay(_IndianReading, version=2)
