"""The analysis of a deal of Indian rummy (docs/analysis.md)."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.analysis.judging import Choice, Option, Verdict
from games.analysis.played_out import PlayedOutAnalysis
from games.analysis.report import Count
from games.analysis.situations import Move, begin_deck
from games.analysis.writing import write_card
from games.cards import ACE, CARD_BY_TEXT, FACE_RANK, FACES, full_deck
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.indian.bots.playouts import IndianPlayouts, IndianPosition, make_playouts
from games.indian.lab.analysis.options import IndianMoment, find_choice
from games.indian.lab.analysis.reading import IndianSituation
from games.indian.lab.analysis.reasons import IndianExplanation
from games.indian.rules.ruleset import HAND_SIZE, load_rules
from games.indian.rules.scoring import hand_points


@dataclass(frozen=True)
class IndianAnalysis(PlayedOutAnalysis):
    version: int = 2
    kinds = {
        "drop": text(_("Drops")),
        "pick": text(_("Draws")),
        "discard": text(_("Discards")),
        "finish": text(_("Finishes")),
        "declare": text(_("Declarations")),
        "show": text(_("Hands shown")),
    }
    option_texts = {
        "drop": _("Drop"),
        "closed": _("Draw from the closed deck"),
        "open": _("Take the %(card)s"),
        "discard": _("Discard the %(card)s"),
        "finish": _("Finish with the %(card)s"),
        "wrong": _("Declare"),
    }
    moves = 18
    moment = IndianMoment
    explanation = IndianExplanation
    find_choice = staticmethod(find_choice)

    def begin(self, record: Mapping[str, Any]) -> IndianSituation:
        rules, order = load_rules(record["rules"]), record["order"]
        return IndianSituation(
            rules=rules,
            deck=full_deck(rules.packs_at(len(order))),
            wild_card=CARD_BY_TEXT[record["wild"]],
            has_drawn=[False] * len(order),
            **begin_deck(record, IndianPosition, is_first_turn=True),
        )

    def make_playouts(self, begun: IndianSituation, rng: random.Random) -> IndianPlayouts:
        return make_playouts(begun.rules, begun.wild, rng)

    def describe_deal(self, record: Mapping[str, Any]) -> Text:
        return text(_("Wild joker: %(card)s"), card=write_card(self.begin(record).wild_card))

    def get_kind(self, choice: Choice[Option], verdict: Verdict[Option]) -> str:
        """Return the kind of decision under which a choice is reported: a key of `kinds`.

        A choice before the draw is about dropping if the option chosen or the best one is a drop.
        """
        is_dropped = "drop" in (choice.chosen.doing, verdict.best.doing)
        return "drop" if choice.kind == "pick" and is_dropped else choice.kind

    def count_hand(
        self, situation: IndianSituation, move: Move, place: int, playouts: IndianPlayouts
    ) -> Count | None:
        if move["kind"] != "show":
            return None
        groups = [[CARD_BY_TEXT[card] for card in group] for group in move["groups"]]
        counted = hand_points(groups, situation.wild, situation.rules)
        least = playouts.hands.count_least(situation.position.hands[place])
        least = min(least, situation.rules.max_points)
        return Count("show", counted, least, counted - least) if counted > least else None

    def play_on(
        self, position: IndianPosition, place: int, playouts: IndianPlayouts, *, is_drawn: bool
    ) -> float:
        world = position.copy()
        if is_drawn:
            playouts.take_closed(world)
        return playouts.play_out(world)[place]

    def sample_deal(
        self, begun: IndianSituation, _playouts: IndianPlayouts, rng: random.Random
    ) -> tuple[IndianPosition, IndianPlayouts]:
        cards: list[int] = list(begun.deck)
        rng.shuffle(cards)
        hands = [[cards.pop() for _ in range(HAND_SIZE)] for _ in begun.order]
        wild = FACE_RANK[cards.pop() % FACES] or ACE  # R1.4: a printed joker makes aces wild
        position = begun.position.copy()
        position.hands, position.open_pile, position.closed = hands, [cards.pop()], cards
        return position, make_playouts(begun.rules, wild, rng)


ANALYSIS: Final = IndianAnalysis()
