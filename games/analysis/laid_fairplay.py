"""How the players of a game with melds on the table helped or harmed each other (docs/fair-play.md)."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Final

from games.analysis.fairplay import MOST, DealReading
from games.analysis.laid_report import LaidSituation
from games.cards import FACES

# Cap on the points of a turn that did not lay everything: keeping melds back may be intended.
_KEPT_BACK: Final = 10


class LaidReading(DealReading):
    """Reads one deal, and adds to the sums of each pair of players.

    A game provides the cost of a discard, a card's value to a hand, and the points that a player could still have laid.
    """

    @abstractmethod
    def price(self, situation: LaidSituation, card: int) -> float:
        """Return the points that the current player loses by discarding this card.

        A card with many points costs less to discard, because it no longer counts against its player.
        """

    @abstractmethod
    def use(self, situation: LaidSituation, place: int, card: int) -> float:
        """Return the points that this card is worth to the player at `place`."""

    @abstractmethod
    def count_kept_back(self, situation: LaidSituation, card: int) -> float:
        """Return the points that the current player could still have laid when making this discard."""

    def prices(self, situation: LaidSituation, kept: int | None) -> Mapping[int, float]:
        hand = situation.position.hands[situation.position.turn]
        by_face = {card % FACES: card for card in hand if card != kept}
        return {card: self.price(situation, card) for card in by_face.values()}

    def usefulness(self, situation: LaidSituation, place: int, card: int) -> float:
        return min(MOST, max(0, self.use(situation, place, card)))

    def loss(self, situation: LaidSituation, card: int, prices: Mapping[int, float]) -> float:
        beyond = self.price(situation, card) - min(prices.values(), default=0)
        return max(0, beyond) + min(_KEPT_BACK, self.count_kept_back(situation, card))
