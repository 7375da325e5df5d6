"""tools/verify_deal.py on a thousand simulated deals: what was dealt honestly is found honest."""

import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from games.engine.base import DealStart
from games.indian.game import GAME
from games.indian.rules.ruleset import PRESETS
from tests.effort import share_of
from tests.games.indian.driving import CommittedChange, drive, random_choosing, seed_of
from tests.games.values import replace

TOOL = Path(__file__).resolve().parents[3] / "tools/verify_deal.py"
DEALS = share_of(1_000)
SEATS = (0, 3, 1, 5, 2, 4)


def load_tool() -> Any:
    spec = spec_from_file_location("verify_deal", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def records(
    steps: Iterator[CommittedChange], *, seats: tuple[int, ...], seed: int
) -> Iterator[dict[str, Any]]:
    """The record of each finished deal of a match (docs/deal-record.md)."""
    record: dict[str, Any] = {}
    for step in steps:
        events = [event.json() for event in step.events]
        dealt = next((event for event in events if event["kind"] == "dealt"), None)
        if dealt is None:
            record["steps"].append(_recorded(step, events))
        else:
            if record:
                yield record
            record = _begun(step, events, dealt, seats, seed)
    yield record


def _begun(
    step: CommittedChange,
    events: list[dict[str, Any]],
    dealt: dict[str, Any],
    seats: tuple[int, ...],
    seed: int,
) -> dict[str, Any]:
    number = GAME.core.status(step.match).deals
    server_seed = seed_of(seed, number - 1)
    private = {str(s): GAME.view.private(step.match, s) for s in dealt["order"]}
    tossed = list(seats) if any(event["kind"] == "toss" for event in events) else None
    return {
        "game": GAME.code,
        "rules": GAME.rules.json(step.match.rules),
        "commitment": hashlib.sha256(server_seed).hexdigest(),
        "seed": server_seed.hex(),
        "client_seeds": {},
        "players": {str(seat): "" for seat in seats},
        **GAME.records.deal(DealStart(events, private, tossed)),
        "steps": [],
    }


def _recorded(step: CommittedChange, events: list[dict[str, Any]]) -> dict[str, Any]:
    seats = {event["seat"] for event in events if event["kind"] == "drawn"}
    private = {str(seat): GAME.view.private(step.match, seat) for seat in seats}
    return {"at_ms": step.now, "events": events, **GAME.records.step(events, private)}


def matches() -> Iterator[tuple[int, tuple[int, ...], str]]:
    """Every preset with two to six seats, again and again."""
    number = 0
    while True:
        for name in PRESETS:
            number += 1
            yield number, SEATS[: 2 + number % 5], name


def test_deals_of_all_presets_are_found_honest() -> None:
    tool = load_tool()
    happened: Counter[str] = Counter()
    presets: set[str] = set()
    deals = 0
    for number, seats, name in matches():
        # Some deals go on until the closed deck is used up, most end sooner.
        turns = PRESETS[name].max_turns if number % 7 == 0 else 5
        rules = replace(PRESETS[name], max_turns=turns)
        steps = drive(random_choosing(random.Random(number)), seats=seats, rules=rules, seed=number)
        for record in records(steps, seats=seats, seed=number):
            verdict = tool.verify(record)
            assert verdict.startswith("honest: "), (number, name)
            deals += 1
            happened.update(_kinds(record))
        presets.add(name)
        if deals >= DEALS and presets == set(PRESETS):
            break
    assert deals >= DEALS
    for kind in ("dropped", "left", "reshuffled", "missed_turn", "shown", "wrong", "late", "gone"):
        assert happened[kind] > 0, kind


def _kinds(record: dict[str, Any]) -> Iterator[str]:
    reasons = {"not_declared_in_time": "late", "left_before_declaring": "gone"}
    for step in record["steps"]:
        for event in step["events"]:
            wrong = event["kind"] == "declared" and not event["valid"]
            yield reasons.get(event["reason"], "wrong") if wrong else event["kind"]


def wrongly_declared() -> dict[str, Any]:
    """A deal in which somebody declares wrongly and the others play on."""
    for number in range(1, 1_000):
        steps = drive(random_choosing(random.Random(number)), seats=(0, 1, 2), seed=number)
        for record in records(steps, seats=(0, 1, 2), seed=number):
            kinds = list(_kinds(record))
            if "wrong" in kinds and "drawn" in kinds[kinds.index("wrong") :]:
                return record
    raise AssertionError("nobody has declared wrongly")


def test_the_finish_card_of_a_wrong_declaration_cannot_be_swapped() -> None:
    tool, record = load_tool(), wrongly_declared()
    events = [event for step in record["steps"] for event in step["events"]]
    at = next(i for i, e in enumerate(events) if e["kind"] == "declared" and not e["valid"])
    returned = events[at + 1]
    assert returned["kind"] == "discarded"
    returned["card"] = next(
        card for card in record["hands"][str(returned["seat"])] if card != returned["card"]
    )
    with pytest.raises(tool.Dishonest, match="another card than the finish card"):
        tool.verify(record)


def test_the_finish_card_has_to_come_out_of_the_hand() -> None:
    tool, record = load_tool(), wrongly_declared()
    finished = next(e for s in record["steps"] for e in s["events"] if e["kind"] == "finished")
    finished["card"] = "KS.9"
    with pytest.raises(tool.Dishonest, match="without holding it"):
        tool.verify(record)
