"""The record of a finished deal, and the review of its contracts."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.cards import CARDS, FACES, PRINTED_JOKER
from games.contract.lab.hand_tool import answer
from games.engine.base import DEAL_BEGINS, JSON, DealStart
from games.engine.record import Fact, ask, claim, dealt_record, event_of, faces_of


def deal_record(start: DealStart) -> dict[str, JSON]:
    """Return the deal's part of the record. `deck` is in its order before the shuffle."""
    dealt: Fact = event_of(start.events, DEAL_BEGINS) or {}
    packs, jokers = dealt["packs"], dealt["jokers"]
    cards = [card for card in CARDS[: FACES * packs] if card.face != PRINTED_JOKER]
    cards += [CARDS[number * FACES + PRINTED_JOKER] for number in range(jokers)]
    record = dealt_record(start, cards, "open", "hand_size")
    return {**record, "contract": dealt["contract"]}


def step_record(
    events: Sequence[Mapping[str, JSON]], private: Mapping[str, Mapping[str, JSON]]
) -> dict[str, JSON]:
    """Return `{"drew": [cards]}`: the closed cards of buys and draws, which only their players saw."""
    drew: list[JSON] = []
    for place, event in enumerate(events):
        own: Mapping[str, Any] = private.get(str(event.get("seat")), {})
        if event["kind"] == "bought":
            drew.append(own["bought"][1])
        elif event["kind"] == "drawn" and event["source"] == "closed":
            # C18: in a turn that the server plays it is discarded at once.
            following = events[place + 1 : place + 2]
            is_discarded = bool(following) and following[0]["kind"] == "discarded"
            drew.append(following[0]["card"] if is_discarded else own["drawn"])
    return {"drew": drew} if drew else {}


def review(record: Mapping[str, Any]) -> list[dict[str, JSON]]:
    """Ask the hand tool about each contract that was laid.

    An entry has `seat`, `groups`, `question`, the tool's `answer`, the table's verdict `counted`
    (the table accepted it) and whether both `agree`.
    """
    rules = {name: value for name, value in record["rules"].items() if name != "name"}
    is_last = len(record["rules"]["contracts"]) == record.get("deal")
    events = [event for step in record["steps"] for event in step["events"]]
    laid = [event for event in events if event["kind"] == "contract_laid"]
    return [_of_contract(event, record, rules, is_last=is_last) for event in laid]


def _of_contract(event: Fact, record: Fact, rules: Fact, *, is_last: bool) -> dict[str, JSON]:
    melds = [{"cards": faces_of(meld["cards"]), "as": meld["as"]} for meld in event["melds"]]
    asked = {
        "contract": record["contract"],
        "melds": melds,
        "last": is_last and rules["whole_hand_last"],
        "rules": rules,
    }
    said = ask(answer, "check", asked)
    groups = [meld["cards"] for meld in melds]
    # The table has accepted it.
    agree = said.get("valid") is True
    return claim(event["seat"], groups, "check", said, counted=True, agree=agree)
