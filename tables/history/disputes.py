"""What the hand tool says of a finished deal: every declaration and every shown hand once more."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tables.games.base import JSON
from tables.games.indian.hand_tool import answer

# The move, the question about its groups, and the event and field that it came to at the table.
_ASKED = {
    "declare": ("check", "declared", "valid"),
    "show": ("score", "shown", "points"),
}


def verdicts_on(record: Mapping[str, Any]) -> list[dict[str, JSON]]:
    """Of a record (docs/deal-record.md): for each declaration and show, in their order, `seat`,
    `groups`, `question` ("check" or "score"), the tool's `answer`, what the table counted
    (`counted`: whether it was valid, or the points), and whether both `agree`."""
    rules = {name: value for name, value in record["rules"].items() if name != "name"}
    setting = {"wild": _face(record["wild"]), "ruleset": record["rules"]["name"], "rules": rules}
    found: list[dict[str, JSON]] = []
    for step in record["steps"]:
        move = step.get("move") or {}
        if move.get("kind") not in _ASKED or "groups" not in move:
            continue
        command, event, field = _ASKED[move["kind"]]
        groups: Any = [[_face(card) for card in group] for group in move["groups"]]
        said = json.loads(answer(command, json.dumps({"groups": groups, **setting})))
        counted = _counted(step["events"], event, step["seat"], field)
        agree = said.get(field) == counted
        found.append(
            {
                "seat": step["seat"],
                "question": command,
                "groups": groups,
                "answer": said,
                "counted": counted,
                "agree": agree,
            }
        )
    return found


def _face(card: str) -> str:
    """ "7H" of "7H.0": the tool asks about faces."""
    return card.partition(".")[0]


def _counted(events: Sequence[Mapping[str, Any]], kind: str, seat: int, field: str) -> JSON:
    for event in events:
        if event["kind"] == kind and event["seat"] == seat:
            value: JSON = event[field]
            return value
    return None
