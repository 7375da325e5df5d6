"""How players of basic rummy helped each other (docs/fair-play.md)."""

import random
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from games.analysis.fairplay import MOST, DiscardFairPlay, Pair, Sums
from games.analysis.laid_fairplay import LaidReading
from games.analysis.laid_report import LaidSituation
from games.basic.bots.playouts import (
    APART,
    BIT,
    CLOSE,
    PER_APART,
    PER_CLOSE,
    BasicPlayouts,
    cards_of,
    count,
    mask_of,
)
from games.basic.lab.analysis import ANALYSIS


class _BasicReading(LaidReading):
    # Counted in 250 matches of bots.
    picks = ((0, 0.11), (MOST, 0.85))

    def __init__(self, record: Mapping[str, Any], sums: defaultdict[Pair, Sums]) -> None:
        super().__init__(record, sums)
        self.playouts = BasicPlayouts(self.begun.rules, random.Random(0))  # noqa: S311 - nothing is drawn

    def begin(self, record: Mapping[str, Any]) -> LaidSituation:
        return ANALYSIS.begin(record)

    def price(self, situation: LaidSituation, card: int) -> float:
        hand = mask_of(situation.position.hands[situation.position.turn])
        close, apart = hand & CLOSE[card], hand & APART[card]
        hope = PER_CLOSE * close.bit_count() + PER_APART * apart.bit_count()
        return self._count_least(situation, hand ^ BIT[card]) + hope

    def use(self, situation: LaidSituation, place: int, card: int) -> float:
        hand = mask_of(situation.position.hands[place])
        after = min(
            self._count_least(situation, hand | BIT[card] ^ BIT[other]) for other in cards_of(hand)
        )
        return self._count_least(situation, hand) - after

    def count_kept_back(self, situation: LaidSituation, card: int) -> float:
        hand = mask_of(situation.position.hands[situation.position.turn]) ^ BIT[card]
        return count(hand) - self._count_least(situation, hand)

    def _count_least(self, situation: LaidSituation, hand: int) -> int:
        """Return the points left in this hand after every card that can be laid has been laid."""
        on_runs, on_sets = self.playouts.find_fitting(situation.position.melds)
        _, groups = self.playouts.find_melds(hand)
        return count(hand & ~(on_runs | on_sets) & ~sum(groups))


FAIR_PLAY: Final = DiscardFairPlay(_BasicReading)
