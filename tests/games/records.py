"""Records of deals: made as the history makes them, checked by tools/verify_deal.py, or written by hand."""

import hashlib
import importlib.util
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from games.engine.base import DealStart
from tests.games.driving import CommittedChange

_TOOL = Path(__file__).resolve().parents[2] / "tools/verify_deal.py"
_spec = importlib.util.spec_from_file_location("verify_deal", _TOOL)
assert _spec is not None
assert _spec.loader is not None
verify_deal: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(verify_deal)


def list_records(
    game: Any, steps: Iterable[CommittedChange], seats: Sequence[int] = ()
) -> Iterator[dict[str, Any]]:
    """Yield the record of each deal. `seats` is the order before the toss, by default that of their numbers."""
    record: dict[str, Any] = {}
    before: dict[str, Any] = {}
    for step in steps:
        events = [event.json() for event in step.events]
        private = {str(seat): game.view.private(step.match, seat) for seat in step.match.seats}
        # Only the changes of the private views are stored.
        changes = {
            seat: {
                key: value for key, value in view.items() if before.get(seat, {}).get(key) != value
            }
            for seat, view in private.items()
        }
        before = private
        if any(event["kind"] == "dealt" for event in events):
            if record:
                yield _read_back(record)
            seed = step.match.deal.seed
            # The order of the seats before the toss.
            tossed = None
            if any(event["kind"] == "toss" for event in events):
                tossed = list(seats) if seats else sorted(step.match.seats)
            record = {
                "game": game.code,
                "rules": game.rules.json(step.match.rules),
                "commitment": hashlib.sha256(seed).hexdigest(),
                "seed": seed.hex(),
                "client_seeds": {},
                "players": {str(seat): f"Player {seat}" for seat in step.match.seats},
                **game.records.deal(DealStart(events, private, tossed)),
                "steps": [],
            }
            continue
        if not events:
            continue
        told: dict[str, Any] = {"events": events, **game.records.step(events, changes)}
        if step.move is not None:
            told |= {"seat": step.seat, "move": game.wire.write(step.move)}
        record["steps"].append(told)
    yield _read_back(record)


def _read_back(record: dict[str, Any]) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(json.dumps(record))
    return read


def verify(record: dict[str, Any]) -> str:
    sentence: str = verify_deal.verify(record)
    return sentence


def refuse_record(record: dict[str, Any]) -> str:
    with pytest.raises(verify_deal.Dishonest) as reason:
        verify_deal.verify(record)
    return str(reason.value)


# --- Records written by hand, with only the parts that analyses read.


def name_cards(text: str) -> list[str]:
    """Read `5H 6H|KS.1` as card names. A card without a pack is from the first one."""
    words = text.replace("|", " ").split()
    return [card if "." in card else f"{card}.0" for card in words]


def write_record(game: Any, hands: Sequence[str], steps: Sequence[Any], **more: Any) -> Any:
    """Return a record of a points deal in which the seats play in numerical order."""
    return {
        "rules": game.rules.json(game.rules.preset("points")),
        "order": [*range(len(hands))],
        "hands": {str(seat): name_cards(hand) for seat, hand in enumerate(hands)},
        "steps": [*steps],
        **more,
    }


def write_step(seat: int, kind: str, *events: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a step with a move and its events. Events without a seat get the player's."""
    told = [{"seat": seat, **event} for event in events]
    return {"seat": seat, "move": {"kind": kind, **fields}, "events": told}


def draw(seat: int, card: str, source: str = "closed") -> dict[str, Any]:
    [card] = name_cards(card)
    event = {"kind": "drawn", "source": source}
    if source == "open":
        return write_step(seat, "draw", {**event, "card": card}, source=source)
    return {**write_step(seat, "draw", event, source=source), "drew": card}


def discard(seat: int, card: str, *more: dict[str, Any]) -> dict[str, Any]:
    [card] = name_cards(card)
    return write_step(seat, "discard", {"kind": "discarded", "card": card}, *more, card=card)


def end_deal(*lost: int) -> dict[str, Any]:
    """Return the event that ends a deal, with each seat's lost points. Seats that lose 0 have won."""
    winners = [seat for seat, points in enumerate(lost) if not points]
    points = {str(seat): points for seat, points in enumerate(lost)}
    return {"kind": "deal_over", "seat": None, "winners": winners, "points": points}
