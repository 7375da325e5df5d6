"""The analysis of a deal of basic rummy: the choices that the player had, and why another option was better."""

import random
from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.analysis.laid_reasons import LaidExplanation
from games.analysis.laid_report import LaidAnalysis, LaidSituation, begin_laid
from games.analysis.writing import write_card
from games.basic.bots.playouts import APART, BIT, CLOSE, BasicPlayouts
from games.basic.rules.laying import POINTS
from games.basic.rules.ruleset import load_rules
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.engine.core import PACK


class _BasicExplanation(LaidExplanation):
    helpful = _("Of the cards that you had not seen, %(count)s could have been laid.")
    improving = _(
        "With the %(better)s discarded, %(more)s cards that you had not seen could have been "
        "laid; with the %(card)s discarded, %(fewer)s."
    )

    def __init__(self, *decided: Any) -> None:
        super().__init__(*decided)
        self.hand: int = self.state.hands[self.state.turn]
        self.on_table: int = self.state.on_runs | self.state.on_sets

    def count_points(self, card: int) -> int:
        return POINTS[card]

    def is_near(self, card: int, other: int) -> bool:
        return bool((CLOSE[card] | APART[card]) & BIT[other])

    def is_fitting(self, card: int) -> bool:
        return bool(BIT[card] & self.on_table)

    def _makes_meld(self, hand: int, card: int) -> bool:
        """Return whether the card makes a meld with this hand or extends one."""
        find_melds = self.playouts.find_melds
        return bool(find_melds(hand | BIT[card])[0] > find_melds(hand)[0])

    def is_useless(self, card: int) -> bool:
        return not self.is_fitting(card) and not self._makes_meld(self.hand, card)

    def count_helpful(self, _card: int) -> int:
        return self._count_layable(self.hand)

    def count_improving(self, card: int) -> int:
        return self._count_layable(self.hand ^ BIT[card])

    def _count_layable(self, hand: int) -> int:
        """Return how many unseen cards could be laid at once if this hand drew them."""
        return sum(
            self.is_fitting(card) or self._makes_meld(hand, card)
            for card in self.moment.known.hidden
        )

    def explain_draw(self) -> Iterator[Text]:
        yield from super().explain_draw()
        card = self.situation.opened
        if self.best.doing == "open" and max(map(self.count_points, self.held)) > POINTS[card]:
            yield text(
                _("The %(card)s counts %(points)s; you held cards that count more."),
                card=write_card(card),
                points=POINTS[card],
            )

    def explain_use(self, card: int) -> Iterator[Text]:
        if self._makes_meld(self.hand, card):
            yield text(_("The %(card)s made a meld with your cards."), card=write_card(card))
        elif self.is_fitting(card):
            yield self.explain_fit(card)

    def explain_lay(self) -> Iterator[Text]:
        if self.situation.rules.rummy_factor > 1:
            yield text(_("All cards laid in one turn would have counted double for you."))
        yield from super().explain_lay()

    def compare_hands(self, card: int, better: int) -> Iterator[Text]:
        yield from super().compare_hands(card, better)
        yield from self.compare_prospects(card, better)


class BasicAnalysis(LaidAnalysis):
    laying = ("meld", "lay_off")
    kinds = {
        "pick": text(_("Draws")),
        "lay": text(_("Melds and lay-offs")),
        "discard": text(_("Discards")),
    }
    option_texts = {
        "closed": _("Draw from the closed deck"),
        "open": _("Take the %(card)s"),
        "lay": _("Lay what can be laid"),
        "wait": _("Lay nothing, discard the %(card)s"),
        "discard": _("Discard the %(card)s"),
    }
    explanation = _BasicExplanation

    def begin(self, record: Mapping[str, Any]) -> LaidSituation:
        return LaidSituation(rules=load_rules(record["rules"]), deck=PACK, **begin_laid(record))

    def make_playouts(self, begun: LaidSituation, rng: random.Random) -> BasicPlayouts:
        return BasicPlayouts(begun.rules, rng)

    def describe_deal(self, record: Mapping[str, Any]) -> Text:
        is_low = load_rules(record["rules"]).ace == "low"
        return text(_("The ace is low")) if is_low else text(_("The ace is low or high"))


ANALYSIS: Final = BasicAnalysis()
