"""Questions about hands as lines of JSON: the part that the games' hand tools share.

In a question, `ruleset` names a preset and `rules` changes single fields of it.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from games.cards import FACE_TEXT, parse_face
from games.engine.base import JSON, InvalidRules

_OPTIONAL: Final = {"ruleset", "rules"}


class BadQuestion(ValueError):  # noqa: N818 - an expected refusal, said in the answer
    """A question that cannot be answered."""


class HandQuestion(NamedTuple):
    """A kind of question: the function that answers it, its required fields and its optional ones."""

    answer: Callable[[Mapping[str, Any], Any], dict[str, JSON]]
    needed: frozenset[str]
    optional: frozenset[str] = frozenset()


class HandQuestions(NamedTuple):
    asked: Mapping[str, HandQuestion]
    presets: Mapping[str, Any]
    load_rules: Callable[[object], Any]

    def answer(self, question: str, line: str) -> str:
        """Answer a line of JSON with a line of JSON. An invalid question is answered with `{"error": sentence}`."""
        try:
            asked = self._find_question(question)
            given = _read(asked, line)
            reply = asked.answer(given, self._read_rules(given))
        except BadQuestion as bad:
            reply = {"error": str(bad)}
        return json.dumps(reply, separators=(",", ":"))

    def _find_question(self, question: str) -> HandQuestion:
        if question not in self.asked:
            raise BadQuestion(f"There is no question {question!r}.")
        return self.asked[question]

    def _read_rules(self, given: Mapping[str, Any]) -> Any:
        usual, *_ = self.presets
        name = given.get("ruleset", usual)
        if not isinstance(name, str) or name not in self.presets:
            raise BadQuestion(f"There is no rule set {name!r}.")
        fields = given.get("rules", {})
        if not isinstance(fields, dict):
            raise BadQuestion("rules is an object of fields.")
        try:
            return self.load_rules({"name": name, **fields})
        except InvalidRules as invalid:
            raise BadQuestion(str(invalid)) from None


def _read(question: HandQuestion, line: str) -> Mapping[str, Any]:
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        raise BadQuestion("This line is no JSON.") from None
    if not isinstance(given, dict):
        raise BadQuestion("A question is an object.")
    if missing := question.needed - set(given):
        raise BadQuestion(f"{sorted(missing)[0]} is missing.")
    if unknown := set(given) - question.needed - question.optional - _OPTIONAL:
        raise BadQuestion(f"There is no field {sorted(unknown)[0]!r}.")
    return given


def read_list(value: object, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadQuestion(f"{name} is a list.")
    return value


def read_face(text: object) -> int:
    """Return the face written as `7H`, `10H` or `PJ`. Raises `BadQuestion` for anything else."""
    if not isinstance(text, str):
        raise BadQuestion(f"unknown card: {text!r}")
    try:
        return parse_face(text)
    except ValueError as unknown:
        raise BadQuestion(str(unknown)) from None


def face_texts(faces: Any) -> list[str]:
    return [FACE_TEXT[face] for face in faces]
