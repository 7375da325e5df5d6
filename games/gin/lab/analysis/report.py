"""The analysis of a deal of gin (docs/analysis.md)."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from games.analysis.judging import Choice, Effort, Verdict
from games.analysis.moments import Moment
from games.analysis.report import Analysis, Count
from games.analysis.situations import Move
from games.cards import CARD_BY_TEXT
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.gin.bots.playouts import GinPlayouts, GinPosition
from games.gin.lab.analysis.luck import estimate_worth_of_draw, estimate_worth_of_hand
from games.gin.lab.analysis.options import GinMoment, GinOption, find_choice
from games.gin.lab.analysis.reading import GinSituation
from games.gin.lab.analysis.reasons import GinExplanation
from games.gin.rules.defence import find_best_defence
from games.gin.rules.melding import cards_of, mask_of
from games.gin.rules.melds import deadwood
from games.gin.rules.ruleset import load_rules
from games.gin.rules.scoring import score
from games.gin.rules.state import KnockKind

# A playout of gin takes a quarter of a millisecond.
EFFORT: Final = Effort(first=32, second=64, last=320, confirming=640)


@dataclass(frozen=True)
class GinAnalysis(Analysis):
    effort: Effort = EFFORT
    version: int = 2
    kinds = {
        "upcard": text(_("Upcards")),
        "pick": text(_("Draws")),
        "discard": text(_("Discards")),
        "knock": text(_("Knocks")),
        "defend": text(_("Answers to knocks")),
    }
    option_texts = {
        "pass": _("Pass"),
        "closed": _("Draw from the closed deck"),
        "open": _("Take the %(card)s"),
        "discard": _("Discard the %(card)s"),
        "knock": _("Discard the %(card)s and knock with %(points)s"),
        "gin": _("Discard the %(card)s for gin"),
        "big_gin": _("Big gin"),
    }
    moves = 24
    moment = GinMoment
    explanation = GinExplanation
    find_choice = staticmethod(find_choice)

    def begin(self, record: Mapping[str, Any]) -> GinSituation:
        order, upcard = record["order"], CARD_BY_TEXT[record["open"]]
        hands = [[CARD_BY_TEXT[card] for card in record["hands"][str(seat)]] for seat in order]
        position = GinPosition(
            hands=[mask_of(hand) for hand in hands],
            closed=[],
            open_pile=[upcard],
            turns=[1, 0],
            is_offered=True,
        )
        return GinSituation(
            rules=load_rules(record["rules"]),
            order=order,
            position=position,
            upcard=upcard,
            held=[0, 0],
            discards=[[], []],
            refused=[[], []],
        )

    def make_playouts(self, begun: GinSituation, _rng: random.Random) -> GinPlayouts:
        return GinPlayouts(begun.rules, begun.upcard)

    def describe_deal(self, record: Mapping[str, Any]) -> Text:
        limit = self.begin(record).limit
        if not limit:
            return text(_("Knocking with gin only"))
        return text(_("Knocking with %(limit)s or less"), limit=limit)

    def get_kind(self, choice: Choice[GinOption], verdict: Verdict[GinOption]) -> str:
        """Return the kind of a decision.

        If a knock was possible, but is neither the option chosen nor the best one, the decision is about the discard.
        """
        knocks = choice.chosen.knocks or verdict.best.knocks
        return "discard" if choice.kind == "knock" and not knocks else choice.kind

    def describe_option(
        self, option: GinOption, situation: GinSituation
    ) -> tuple[Text, int | None]:
        told, card = super().describe_option(option, situation)
        if option.doing == "knock":
            hand = situation.position.hands[situation.position.turn]
            told = replace(told, values={**told.values, "points": option.points(hand)})
        return told, card

    def count_hand(
        self, situation: GinSituation, move: Move, place: int, playouts: GinPlayouts
    ) -> Count | None:
        """Return what an answer to a knock left and what that cost, or None if no answer left less deadwood.

        The cost, in net points, includes an undercut that was missed.
        """
        knock = situation.knock
        if move["kind"] != "defend" or knock is None:
            return None
        counted, least = count_answer(situation, move, place)
        if counted <= least:
            return None

        def net(left: int) -> int:
            scores, _how, points = score(KnockKind.KNOCK, knock["points"], left, situation.rules)
            return (-points if scores else points) * playouts.factor

        undercut = text(_("That would have been an undercut."))
        more = (undercut,) if least <= knock["points"] < counted else ()
        return Count("defend", counted, least, net(least) - net(counted), more)

    def estimate_luck_of_draw(
        self, moment: Moment, drawer: int, cards: Sequence[int], _orders: int
    ) -> float:
        worth = estimate_worth_of_draw(moment.situation, cards[0], moment.playouts)
        return worth if drawer == moment.place else -worth

    def estimate_luck_of_deal(self, moment: Moment, _effort: Effort) -> float:
        begun, factor = moment.situation, moment.playouts.factor
        own, other = (
            estimate_worth_of_hand(begun, begun.position.hands[place], 0) * factor
            for place in (moment.place, 1 - moment.place)
        )
        return float(own - other)


def count_answer(situation: GinSituation, move: Move, place: int) -> tuple[int, int]:
    """Return the deadwood that an answer to a knock left, and the least that was possible."""
    hand = cards_of(situation.position.hands[place])
    used = {CARD_BY_TEXT[card] for group in move["groups"] for card in group}
    used |= {CARD_BY_TEXT[card] for card, _meld in move["lay_offs"]}
    left = deadwood(card for card in hand if card not in used)
    return left, find_best_defence(hand, situation.melds or ()).deadwood


ANALYSIS: Final = GinAnalysis()
