"""How players of Contract Rummy helped each other (docs/fair-play.md)."""

import random
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from games.analysis.fairplay import MOST, DiscardFairPlay, Pair, Sums
from games.analysis.laid_fairplay import LaidReading
from games.cards import FACES
from games.contract.bots.playouts import NEAR, ContractPlayouts
from games.contract.lab.analysis import ANALYSIS, ContractSituation

# Points of a card that the contract lacks, and of one that fits a meld on the table.
_LACKING: Final = 10
_FITTING: Final = 10
# Points of each card of the hand that a discard goes with, and of a contract kept back.
_LINK: Final = 2
_KEPT_CONTRACT: Final = 10


class _ContractReading(LaidReading):
    # Counted in 120 matches of bots.
    picks = ((0, 0.01), (MOST, 0.85))
    begun: ContractSituation

    def __init__(self, record: Mapping[str, Any], sums: defaultdict[Pair, Sums]) -> None:
        super().__init__(record, sums)
        begun = self.begun
        rng = random.Random(0)  # noqa: S311 - nothing is drawn
        self.playouts = ContractPlayouts(begun.rules, begun.contract, begun.is_whole, rng)

    def begin(self, record: Mapping[str, Any]) -> ContractSituation:
        return ANALYSIS.begin(record)

    def price(self, situation: Any, card: int) -> float:
        position = situation.position
        hand = position.hands[position.turn]
        points = self.playouts.points[card % FACES]
        if self._has_laid(situation, position.turn):
            return float((_FITTING if self._fits(situation, card) else 0) - points)
        rest = [other for other in hand if other != card]
        links = sum(
            other % 13 == card % 13 or NEAR[card % FACES] >> other % FACES & 1
            for other in rest
            if not self._is_wild(card) and not self._is_wild(other)
        )
        wild = _LACKING if self._is_wild(card) else 0
        return float(
            _LACKING * self._count_lacking(rest) + wild + _LINK * links - points / _LACKING
        )

    def use(self, situation: Any, place: int, card: int) -> float:
        if self._has_laid(situation, place):
            return _FITTING if self._fits(situation, card) else 0
        hand = situation.position.hands[place]
        after = self._count_lacking([*hand, card]) - self.playouts.is_whole
        return float(_LACKING * (self._count_lacking(hand) - after))

    def count_kept_back(self, situation: Any, card: int) -> float:
        position = situation.position
        hand = position.hands[position.turn]
        if not self._has_laid(situation, position.turn):
            return _KEPT_CONTRACT if self._count_lacking(hand) <= 0 else 0
        if situation.lays and not situation.rules.lay_off_same_turn:
            return 0
        left = (other for other in hand if other != card and self._fits(situation, other))
        return float(sum(self.playouts.points[other % FACES] for other in left))

    def _count_lacking(self, hand: list[int]) -> int:
        return self.playouts.measure_need(hand).lacking

    def _fits(self, situation: Any, card: int) -> bool:
        return self.playouts.is_fitting(self.playouts.state(situation.position), card)

    def _is_wild(self, card: int) -> bool:
        return card % FACES in self.playouts.wilds

    @staticmethod
    def _has_laid(situation: Any, place: int) -> bool:
        position = situation.position
        is_now: bool = place == position.turn and situation.lays
        return is_now or position.has_laid[place]


FAIR_PLAY: Final = DiscardFairPlay(_ContractReading)
