"""The record of a deal of Indian rummy, and a second judgement of every declaration and every show in it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.analysis.records import ask, claim, find_event, strip_packs
from games.engine.base import DEAL_BEGINS, JSON, DealStart
from games.engine.game import Records
from games.indian.lab.hand_tool import TOOL
from games.indian.rules.ruleset import load_rules

# The move, the question about its groups, and the event and field with the table's verdict.
_ASKED = {"declare": ("check", "declared", "valid"), "show": ("score", "shown", "points")}


def deal_record(start: DealStart) -> dict[str, JSON]:
    """Return the game's fields of a deal's record: `tossed`, `toss`, `order`, `wild`, `open`, `hands`.

    docs/deal-record.md explains them. The deck is not stored, because it follows from the rules and the number of
    seats.
    """
    dealt: Any = find_event(start.events, DEAL_BEGINS)
    toss: Any = find_event(start.events, "toss")
    # In a later deal of a match (R4.1) the seats are listed in ascending order.
    tossed = sorted(dealt["order"]) if start.tossed is None else list(start.tossed)
    return {
        # The seats in the order in which cards were tossed for them, or null. `order` is the result.
        "tossed": None if toss is None else tossed,
        "toss": None if toss is None else toss["cards"],
        "order": dealt["order"],
        "wild": dealt["wild"],
        "open": dealt["open"],
        "hands": {str(seat): start.private[str(seat)]["hand"] for seat in dealt["order"]},
    }


def step_record(
    events: Sequence[Mapping[str, JSON]], private: Mapping[str, Mapping[str, JSON]]
) -> dict[str, JSON]:
    """Return `{"drew": card}` for a draw that only its player saw, else {}."""
    drew = find_event(events, "drawn")
    return {} if drew is None else {"drew": private[str(drew["seat"])]["drawn"]}


def review(record: Mapping[str, Any]) -> list[dict[str, JSON]]:
    """Judge each declaration and each show in a record again with the hand tool, in their order.

    Each result has `seat`, `groups`, `question` ("check" or "score"), the tool's `answer`, the table's result
    (`counted`: whether the declaration was valid, or the points of the show), and whether both `agree`. For a show that
    the tool finds valid, the answer has `valid` and the points of R3.6.
    """
    rules = {name: value for name, value in record["rules"].items() if name != "name"}
    setting = {
        "wild": strip_packs([record["wild"]])[0],
        "ruleset": record["rules"]["name"],
        "rules": rules,
    }
    second_valid_points = load_rules(record["rules"]).second_valid_points
    verdicts: list[dict[str, JSON]] = []
    for step in record["steps"]:
        move = step.get("move") or {}
        if move.get("kind") not in _ASKED or "groups" not in move:
            continue
        command, event, field = _ASKED[move["kind"]]
        groups = [strip_packs(group) for group in move["groups"]]
        said = ask(TOOL, command, {"groups": groups, **setting})
        if command == "score" and ask(TOOL, "check", {"groups": groups, **setting}).get("valid"):
            said = {"valid": True, "points": second_valid_points}
        counted = _find_field(step["events"], event, step["seat"], field)
        agree = said.get(field) == counted
        verdicts.append(claim(step["seat"], groups, command, said, counted, agree=agree))
    return verdicts


def _find_field(events: Sequence[Mapping[str, Any]], kind: str, seat: int, field: str) -> JSON:
    for event in events:
        if event["kind"] == kind and event["seat"] == seat:
            value: JSON = event[field]
            return value
    return None


RECORDS: Final = Records(deal_record, step_record, review)
