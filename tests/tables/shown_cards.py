"""Search for the cards that messages and stored changes show."""

import json
import re
from typing import Any

from tables.models import Change, Match

CARD = re.compile(r"\b(?:[A23456789TJQK][SHDC]|PJ)\.\d\b")


def list_cards(value: Any) -> set[str]:
    """Return all cards named in a message or a state."""
    return set(CARD.findall(json.dumps(value)))


def search_frames(match: Match) -> int:
    """Check that no frame to a seat or a watcher shows a hidden card. Return the number of frames.

    Which cards may be seen is derived from the events and the true hands.
    """
    seats = [int(seat) for seat in match.players]
    public: set[str] = set()
    held: dict[int, set[str]] = {seat: set() for seat in seats}
    hands: dict[int, set[str]] = {seat: set() for seat in seats}
    frames = 0
    for change in Change.objects.filter(match=match).order_by("pk"):
        private = {seat: change.private.get(str(seat), {}) for seat in seats}
        hands |= {seat: set(own["hand"]) for seat, own in private.items() if "hand" in own}
        for event in change.events:
            if event["kind"] == "dealt":
                public, held = set(), {seat: set() for seat in seats}
            public |= _list_shown(event)
            if event["kind"] in {"knocked", "defended"}:
                public |= hands[event["seat"]]
            if event["kind"] == "deal_over":
                public |= set().union(*hands.values(), *held.values())
        for seat in seats:
            held[seat] |= hands[seat]
        toss = {t["card"] for e in change.events if e["kind"] == "toss" for t in e["cards"]}
        for viewer in (*seats, None):
            own = {} if viewer is None else private[viewer]
            seen = list_cards([change.events, change.patch, own])
            assert seen <= public | (set() if viewer is None else held[viewer]) | toss, (
                viewer,
                change.events,
            )
            frames += 1
    return frames


# Kinds of events whose `card` is public. A card drawn from the closed deck is not.
_OPEN_CARDS = {"discarded", "bought", "offered", "unsold"}


def _list_shown(event: Any) -> set[str]:
    shown = {event[name] for name in ("joker", "open") if event.get(name)}
    if event["kind"] in _OPEN_CARDS or event.get("source") == "open":
        shown |= {event["card"]}
    tables = event["table"] if event["kind"] == "laid" and "table" in event else []
    for meld in [*event.get("melds", []), *tables]:
        shown |= set(meld["cards"])
    return shown | set(event.get("cards", []) if event["kind"] == "laid_off" else [])
