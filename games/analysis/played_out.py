"""Luck, measured by playing out the same deal with the closed deck in another order, and by playing out other deals."""

import random
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from games.analysis.judging import Effort
from games.analysis.moments import Moment
from games.analysis.report import Analysis

# Orders of the deck for one draw, even with many draws.
_LEAST_ORDERS: Final = 4


@dataclass(frozen=True)
class PlayedOutAnalysis(Analysis):
    """The analysis of a game in which playouts determine the value of cards.

    Its situations are of type `DeckSituation`.
    """

    @abstractmethod
    def play_on(self, position: Any, place: int, playouts: Any, *, is_drawn: bool) -> float:
        """Return a player's net points if the policy plays the position to its end. Leaves `position` unchanged.

        With `is_drawn` the current player first draws from the closed deck.
        """

    @abstractmethod
    def sample_deal(self, begun: Any, playouts: Any, rng: random.Random) -> tuple[Any, Any]:
        """Return the first position of another random deal by the same rules, and the playouts for this deal."""

    def estimate_luck_of_draw(
        self, moment: Moment, _drawer: int, cards: Sequence[int], orders: int
    ) -> float:
        """Return how many net points it is worth to the moment's player that the drawn card lay on top of the deck.

        This is the mean difference from the same deck in a random order. `orders` is the number of orders that are
        tried.
        """
        place, playouts = moment.place, moment.playouts
        total, orders = 0.0, max(_LEAST_ORDERS, orders)
        for _ in range(orders):
            other = moment.situation.reshuffle(moment.rng)
            closed = other.closed[:]
            at = closed.index(cards[0])
            if at == len(closed) - 1:
                continue  # the same card: no difference
            closed[at], closed[-1] = closed[-1], closed[at]
            came = replace(other, closed=closed)
            total += self.play_on(came, place, playouts, is_drawn=True)
            total -= self.play_on(other, place, playouts, is_drawn=True)
        return total / orders

    def estimate_luck_of_deal(self, moment: Moment, effort: Effort) -> float:
        """Return a player's mean net points with the cards dealt, less the mean over other random deals."""
        begun, place, playouts, rng = (
            moment.situation,
            moment.place,
            moment.playouts,
            moment.rng,
        )

        def play_deal() -> float:
            return self.play_on(begun.reshuffle(rng), place, playouts, is_drawn=False)

        def play_other() -> float:
            position, other = self.sample_deal(begun, playouts, rng)
            return self.play_on(position, place, other, is_drawn=False)

        return _compute_mean(effort.deals, play_deal) - _compute_mean(effort.deals, play_other)


def _compute_mean(count: int, value: Callable[[], float]) -> float:
    return sum(value() for _ in range(count)) / count
