"""The analysis of a deal of gin for one seat: every decision with its loss, and the luck."""

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
from games.gin.bots.playouts import Playouts
from games.gin.lab.analysis.luck import weigh_luck
from games.gin.lab.analysis.options import Choice, Option, Worlds, find_choice, judge_choice
from games.gin.lab.analysis.reading import Situation, begin_situation, read_situations
from games.gin.lab.analysis.reasons import list_reasons
from games.gin.rules.defence import find_best_defence
from games.gin.rules.melding import cards_of
from games.gin.rules.melds import deadwood
from games.gin.rules.scoring import score
from games.gin.rules.state import KnockKind

# A playout of gin takes a quarter of a millisecond.
EFFORT: Final = Effort(first=32, second=64, last=320, confirming=640)
_TOLD: Final = {
    "pass": _("Pass"),
    "closed": _("Draw from the closed deck"),
    "open": _("Take the %(card)s"),
    "discard": _("Discard the %(card)s"),
    "knock": _("Knock with %(points)s, the %(card)s put down"),
    "gin": _("Gin, the %(card)s put down"),
    "big_gin": _("Big gin"),
}


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
    moves = 24

    def note(self, record: Mapping[str, Any]) -> Text:
        limit = begin_situation(record).limit
        if not limit:
            return text(_("Knocking with gin only"))
        return text(_("Knocking with %(limit)s or less"), limit=limit)

    def weigh_luck(
        self, record: Mapping[str, Any], place: int, _rng: random.Random, _effort: Effort
    ) -> Luck:
        return weigh_luck(record, place)

    def judge_decisions(
        self, record: Mapping[str, Any], seat: int, rng: random.Random, effort: Effort
    ) -> Decisions:
        begun = begin_situation(record)
        playing = Playouts(begun.rules, begun.upcard)
        for number, step, situation in read_situations(record):
            if step.get("seat") != seat:
                continue
            if (step.get("move") or {}).get("kind") == "defend":
                yield number, _judge_defence(number, step, situation, playing)
                continue
            choice = find_choice(situation, step)
            if choice is None:
                yield number, None
                continue
            worlds = Worlds(situation, situation.position.turn, rng)
            verdict = judge_choice(choice, worlds, playing, effort)
            yield number, _describe_decision(number, choice, verdict, situation, worlds)


def _describe_decision(
    number: int, choice: Choice, verdict: Verdict[Option], situation: Situation, worlds: Worlds
) -> dict[str, JSON]:
    position = situation.position
    options = sorted(choice.options, key=_get_sort_key)
    # A discard when a knock was possible counts as a discard decision if not knocking was right.
    knocks = choice.chosen.knocks or verdict.best.knocks
    return decision_json(
        number,
        position.turns[position.turn],
        "discard" if choice.kind == "knock" and not knocks else choice.kind,
        loss=verdict.loss,
        error=verdict.error,
        hand=cards_of(position.hands[position.turn]),
        opened=position.open_pile[-1] if position.open_pile else None,
        options=[_describe_option(option, situation) for option in options],
        chosen=options.index(choice.chosen),
        best=options.index(verdict.best),
        reasons=list_reasons(choice, verdict, situation, worlds),
    )


def _judge_defence(
    number: int, step: Step, situation: Situation, playing: Playouts
) -> dict[str, JSON] | None:
    """Return the decision of an answer that left more deadwood than it had to, or None.

    Its loss is exact, as nothing is hidden here. It may have cost more, by a missed undercut.
    """
    melds, knock = situation.melds, situation.knock
    if melds is None or knock is None:
        return None
    place = 1 - situation.order.index(knock["seat"])
    hand = situation.position.hands[place]
    move = step["move"]
    used = {CARD_BY_TEXT[card] for group in move["groups"] for card in group}
    used |= {CARD_BY_TEXT[card] for card, _meld in move["lay_offs"]}
    counted = deadwood(card for card in cards_of(hand) if card not in used)
    best = find_best_defence(cards_of(hand), melds).deadwood
    if counted <= best:
        return None

    def net(left: int) -> int:
        scores, _how, points = score(KnockKind.KNOCK, knock["points"], left, situation.rules)
        return (-points if scores else points) * playing.factor

    reasons = [
        text(
            _("In other groups your hand counts %(least)s instead of %(counted)s."),
            least=best,
            counted=counted,
        )
    ]
    if best <= knock["points"] < counted:
        reasons.append(text(_("That would have been an undercut.")))
    return decision_json(
        number,
        max(1, situation.position.turns[place]),
        "defend",
        loss=net(best) - net(counted),
        hand=cards_of(hand),
        reasons=reasons,
    )


def _get_sort_key(option: Option) -> tuple[str, int, int]:
    return option.doing, -1 if option.card is None else option.card, len(option.groups)


def _describe_option(option: Option, situation: Situation) -> tuple[Text, int | None]:
    position = situation.position
    card = position.open_pile[-1] if option.doing == "open" else option.card
    message = _TOLD[option.doing]
    values: dict[str, JSON] = {}
    if "%(card)s" in message:
        values["card"] = write_card(card)
    if "%(points)s" in message:
        values["points"] = option.points(position.hands[position.turn])
    return Text(message, values), card


ANALYSIS: Final = GinAnalysis()
