"""A tool for disputes: questions about one hand, asked and answered as JSON lines.

`check` and `score`: `{"groups": lists of cards}`; `arrange`: `{"hand": thirteen or fourteen cards}`.

A question names cards without packs ("7H", "10H", "PJ"); `wild` is the card that was turned up
("PJ" makes the aces wild, null is no wild rank). `ruleset` names a preset, `rules` sets single
fields of it. Copies of a card are counted only if `rules.packs` is given.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple

from games.cards import FACE_TEXT, Card, read_cards
from games.engine.base import JSON
from games.hand_questions import (
    BadQuestion,
    HandQuestions,
    Question,
    face_texts,
    read_face,
)
from games.indian.rules.declaration import judge
from games.indian.rules.jokers import wild_rank
from games.indian.rules.ruleset import HAND_SIZE, PRESETS, RuleSet, parse_rules
from games.indian.rules.scoring import hand_points
from games.indian.rules.solver.arrangement import Arrangement, arrange, arrange_fourteen


class Judging(NamedTuple):
    """The rules of a question, and the packs that its cards may come from."""

    rules: RuleSet
    packs: int | None


def answer(question: str, line: str) -> str:
    """Answer a line of JSON with a line of JSON, or with `{"error": sentence}`."""
    return _QUESTIONS.answer(question, line)


def _read_judging(fields: Any) -> Judging:
    """Read the rules. A number of packs bounds one hand, whether or not six could play with them."""
    fields = dict(fields)
    packs = fields.pop("packs", None)
    if packs is not None and (type(packs) is not int or packs < 1):
        raise BadQuestion("packs is a whole number from 1.")
    return Judging(parse_rules(fields), packs)


def _check(asked: Mapping[str, Any], judging: Judging) -> dict[str, JSON]:
    judgement = judge(_groups(asked["groups"], judging), _wild(asked), judging.rules)
    return {
        "valid": judgement.valid,
        "kinds": [kind and kind.value for kind in judgement.kinds],
        "reason": judgement.reason,
    }


def _score(asked: Mapping[str, Any], judging: Judging) -> dict[str, JSON]:
    return {"points": hand_points(_groups(asked["groups"], judging), _wild(asked), judging.rules)}


def _arrange(asked: Mapping[str, Any], judging: Judging) -> dict[str, JSON]:
    best = _best(_cards(asked["hand"], judging), _wild(asked), judging.rules)
    return {
        "points": best.points,
        "groups": [_texts(group) for group in best.groups],
        "loose": _texts(best.loose),
        "discard": None if best.discard is None else FACE_TEXT[best.discard.face],
        "declarable": best.declarable,
    }


def _best(hand: Sequence[Card], wild: int | None, rules: RuleSet) -> Arrangement:
    if len(hand) == HAND_SIZE:
        return arrange(hand, wild, rules)
    if len(hand) == HAND_SIZE + 1:
        return arrange_fourteen(hand, wild, rules)
    raise BadQuestion(f"A hand has 13 or 14 cards, not {len(hand)}.")


def _wild(asked: Mapping[str, Any]) -> int | None:
    text = asked.get("wild")
    return None if text is None else wild_rank(Card.of(read_face(text)))


_OPTIONAL: Final = frozenset({"wild"})
_QUESTIONS: Final = HandQuestions(
    {
        "arrange": Question(
            _arrange, "the least count of 13 or 14 cards", frozenset({"hand"}), _OPTIONAL
        ),
        "check": Question(
            _check,
            "which kind each group is, and whether it is a valid declaration",
            frozenset({"groups"}),
            _OPTIONAL,
        ),
        "score": Question(_score, "what a loser's groups count", frozenset({"groups"}), _OPTIONAL),
    },
    PRESETS,
    _read_judging,
)
TOOL: Final = _QUESTIONS.tool


def _groups(groups: object, judging: Judging) -> tuple[tuple[Card, ...], ...]:
    if not isinstance(groups, list) or not all(isinstance(group, list) for group in groups):
        raise BadQuestion("groups is a list of lists of cards.")
    cards = _cards([text for group in groups for text in group], judging)
    ends = list(accumulate(map(len, groups), initial=0))
    return tuple(cards[start:end] for start, end in pairwise(ends))


def _cards(texts: object, judging: Judging) -> tuple[Card, ...]:
    if not isinstance(texts, list):
        raise BadQuestion("A hand is a list of cards.")
    faces = Counter(map(read_face, texts))
    if judging.packs is not None:
        for face, copies in faces.items():
            if copies > judging.packs:
                raise BadQuestion(f"{copies} copies of {FACE_TEXT[face]} are too many.")
    return read_cards(texts)


def _texts(cards: Sequence[Card]) -> list[str]:
    return face_texts(card.face for card in cards)
