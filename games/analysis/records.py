"""The parts of a deal's record that games share (docs/deal-record.md)."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from games.cards import Card, card_texts
from games.engine.base import DEAL_BEGINS, JSON, DealStart
from games.engine.game import HandTool

Fact = Mapping[str, Any]


def record_deal(start: DealStart, deck: Sequence[Card], *more: str) -> dict[str, JSON]:
    """Return the first part of a deal's record, including the fields `more` of its first event. Keys are strings.

    `deck` is in its order before the shuffle.
    """
    dealt: Fact = find_event(start.events, DEAL_BEGINS) or {}
    toss: Fact = find_event(start.events, "toss") or {}
    return {
        "deck": card_texts(deck),
        "tossed": None if start.tossed is None else list(start.tossed),
        "toss": toss.get("cards"),
        **{name: dealt[name] for name in ("order", "dealer", *more)},
        "hands": {str(seat): start.private[str(seat)]["hand"] for seat in dealt["order"]},
    }


def step_record(
    events: Sequence[Mapping[str, JSON]], private: Mapping[str, Mapping[str, JSON]]
) -> dict[str, JSON]:
    """Return `{"drew": card}` for a draw from the closed deck, whose card only its player saw, else {}."""
    drawn = find_event(events, "drawn")
    if drawn is None or drawn["source"] != "closed":
        return {}
    # In a missed turn the drawn card is discarded at once (B14, F15, G16).
    discarded = find_event(events, "discarded")
    drew = discarded["card"] if discarded else private[str(drawn["seat"])]["drawn"]
    return {"drew": drew}


def claim(
    seat: int,
    groups: Sequence[Sequence[str]],
    question: str,
    answer: Mapping[str, JSON],
    counted: JSON,
    *,
    agree: bool,
) -> dict[str, JSON]:
    """Return an entry of `Records.review`: the groups that a player laid or had left, judged a second time.

    `counted` is the table's result, `question` and `answer` are those of the second judgement, and `agree` says whether
    both come to the same result.
    """
    return {
        "seat": seat,
        "groups": [list(group) for group in groups],
        "question": question,
        "answer": dict(answer),
        "counted": counted,
        "agree": agree,
    }


def ask(tool: HandTool, question: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return a hand tool's answer to a question."""
    said: dict[str, Any] = json.loads(tool.answer(question, json.dumps(asked)))
    return said


def find_event(events: Sequence[Mapping[str, JSON]], kind: str) -> Fact | None:
    return next((event for event in events if event["kind"] == kind), None)


def strip_packs(cards: Sequence[str]) -> list[str]:
    """Return the cards without their packs: "7H" for "7H.0"."""
    return [card.partition(".")[0] for card in cards]
