"""Luck by playouts: the same deal with other cards in the closed deck, and other deals."""

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
    """The analysis of a game whose cards are valued by playouts (`DeckSituation`)."""

    @abstractmethod
    def play_on(self, position: Any, place: int, playouts: Any, *, is_drawn: bool) -> float:
        """Return the net points of a place, played on by the policy. Leaves `position` as it is.

        With `is_drawn` the place at turn draws from the closed deck first.
        """

    @abstractmethod
    def sample_deal(self, begun: Any, playouts: Any, rng: random.Random) -> tuple[Any, Any]:
        """Return the position of another deal by the same rules, and its playouts."""

    def estimate_luck_of_draw(
        self, moment: Moment, _drawer: int, cards: Sequence[int], orders: int
    ) -> float:
        """Compare the same orders of the deck with and without the drawn card on top."""
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
        """Compare playouts of the cards dealt with playouts of other deals."""
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
