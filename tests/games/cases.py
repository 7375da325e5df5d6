"""Tables of test cases: a deal set up by hand, moves in it, and checks after each move.

A case is a line, which may continue on indented lines: `name :: hand / hand {option=value} :: step; step`.
Hands and moves may be constants of the game's scenes. A space within a value is written `,`.

A step is `0 draw open`, `0 turn` for a draw and a discard, or `wait` for an expired deadline. `@40`
makes it at second 40. `!code` expects a refusal. Checks follow `>`: `path=value`, `path~part` (contains),
`path^part` (does not contain). A path begins in the public view, or with `own0` (private view), `ev` (events
of the step), `kinds` (kinds of these events), `res` (result), `st` (status), `legal0` (kinds of legal moves)
or `m` (state). `-` is None. A value is JSON or a string.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import pytest

from games.cards import CARD_TEXT, Card
from tests.games.driving import NOW
from tests.games.scenes import Acting

FIELDS = {
    "draw": "source",
    "discard": "card",
    "finish": "card",
    "meld": "groups",
    "knock": "card groups",
    "defend": "groups lay_offs",
    "declare": "groups",
    "show": "groups",
    "arrange": "rev groups",
    "lay_off": "meld cards",
    "rejoin": "accept",
    "answer_split": "accept",
    "never_buy": "on",
    "lay": "table",
    "take": "card",
}


@dataclass(frozen=True)
class Case:
    name: str
    hands: tuple[str, ...]
    options: Mapping[str, Any]
    steps: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """The cases of one game: the functions that set up and play its deals, and named hands and values."""

    act: Acting
    scene: Callable[..., Any]
    names: Mapping[str, Any]
    # The fields of moves in which this game differs from the others.
    fields: Mapping[str, str] = field(default_factory=dict)
    # Additional roots at which a path may begin.
    roots: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)

    def cases(self, text: str) -> Any:
        """Return the mark that runs a test once for each of these cases."""
        found = [self._read_case(line) for line in _read_lines(text)]
        return pytest.mark.parametrize("case", found, ids=[case.name for case in found])

    def _read_case(self, line: str) -> Case:
        name, deal, steps = line.split(" :: ")
        deal, _, options = deal.partition("{")
        given = dict(one.split("=", 1) for one in options.strip(" }").split())
        hands = tuple(self._read_text(hand.strip()) for hand in deal.split(" / "))
        fields = {key: self._read_option(key, value) for key, value in given.items()}
        return Case(name, hands, fields, tuple(step.strip() for step in steps.split(";")))

    def _read_option(self, key: str, value: str) -> Any:
        return (
            self.names[value]
            if value in self.names
            else _read_text(value)
            if key in TEXTS
            else read(value)
        )

    def _read_text(self, text: str) -> str:
        named = self.names.get(text, text)
        return named if isinstance(named, str) else text

    def run(self, case: Case) -> None:
        match: Any = self.scene(*case.hands, **case.options)
        events: Any = []
        for step in case.steps:
            done, _, seen = step.partition(">")
            if done.strip():
                match, events = self._do(match, done.split())
            for check in seen.split():
                self._check(match, events, check)

    def _do(self, match: Any, words: list[str]) -> tuple[Any, Any]:
        code = next((word[1:] for word in words if word.startswith("!")), None)
        late = [word for word in words if word.startswith("@")]
        words = [word for word in words if not word.startswith(("!", "@"))]
        now = NOW + int(float(late[0][1:]) * 1000) if late else None
        if words == ["wait"]:
            return self.act.expire_events(match, now=now)
        seat, kind = int(words[0]), words[1]
        if kind == "turn":
            return self.act.turn(match, seat), []
        names = {**FIELDS, **self.fields}.get(kind, "").split()
        fields = {
            name: self._read_field(name, word) for name, word in zip(names, words[2:], strict=True)
        }
        now = NOW if now is None else now
        if code is not None:
            assert self.act.refuse(match, seat, kind, now=now, **fields) == code
            return match, []
        return self.act.events(match, seat, kind, now=now, **fields)

    def _read_field(self, name: str, word: str) -> Any:
        if word in self.names and not callable(self.names[word]):
            return self.names[word]
        if name in ("groups", "table", "melds", "laid") and word[0] not in "[{-":
            return _read_text(word)
        if name in ("groups", "melds") and word == "-":
            return []
        return read(word)

    def _check(self, match: Any, events: Any, check: str) -> None:
        sign = next(one for one in check if one in "=~^")
        path, _, value = check.partition(sign)
        found, wanted = self._find(match, events, path.split(".")), read(value)
        if value in self.names:
            wanted = self.names[value]
        if sign == "=":
            assert found == wanted, f"{path} is {found}"
        else:
            is_in = wanted in found if isinstance(found, list) else str(wanted) in str(found)
            assert is_in is (sign == "~"), f"{path} is {found}"

    def _find(self, match: Any, events: Any, path: list[str]) -> Any:
        root, game = path[0], self.act.game
        found: Any = self.act.view(match)
        if root in self.roots:
            return simplify(_follow(self.roots[root](match), path[1:]))
        if root == "kinds":
            return [event["kind"] for event in events]
        if root in ("ev", "res", "st", "m", "view"):
            path = path[1:]
            found = {"ev": events, "m": match, "view": found}.get(root)
            if found is None:
                found = game.core.status(match)
                found = found.result if root == "res" else found
        elif root[:3] == "own":
            found, path = self.act.view_own(match, int(root[3:])), path[1:]
        elif root[:5] == "legal":
            legal = game.core.describe_legal(match, int(root[5:]))
            return [one["kind"] for one in legal] if not path[1:] else simplify(_follow(
                {one["kind"]: one for one in legal}, path[1:]))  # fmt: skip
        return simplify(_follow(found, path))


# Options of scenes whose values are cards.
TEXTS = {"open_pile", "next_closed", "closed", "table", "wild", "next_drawn"}


def _read_text(word: str) -> str:
    return word.replace(",", " ")


def _read_lines(text: str) -> Iterator[str]:
    line = ""
    for raw in text.strip("\n").splitlines():
        if raw.startswith(" ") or not line:
            line = f"{line} {raw.strip()}".strip()
        elif raw.strip():
            yield line
            line = raw.strip()
    yield line


def read(word: str) -> Any:
    """Read a value: JSON, `-` for None, a list separated by commas, or a string."""
    if word == "-":
        return None
    if word[:1] in '[{"' or word in ("true", "false") or word.lstrip("-").isdigit():
        return json.loads(word)
    return [read(one) for one in word.split(",")] if "," in word else word


def _follow(found: Any, path: list[str]) -> Any:
    for name in path:
        if isinstance(found, Mapping):
            found = found[name] if name in found else found[int(name)]
        elif isinstance(found, list | tuple):
            found = found[int(name)]
        else:
            found = getattr(found, name)
    return found


def simplify(value: Any) -> Any:
    """Return the value converted to types that JSON has."""
    if isinstance(value, Card):
        return CARD_TEXT[value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): simplify(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [simplify(one) for one in value]
    return value
