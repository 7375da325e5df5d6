"""Facts that all analyses read from a record, and the texts that they write."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.cards import CARD_TEXT, FACE_TEXT, FACES
from games.engine.base import DEAL_ENDS, JSON, Text

_SIGNS: Final = str.maketrans("SHDC", "♠♥♦♣")


def outcome(record: Mapping[str, Any], seat: int) -> float | None:
    """Return a seat's net points: losers pay the winners.

    None if the seat was not in the deal, or the deal was broken off.
    """
    if seat not in record["order"]:
        return None
    for step in record["steps"]:
        for event in step["events"]:
            if event["kind"] == DEAL_ENDS:
                points, winners = event["points"], event["winners"]
                lost = sum(points.values())
                return lost / len(winners) if seat in winners else -float(points[str(seat)])
    return None


def is_closed_draw(step: Mapping[str, Any]) -> bool:
    return any(event["kind"] == "drawn" and event["source"] == "closed" for event in step["events"])


def own_turns(record: Mapping[str, Any], seat: int) -> int:
    """Return the number of the seat's turns in the deal."""
    events = [event for step in record["steps"] for event in step["events"]]
    later = sum(event["kind"] == "turn" and event["seat"] == seat for event in events)
    begins: bool = record["order"][0] == seat
    return int(later) + begins


def written(card: int | None) -> str:
    """Write a card for people: "9♦", "10♠"; a printed joker is "PJ"."""
    if card is None:
        return ""
    name = FACE_TEXT[card % FACES]
    if name == "PJ":
        return "PJ"
    return name.translate(_SIGNS).replace("T", "10")


def hand_json(cards: Sequence[int]) -> list[str]:
    """Write a hand by suit and rank, printed jokers last."""
    return [CARD_TEXT[card] for card in sorted(cards, key=lambda card: (card % FACES, card))]


def text_json(told: Text) -> dict[str, JSON]:
    return {"message": told.message, "values": dict(told.values)}
