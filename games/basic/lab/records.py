"""The record of a finished deal of basic rummy, and a second judgement of its claims."""

from collections.abc import Iterator, Mapping
from typing import Any

from games.basic.lab.hand_tool import answer
from games.basic.rules.laying import count
from games.cards import CARD_BY_TEXT
from games.engine.base import DEAL_ENDS, JSON, DealStart
from games.engine.core import PACK
from games.engine.record import Fact, ask, claim, dealt_record, faces_of


def deal_record(start: DealStart) -> dict[str, JSON]:
    """Return the deal's record. `deck` is the 52 cards in order before the shuffle."""
    return dealt_record(start, PACK, "open", "hand_size")


def review(record: Mapping[str, Any]) -> list[dict[str, JSON]]:
    """Judge each laying of melds, and the count of each loser, again.

    `counted` is the kinds of melds, or the points of a hand; `agree`: the hand tool says the same.
    """
    hands = {seat: list(cards) for seat, cards in record["hands"].items()}
    rules = {name: value for name, value in record["rules"].items() if name != "name"}
    found: list[dict[str, JSON]] = []
    for step in record["steps"]:
        for event in step["events"]:
            _follow(hands, event, step)
            if event["kind"] == "melded":
                found.append(_of_melds(event, rules))
            elif event["kind"] == DEAL_ENDS and event["how"] in ("out", "rummy"):
                found += _of_counts(event, hands, record["rules"], _gone(record))
    return found


def _of_melds(event: Fact, rules: Fact) -> dict[str, JSON]:
    groups = [faces_of(meld["cards"]) for meld in event["melds"]]
    said = ask(answer, "check", {"groups": groups, "rules": rules})
    counted = [meld["kind"] for meld in event["melds"]]
    return claim(event["seat"], groups, "check", said, counted, agree=said["kinds"] == counted)


def _of_counts(
    event: Fact, hands: Mapping[str, list[str]], rules: Fact, gone: set[int]
) -> Iterator[dict[str, JSON]]:
    """Judge the counts: the table counts the whole hand, the tool lays what it can (B12)."""
    factor = rules["rummy_factor"] if event["how"] == "rummy" else 1
    for seat, points in event["points"].items():
        if int(seat) in event["winners"] or int(seat) in gone:
            continue
        hand = hands[seat]
        said = ask(answer, "arrange", {"hand": faces_of(hand), "table": []})
        whole = count(CARD_BY_TEXT[card] for card in hand) * factor
        most = rules["max_points"]
        worth = whole if most is None else min(whole, most)
        groups = [faces_of(hand)]
        yield claim(int(seat), groups, "arrange", said, points, agree=worth == points)


def _gone(record: Fact) -> set[int]:
    """Return the seats that left the deal before its end."""
    events = [event for step in record["steps"] for event in step["events"]]
    return {event["seat"] for event in events if event["kind"] in ("dropped", "left")}


def _follow(hands: Mapping[str, list[str]], event: Fact, step: Fact) -> None:
    """Follow the cards of a hand. A card that its player did not hold changes nothing."""
    hand = hands.get(str(event.get("seat")), [])
    if event["kind"] == "drawn":
        hand.append(event.get("card") or step["drew"])
    elif event["kind"] in ("discarded", "melded", "laid_off"):
        laid = event.get("melds", [event])
        gone = {event.get("card"), *(card for one in laid for card in one.get("cards", ()))}
        hand[:] = [card for card in hand if card not in gone]
