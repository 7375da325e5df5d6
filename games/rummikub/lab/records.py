"""Records of finished deals, and a second judgement of every lay and every final count in them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from games.analysis.records import Fact, ask, claim, find_event, record_deal, strip_packs
from games.engine.base import DEAL_ENDS, JSON, DealStart
from games.engine.game import Records
from games.rummikub.lab.hand_tool import TOOL
from games.rummikub.rules.melds import DECK


def deal_record(start: DealStart) -> dict[str, JSON]:
    """Return the first part of a deal's record. `deck` holds the 106 tiles before the shuffle. Keys are strings."""
    return record_deal(start, DECK)


def step_record(
    events: Sequence[Mapping[str, JSON]], private: Mapping[str, Mapping[str, JSON]]
) -> dict[str, JSON]:
    """Return `{"drew": [tiles]}` in the order of drawing, or {} without a draw.

    Only the player who drew the tiles saw them.
    """
    drawn = find_event(events, "drawn")
    return {} if drawn is None else {"drew": private[str(drawn["seat"])]["drawn"]}


def review(record: Mapping[str, Any]) -> list[dict[str, JSON]]:
    """Judge each lay again with the hand tool, and count each rack at the end.

    Each entry has `seat`, `groups` (the new table or the rack), the hand tool's `question` and `answer`, the points
    that the table `counted`, and whether both `agree`.
    """
    rules = {name: value for name, value in record["rules"].items() if name != "name"}
    racks = {int(seat): list(hand) for seat, hand in record["hands"].items()}
    table: list[Any] = []
    opened: set[int] = set()
    found: list[dict[str, JSON]] = []
    for step in record["steps"]:
        for event in step["events"]:
            if event["kind"] == "laid":
                seat = event["seat"]
                has_opened = seat in opened
                found.append(_of_lay(event, table, racks[seat], rules, has_opened=has_opened))
                racks[seat] = [tile for tile in racks[seat] if tile not in event["from_rack"]]
                table = event["table"]
                opened.add(seat)
            elif event["kind"] == "drawn":
                racks[event["seat"]] += step["drew"]
            elif event["kind"] == DEAL_ENDS:
                found += _of_racks(event, racks, rules)
    return found


def _of_lay(
    event: Fact, before: Sequence[Any], rack: Sequence[str], rules: Fact, *, has_opened: bool
) -> dict[str, JSON]:
    asked = {
        "before": before,
        "after": event["table"],
        "rack": rack,
        "initial_met": has_opened,
        "rules": rules,
    }
    said = ask(TOOL, "check", asked)
    agree = said.get("valid") is True and said["points"] == event["points"]
    groups = [strip_packs(meld["cards"]) for meld in event["table"]]
    return claim(event["seat"], groups, "check", said, event["points"], agree=agree)


def _of_racks(event: Fact, racks: Mapping[int, Sequence[str]], rules: Fact) -> Iterator[Any]:
    for seat, rack in racks.items():
        said = ask(TOOL, "count", {"rack": rack, "rules": rules})
        counted = event["counts"][str(seat)]
        agree = said.get("points") == counted
        yield claim(seat, [strip_packs(rack)], "count", said, counted, agree=agree)


RECORDS: Final = Records(deal_record, step_record, review)
