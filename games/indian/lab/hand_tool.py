"""Questions about one hand, asked and answered as JSON lines: how a dispute is settled.

A question names cards without packs ("7H", "10H", "PJ"); `wild` is the card that was turned up
("PJ" makes the aces wild, null is no wild rank). Copies of a card are counted only if `rules.packs`
is given.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, Final

from games.cards import FACE_TEXT, Card, parse_face, read_cards
from games.engine.base import JSON, InvalidRules
from games.indian.rules.declaration import judge
from games.indian.rules.jokers import wild_rank
from games.indian.rules.ruleset import HAND_SIZE, PRESETS, RuleSet, parse_rules
from games.indian.rules.scoring import hand_points
from games.indian.rules.solver.arrangement import Arrangement, arrange, arrange_fourteen

FIELDS: Final = {"check": {"groups"}, "score": {"groups"}, "arrange": {"hand"}}
OPTIONAL: Final = {"wild", "ruleset", "rules"}


class BadQuestion(ValueError):  # noqa: N818 - an expected refusal, said in the answer
    """The line cannot be answered."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What the cards are judged by."""

    wild: int | None
    rules: RuleSet
    packs: int | None


def answer(command: str, line: str) -> str:
    """One line of JSON for one line of JSON; `{"error": sentence}` if it cannot be answered."""
    try:
        question = _read(command, line)
        reply = _COMMANDS[command](question, _setting(question))
    except BadQuestion as bad:
        reply = {"error": str(bad)}
    return json.dumps(reply, separators=(",", ":"))


def _read(command: str, line: str) -> Mapping[str, Any]:
    if command not in FIELDS:
        raise BadQuestion(f"There is no question {command!r}.")
    try:
        question = json.loads(line)
    except (ValueError, RecursionError):
        raise BadQuestion("This line is no JSON.") from None
    if not isinstance(question, dict):
        raise BadQuestion("A question is an object.")
    needed = FIELDS[command]
    if missing := needed - set(question):
        raise BadQuestion(f"{sorted(missing)[0]} is missing.")
    if unknown := set(question) - needed - OPTIONAL:
        raise BadQuestion(f"There is no field {sorted(unknown)[0]!r}.")
    return question


def _setting(question: Mapping[str, Any]) -> Setting:
    name = question.get("ruleset", "points")
    if not isinstance(name, str) or name not in PRESETS:
        raise BadQuestion(f"There is no rule set {name!r}.")
    fields = question.get("rules", {})
    if not isinstance(fields, dict):
        raise BadQuestion("rules is an object of fields.")
    fields = dict(fields)
    # Here a number of packs says what may be in one hand, whether or not six could play with them.
    packs = fields.pop("packs", None)
    if packs is not None and (type(packs) is not int or packs < 1):
        raise BadQuestion("packs is a whole number from 1.")
    try:
        rules = parse_rules({"name": name, **fields})
    except InvalidRules as invalid:
        raise BadQuestion(str(invalid)) from None
    return Setting(_wild(question.get("wild")), rules, packs)


def _wild(text: object) -> int | None:
    return None if text is None else wild_rank(Card.of(_face(text)))


def _check(question: Mapping[str, Any], setting: Setting) -> dict[str, JSON]:
    judgement = judge(_groups(question["groups"], setting), setting.wild, setting.rules)
    return {
        "valid": judgement.valid,
        "kinds": [kind and kind.value for kind in judgement.kinds],
        "reason": judgement.reason,
    }


def _score(question: Mapping[str, Any], setting: Setting) -> dict[str, JSON]:
    groups = _groups(question["groups"], setting)
    return {"points": hand_points(groups, setting.wild, setting.rules)}


def _arrange(question: Mapping[str, Any], setting: Setting) -> dict[str, JSON]:
    hand = _cards(question["hand"], setting)
    best = _best(hand, setting)
    return {
        "points": best.points,
        "groups": [_texts(group) for group in best.groups],
        "loose": _texts(best.loose),
        "discard": None if best.discard is None else FACE_TEXT[best.discard.face],
        "declarable": best.declarable,
    }


def _best(hand: Sequence[Card], setting: Setting) -> Arrangement:
    if len(hand) == HAND_SIZE:
        return arrange(hand, setting.wild, setting.rules)
    if len(hand) == HAND_SIZE + 1:
        return arrange_fourteen(hand, setting.wild, setting.rules)
    raise BadQuestion(f"A hand has 13 or 14 cards, not {len(hand)}.")


_COMMANDS: Final[Mapping[str, Callable[[Mapping[str, Any], Setting], dict[str, JSON]]]] = {
    "check": _check,
    "score": _score,
    "arrange": _arrange,
}


def _groups(groups: object, setting: Setting) -> tuple[tuple[Card, ...], ...]:
    if not isinstance(groups, list) or not all(isinstance(group, list) for group in groups):
        raise BadQuestion("groups is a list of lists of cards.")
    cards = _cards([text for group in groups for text in group], setting)
    ends = list(accumulate(map(len, groups), initial=0))
    return tuple(cards[start:end] for start, end in pairwise(ends))


def _cards(texts: object, setting: Setting) -> tuple[Card, ...]:
    if not isinstance(texts, list):
        raise BadQuestion("A hand is a list of cards.")
    faces = Counter(map(_face, texts))
    if setting.packs is not None:
        for face, copies in faces.items():
            if copies > setting.packs:
                raise BadQuestion(f"{copies} copies of {FACE_TEXT[face]} are too many.")
    return read_cards(texts)


def _face(text: object) -> int:
    if not isinstance(text, str):
        raise BadQuestion(f"unknown card: {text!r}")
    try:
        return parse_face(text)
    except ValueError as unknown:
        raise BadQuestion(str(unknown)) from None


def _texts(cards: Sequence[Card]) -> list[str]:
    return [FACE_TEXT[card.face] for card in cards]
