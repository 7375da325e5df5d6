"""Records of deals as the history makes them, and what tools/verify_deal.py says of them."""

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
    """Yield the record of each deal. Without `seats`, the match began in the order of its seats."""
    record: dict[str, Any] = {}
    before: dict[str, Any] = {}
    for step in steps:
        events = [event.json() for event in step.events]
        private = {str(seat): game.view.private(step.match, seat) for seat in step.match.seats}
        # Only what has changed is stored.
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
            # Recorded in the order in which the seats were asked to the table.
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
