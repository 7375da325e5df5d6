"""Records of finished deals of gin, and a second judgement of the knocks, answers and points in them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.analysis.records import Fact, ask, claim, record_deal, step_record, strip_packs
from games.cards import CARD_BY_TEXT
from games.engine.base import DEAL_ENDS, JSON, DealStart
from games.engine.game import Records
from games.gin.lab.hand_tool import TOOL
from games.gin.rules.melds import deadwood, meld_kind
from games.gin.rules.ruleset import load_rules
from games.gin.rules.state import DECK, factor

_SHOWN: Final = ("knock", "gin", "big_gin", "undercut")


def deal_record(start: DealStart) -> dict[str, JSON]:
    """Return the first part of the deal's record. `deck` has the 52 cards in their order before the shuffle."""
    return record_deal(start, DECK, "open")


def review(record: Mapping[str, Any]) -> list[dict[str, JSON]]:
    """Judge each knock, each answer and the points of the deal again, in their order.

    Each entry has `seat`, `groups`, the hand tool's `question` and `answer`, the points that the table `counted`, and
    whether both `agree`. Since a player's own melds are used (G7), the table and the tool agree if the points are right
    and the tool finds no higher deadwood. An answer made for the player must leave the least deadwood that the tool
    finds.
    """
    rules = {name: value for name, value in record["rules"].items() if name != "name"}
    found: list[dict[str, JSON]] = []
    knock: Fact = {}
    for step in record["steps"]:
        is_own = (step.get("move") or {}).get("kind") == "defend"
        for event in step["events"]:
            if event["kind"] == "knocked":
                knock = event
                found.append(_of_knock(event, rules))
            elif event["kind"] == "defended":
                found.append(_of_defence(event, knock, rules, is_own=is_own))
            elif event["kind"] == DEAL_ENDS and event["how"] in _SHOWN:
                found.append(_of_points(event, knock, record))
    return found


def _of_knock(event: Fact, rules: Fact) -> dict[str, JSON]:
    hand = [*_list_melded(event), *event["loose"]]
    said = ask(TOOL, "arrange", {"hand": strip_packs(hand), "rules": rules})
    agree = _is_counted_rightly(event) and said.get("points", -1) <= event["points"]
    return _of_hand(event, "arrange", said, agree=agree)


def _of_defence(event: Fact, knock: Fact, rules: Fact, *, is_own: bool) -> dict[str, JSON]:
    laid_off = [card for card, _ in event["lay_offs"]]
    hand = [*_list_melded(event), *laid_off, *event["loose"]]
    melds = [strip_packs(group) for group in knock["groups"]]
    said = ask(TOOL, "defend", {"hand": strip_packs(hand), "melds": melds, "rules": rules})
    least = said.get("points", -1)
    agree = _is_counted_rightly(event) and (
        least <= event["points"] if is_own else least == event["points"]
    )
    return {**_of_hand(event, "defend", said, agree=agree), "lay_offs": event["lay_offs"]}


def _of_points(event: Fact, knock: Fact, record: Fact) -> dict[str, JSON]:
    seat = str(knock["seat"])
    (other,) = (key for key in event["deadwoods"] if key != seat)
    rules = load_rules(record["rules"])
    deadwoods = event["deadwoods"]
    asked = {"knocker": deadwoods[seat], "defender": deadwoods[other], "kind": knock["how"]}
    # The tool does not know the limit that an upcard sets (G13); the knock itself was checked.
    limit = {"knock_limit": max(rules.knock_limit, deadwoods[seat])}
    named = {name: value for name, value in record["rules"].items() if name != "name"}
    said = ask(TOOL, "score", {**asked, "rules": {**named, **limit}})
    counted = max(event["points"].values())
    worth = said.get("points", -1) * factor(CARD_BY_TEXT[record["open"]], rules)
    winner = int(seat if said.get("winner") == "knocker" else other)
    agree = worth == counted and event["winners"] == [winner]
    return claim(winner, [], "score", said, counted, agree=agree)


def _of_hand(event: Fact, question: str, said: dict[str, Any], *, agree: bool) -> dict[str, JSON]:
    groups = [strip_packs(group) for group in event["groups"]]
    return claim(event["seat"], groups, question, said, event["points"], agree=agree)


def _is_counted_rightly(event: Fact) -> bool:
    groups = [[CARD_BY_TEXT[card] for card in group] for group in event["groups"]]
    loose = deadwood(CARD_BY_TEXT[card] for card in event["loose"])
    return all(map(meld_kind, groups)) and loose == event["points"]


def _list_melded(event: Fact) -> Iterator[str]:
    for group in event["groups"]:
        yield from group


RECORDS: Final = Records(deal_record, step_record, review)
