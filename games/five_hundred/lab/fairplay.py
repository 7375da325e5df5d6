"""The help of players of 500 Rum for each other (docs/fair-play.md)."""

from collections.abc import Mapping
from typing import Any, Final

from games.analysis.fairplay import MOST, DiscardFairPlay
from games.analysis.laid_fairplay import LaidReading
from games.analysis.laid_report import Event, Situation, begun_position
from games.analysis.report import Step
from games.cards import CARD_BY_TEXT, CARDS
from games.five_hundred.bots import EARLY, LINK, card_links
from games.five_hundred.rules.laying import Laying, best_laying
from games.five_hundred.rules.ruleset import RULES


class _Situation(Situation):
    def on_drawn(self, event: Event, step: Step) -> None:
        if event["source"] == "closed":
            super().on_drawn(event, step)
            return
        # The card chosen and all that lie on it.
        place, position = self.place_of(event), self.position
        cards = [CARD_BY_TEXT[card] for card in event["cards"]]
        del position.open_pile[-len(cards) :]
        position.hands[place] += cards
        position.drawn, position.from_open = CARD_BY_TEXT[event["card"]], True


class _FiveHundredReading(LaidReading):
    # Counted in 120 matches of bots.
    picks = ((0, 0.19), (5, 0.4), (MOST, 0.83))

    def begin(self, record: Mapping[str, Any]) -> Situation:
        rules = RULES.parse(record["rules"])
        deck = rules.deck(len(record["order"]))
        return _Situation(rules=rules, deck=deck, **begun_position(record))

    def price(self, situation: Situation, card: int) -> float:
        hand = situation.position.hands[situation.position.turn]
        hope = LINK * sum(map(card_links(CARDS[card]), (CARDS[other] for other in hand)))
        return hope - EARLY * float(situation.rules.points_of(CARDS[card]))

    def use(self, situation: Situation, place: int, card: int) -> float:
        hand = situation.position.hands[place]
        with_it, without = (self._laid(situation, cards) for cards in ([*hand, card], hand))
        return with_it.points - without.points

    def kept_back(self, situation: Situation, card: int) -> float:
        hand = situation.position.hands[situation.position.turn]
        return self._laid(situation, [other for other in hand if other != card]).points

    @staticmethod
    def _laid(situation: Situation, hand: list[int]) -> Laying:
        return best_laying(
            (CARDS[card] for card in hand), situation.position.melds, situation.rules
        )


FAIR_PLAY: Final = DiscardFairPlay(_FiveHundredReading)
