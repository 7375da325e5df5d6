"""The analysis of a deal of basic rummy: what could be decided, and why something was better."""

import random
from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.analysis.laid_reasons import Telling
from games.analysis.laid_report import LaidAnalysis, Situation, begin_position
from games.analysis.report import write_card
from games.basic.bots.playouts import APART, BIT, CLOSE, Playouts
from games.basic.rules.laying import POINTS
from games.basic.rules.ruleset import load_rules
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.engine.core import PACK


class BasicAnalysis(LaidAnalysis):
    laying = ("meld", "lay_off")
    kinds = {
        "pick": text(_("Draws")),
        "lay": text(_("Melds and lay-offs")),
        "discard": text(_("Discards")),
    }
    told = {
        "closed": _("Draw from the closed deck"),
        "open": _("Take the %(card)s"),
        "lay": _("Lay what can be laid"),
        "wait": _("Lay nothing, discard the %(card)s"),
        "discard": _("Discard the %(card)s"),
    }

    def begin(self, record: Mapping[str, Any]) -> Situation:
        return Situation(rules=load_rules(record["rules"]), deck=PACK, **begin_position(record))

    def make_playouts(self, situation: Situation, rng: random.Random) -> Playouts:
        return Playouts(situation.rules, rng)

    def note(self, record: Mapping[str, Any]) -> Text:
        is_low = load_rules(record["rules"]).ace == "low"
        return text(_("The ace is low")) if is_low else text(_("The ace is low or high"))

    def make_telling(self, *seen: Any) -> Telling:
        return _Telling(*seen)


class _Telling(Telling):
    def __init__(self, *seen: Any) -> None:
        super().__init__(*seen)
        self.hand = self.state.hands[self.state.turn]
        self.on_table = self.state.on_runs | self.state.on_sets

    def count_points(self, card: int) -> int:
        return POINTS[card]

    def is_near(self, card: int, other: int) -> bool:
        return bool((CLOSE[card] | APART[card]) & BIT[other])

    def explain_draw(self, card: int) -> Iterator[Text]:
        points, with_it = self.playouts.find_melds(self.hand)[0], self.hand | BIT[card]
        melds = self.playouts.find_melds(with_it)[0] > points
        is_fitting = BIT[card] & self.on_table
        if self.best.doing == "open":
            if melds:
                yield text(_("The %(card)s made a meld with your cards."), card=write_card(card))
            elif is_fitting:
                yield from self.explain_fit(card)
            yield from self.explain_kin(card)
            if max(map(self.count_points, self.held)) > POINTS[card]:
                yield text(
                    _("The %(card)s counts %(points)s; you held more expensive cards."),
                    card=write_card(card),
                    points=POINTS[card],
                )
            return
        if not melds and not is_fitting:
            yield text(_("The %(card)s made no meld with your cards."), card=write_card(card))
        helping = self._count_helping(self.hand)
        if helping:
            yield text(
                _("Of the cards that you had not seen %(count)s could have been laid."),
                count=helping,
            )
        yield self.explain_open_draw()

    def explain_lay(self) -> Iterator[Text]:
        if self.situation.rules.rummy_factor > 1:
            yield text(_("All cards laid in one turn would have counted double for you."))
        yield text(_("The others can lay off on what you lay down."))

    def explain_discard(self, card: int, better: int) -> Iterator[Text]:
        if BIT[card] & self.on_table and not BIT[better] & self.on_table:
            yield from self.explain_fit(card)
        fewer, more = (self._count_helping(self.hand ^ BIT[one]) for one in (card, better))
        if more > fewer:
            yield text(
                _(
                    "After the %(better)s %(more)s cards that you had not seen could have been "
                    "laid, after the %(card)s %(fewer)s."
                ),
                better=write_card(better),
                more=more,
                card=write_card(card),
                fewer=fewer,
            )
        yield from self.explain_next_player(card)
        yield from self.explain_points(card, better)
        yield from self.explain_company(card, better)

    def _count_helping(self, hand: int) -> int:
        """Return how many unseen cards make a meld with this hand, lengthen one, or fit on the table."""
        points = self.playouts.find_melds(hand)[0]
        return sum(
            bool(BIT[card] & self.on_table)
            or self.playouts.find_melds(hand | BIT[card])[0] > points
            for card in self.known.hidden
        )


ANALYSIS: Final = BasicAnalysis()
