"""Shared by tests of games with melds on the table: whole matches, and the search of frames."""

import json
import re
from typing import Any

from games.registry import get_game
from tables.history.records import deal_record, verdict_on, verdicts_on
from tables.history.replay import replay_of
from tables.models import Change, Match
from tests.given import require

CARD = re.compile(r"\b(?:[A23456789TJQK][SHDC]|PJ)\.\d\b")


def check_records(match: Match, *, first: int | None = None) -> Any:
    """Every deal, or the first ones, is honest, every claim agrees, and there is a replay; returns the last record."""
    record: Any = None
    for number in range(1, (first or match.deals.count()) + 1):
        record = deal_record(match_id=match.pk, number=number)
        verdict = verdict_on(record)
        assert verdict.is_honest, verdict.words
        assert all(claim["agree"] for claim in verdicts_on(record))
        assert require(replay_of(match, number=number))["steps"]
    return record


def search_frames(match: Match) -> int:
    """Search every frame to every seat and to a watcher for foreign cards. Return the number of frames.

    What somebody may have seen is read from the events and the true hands, not from what the game
    shows.
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
            seen = set(CARD.findall(json.dumps([change.events, change.patch, own])))
            assert seen <= public | (set() if viewer is None else held[viewer]) | toss, (
                viewer,
                change.events,
            )
            frames += 1
    return frames


# Kinds of events whose `card` lies open: nobody else may read a card drawn from the closed stock.
_OPEN_CARDS = {"discarded", "bought", "offered", "unsold"}


def _list_shown(event: Any) -> set[str]:
    shown = {event[name] for name in ("joker", "open") if event.get(name)}
    if event["kind"] in _OPEN_CARDS or event.get("source") == "open":
        shown |= {event["card"]}
    tables = event["table"] if event["kind"] == "laid" and "table" in event else []
    for meld in [*event.get("melds", []), *tables]:
        shown |= set(meld["cards"])
    return shown | set(event.get("cards", []) if event["kind"] == "laid_off" else [])


def bot_move(table: Any, seat: int, strength: Any, rng: Any) -> dict[str, Any]:
    game = get_game(table.game)
    state = game.stored.load(bytes(require(table.state)))
    view = {
        "public": game.view.public(state),
        "you": game.view.private(state, seat),
        "rules": table.rules,
    }
    return game.bots(view, seat, strength=strength, rng=rng)
