"""How players of 500 Rum helped each other (docs/fair-play.md)."""

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from games.analysis.fairplay import MOST, DiscardFairPlay, Pair, Sums
from games.analysis.laid_fairplay import LaidReading
from games.analysis.laid_report import LaidSituation, begin_laid
from games.analysis.situations import Event, Step
from games.cards import CARD_BY_TEXT, CARDS
from games.five_hundred.bots import EARLY, LINK, make_link_test
from games.five_hundred.rules.laying import FiveHundredLaying, find_best_laying
from games.five_hundred.rules.ruleset import RULES

if TYPE_CHECKING:
    from games.engine.laid import Meld


class _Situation(LaidSituation):
    def on_drawn(self, event: Event, step: Step) -> None:
        if event["source"] == "closed":
            super().on_drawn(event, step)
            return
        # The chosen card and all cards on top of it.
        place, position = self.get_place(event), self.position
        cards = [CARD_BY_TEXT[card] for card in event["cards"]]
        del position.open_pile[-len(cards) :]
        position.hands[place] += cards
        position.drawn, position.from_open = CARD_BY_TEXT[event["card"]], True


class _FiveHundredReading(LaidReading):
    # Counted in 120 matches of bots.
    picks = ((0, 0.19), (5, 0.4), (MOST, 0.83))

    def __init__(self, record: Mapping[str, Any], sums: defaultdict[Pair, Sums]) -> None:
        super().__init__(record, sums)
        # Cache by hand and table melds: each card of a turn is compared with the same hands.
        self._layings: dict[tuple[tuple[int, ...], tuple[Meld, ...]], FiveHundredLaying] = {}

    def begin(self, record: Mapping[str, Any]) -> LaidSituation:
        rules = RULES.load(record["rules"])
        deck = rules.deck(len(record["order"]))
        return _Situation(rules=rules, deck=deck, **begin_laid(record))

    def price(self, situation: LaidSituation, card: int) -> float:
        hand = situation.position.hands[situation.position.turn]
        hope = LINK * sum(map(make_link_test(CARDS[card]), (CARDS[other] for other in hand)))
        return hope - EARLY * float(situation.rules.points_of(CARDS[card]))

    def use(self, situation: LaidSituation, place: int, card: int) -> float:
        hand = situation.position.hands[place]
        with_it, without = (self._find_laying(situation, cards) for cards in ([*hand, card], hand))
        return with_it.points - without.points

    def count_kept_back(self, situation: LaidSituation, card: int) -> float:
        hand = situation.position.hands[situation.position.turn]
        return self._find_laying(situation, [other for other in hand if other != card]).points

    def _find_laying(self, situation: LaidSituation, hand: list[int]) -> FiveHundredLaying:
        melds = situation.position.melds
        asked = tuple(hand), tuple(melds)
        known = self._layings.get(asked)
        if known is None:
            known = find_best_laying((CARDS[card] for card in hand), melds, situation.rules)
            self._layings[asked] = known
        return known


FAIR_PLAY: Final = DiscardFairPlay(_FiveHundredReading)
