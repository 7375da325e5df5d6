"""The analysis of a deal for one seat: every decision with its loss, and the luck (docs/analysis.md)."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.analysis.judging import Effort, Verdict
from games.analysis.report import (
    Analysis,
    Decisions,
    Luck,
    Step,
    decision_json,
    write_card,
)
from games.cards import CARD_BY_TEXT
from games.engine.base import JSON, Text, text
from games.engine.base import gettext_noop as _
from games.indian.bots.playouts import Hands, make_playouts
from games.indian.lab.analysis.luck import weigh_luck
from games.indian.lab.analysis.options import Choice, Option, find_choice, judge_choice
from games.indian.lab.analysis.reading import Situation, begin_situation, read_situations
from games.indian.lab.analysis.reasons import list_reasons
from games.indian.rules.scoring import hand_points

_TOLD: Final = {
    "drop": _("Drop"),
    "closed": _("Draw from the closed deck"),
    "open": _("Take the %(card)s"),
    "discard": _("Discard the %(card)s"),
    "finish": _("Finish with the %(card)s"),
    "wrong": _("Declare"),
}


@dataclass(frozen=True)
class IndianAnalysis(Analysis):
    version: int = 2
    kinds = {
        "drop": text(_("Drops")),
        "pick": text(_("Draws")),
        "discard": text(_("Discards")),
        "finish": text(_("Finishes")),
        "declare": text(_("Declarations")),
        "show": text(_("Hands shown")),
    }
    moves = 18

    def note(self, record: Mapping[str, Any]) -> Text:
        return text(_("Wild joker: %(card)s"), card=write_card(begin_situation(record).wild_card))

    def weigh_luck(
        self, record: Mapping[str, Any], place: int, rng: random.Random, effort: Effort
    ) -> Luck:
        return weigh_luck(record, place, rng, effort)

    def judge_decisions(
        self, record: Mapping[str, Any], seat: int, rng: random.Random, effort: Effort
    ) -> Decisions:
        begun = begin_situation(record)
        playing = make_playouts(begun.rules, begun.wild, rng)
        for number, step, situation in read_situations(record):
            if step.get("seat") != seat:
                continue
            if (step.get("move") or {}).get("kind") == "show":
                yield number, _judge_shown(number, step, situation, playing.hands, seat)
                continue
            choice = find_choice(situation, step, playing.hands)
            if choice is None:
                yield number, None
                continue
            verdict = judge_choice(choice, situation, playing, rng, effort)
            yield number, _describe_decision(number, choice, verdict, situation, playing.hands)


def _describe_decision(
    number: int, choice: Choice, verdict: Verdict[Option], situation: Situation, hands: Hands
) -> dict[str, JSON]:
    position = situation.position
    options = sorted(choice.options, key=_get_sort_key)
    is_dropped = "drop" in (choice.chosen.doing, verdict.best.doing)
    return decision_json(
        number,
        position.turns[position.turn],
        # A missed drop is a mistake about dropping, whatever was drawn.
        "drop" if choice.kind == "pick" and is_dropped else choice.kind,
        loss=verdict.loss,
        error=verdict.error,
        hand=position.hands[position.turn],
        opened=position.open_pile[-1] if position.open_pile else None,
        options=[_describe_option(option, situation) for option in options],
        chosen=options.index(choice.chosen),
        best=options.index(verdict.best),
        reasons=list_reasons(choice, verdict, situation, hands),
    )


def _judge_shown(
    number: int, step: Step, situation: Situation, hands: Hands, seat: int
) -> dict[str, JSON] | None:
    """Judge the groups shown: a count above the least is a loss. Exact, as nothing is hidden here."""
    place = situation.order.index(seat)
    groups = [[CARD_BY_TEXT[card] for card in group] for group in step["move"]["groups"]]
    counted = hand_points(groups, situation.wild, situation.rules)
    least = min(hands.count_least(situation.position.hands[place]), situation.rules.max_points)
    if counted <= least:
        return None
    return decision_json(
        number,
        situation.position.turns[place],
        "show",
        loss=counted - least,
        hand=situation.position.hands[place],
        reasons=[
            text(
                _("In other groups your hand counts %(least)s instead of %(counted)s."),
                least=least,
                counted=counted,
            )
        ],
    )


def _get_sort_key(option: Option) -> tuple[str, int]:
    return option.doing, -1 if option.card is None else option.card


def _describe_option(option: Option, situation: Situation) -> tuple[Text, int | None]:
    card = situation.position.open_pile[-1] if option.doing == "open" else option.card
    values = {"card": write_card(card)} if "%(card)s" in _TOLD[option.doing] else {}
    return Text(_TOLD[option.doing], values), card


ANALYSIS: Final = IndianAnalysis()
