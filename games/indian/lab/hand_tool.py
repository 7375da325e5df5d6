"""The hand tool, which settles disputes: it answers questions about one hand as lines of JSON.

A question names cards without packs ("7H", "10H", "PJ"). `wild` is the card that was turned up: with "PJ" aces are
wild, with null there is no wild rank. A hand with too many copies of a card is refused only if `rules.packs` is given.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple

from games.cards import FACE_TEXT, Card, read_cards, wild_rank
from games.engine.base import JSON
from games.engine.game import HandTool
from games.hand_questions import BadQuestion, HandQuestion, HandQuestions, face_texts, read_face
from games.indian.rules.melds import judge
from games.indian.rules.ruleset import HAND_SIZE, PRESETS, RuleSet, load_rules
from games.indian.rules.scoring import hand_points
from games.indian.rules.solver.arrangement import Arrangement, arrange, arrange_fourteen


class Setting(NamedTuple):
    """The rules by which cards are judged, and how many copies of a card a hand may hold.

    `packs` is this number, or None if any number of copies is allowed.
    """

    rules: RuleSet
    packs: int | None


def _read_setting(fields: Any) -> Setting:
    # Here `packs` limits only the copies of a card in one hand: six players need not be able to play with them.
    packs = fields.pop("packs", None)
    if packs is not None and (type(packs) is not int or packs < 1):
        raise BadQuestion("packs is a whole number from 1.")
    return Setting(load_rules(fields), packs)


def _read_wild(question: Mapping[str, Any]) -> int | None:
    text = question.get("wild")
    return None if text is None else wild_rank(Card.of(read_face(text)))


def _check(question: Mapping[str, Any], setting: Setting) -> dict[str, JSON]:
    wild = _read_wild(question)
    judgement = judge(_read_groups(question["groups"], setting), wild, setting.rules)
    return {
        "valid": judgement.valid,
        "kinds": [kind and kind.value for kind in judgement.kinds],
        "reason": judgement.reason,
    }


def _score(question: Mapping[str, Any], setting: Setting) -> dict[str, JSON]:
    wild = _read_wild(question)
    return {"points": hand_points(_read_groups(question["groups"], setting), wild, setting.rules)}


def _arrange(question: Mapping[str, Any], setting: Setting) -> dict[str, JSON]:
    wild = _read_wild(question)
    best = _arrange_best(_read_cards(question["hand"], setting), wild, setting.rules)
    return {
        "points": best.points,
        "groups": [face_texts(card.face for card in group) for group in best.groups],
        "loose": face_texts(card.face for card in best.loose),
        "discard": None if best.discard is None else FACE_TEXT[best.discard.face],
        "declarable": best.declarable,
    }


def _arrange_best(hand: Sequence[Card], wild: int | None, rules: RuleSet) -> Arrangement:
    if len(hand) == HAND_SIZE:
        return arrange(hand, wild, rules)
    if len(hand) == HAND_SIZE + 1:
        return arrange_fourteen(hand, wild, rules)
    raise BadQuestion(f"A hand has 13 or 14 cards, not {len(hand)}.")


_WILD: Final = frozenset({"wild"})
_QUESTIONS: Final = HandQuestions(
    {
        "arrange": HandQuestion(_arrange, frozenset({"hand"}), _WILD),
        "check": HandQuestion(_check, frozenset({"groups"}), _WILD),
        "score": HandQuestion(_score, frozenset({"groups"}), _WILD),
    },
    PRESETS,
    _read_setting,
)
TOOL: Final = HandTool(tuple(_QUESTIONS.asked), _QUESTIONS.answer)


def _read_groups(groups: object, setting: Setting) -> tuple[tuple[Card, ...], ...]:
    if not isinstance(groups, list) or not all(isinstance(group, list) for group in groups):
        raise BadQuestion("groups is a list of lists of cards.")
    cards = _read_cards([text for group in groups for text in group], setting)
    ends = list(accumulate(map(len, groups), initial=0))
    return tuple(cards[start:end] for start, end in pairwise(ends))


def _read_cards(texts: object, setting: Setting) -> tuple[Card, ...]:
    if not isinstance(texts, list):
        raise BadQuestion("A hand is a list of cards.")
    faces = Counter(map(read_face, texts))
    if setting.packs is not None:
        for face, copies in faces.items():
            if copies > setting.packs:
                raise BadQuestion(f"{copies} copies of {FACE_TEXT[face]} are too many.")
    return read_cards(texts)
