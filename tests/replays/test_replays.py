"""Whole matches as they were once played: seeds, moves and times in, the same result out."""

import json
from typing import Any

import pytest

from games.engine.base import Event
from games.indian.game import GAME as INDIAN
from tests.games.indian.driving import CommittedChange
from tests.replays.record import HERE, result_json

FILES = sorted(HERE.glob("*.json"))


def replay(data: dict[str, Any]) -> tuple[CommittedChange, list[Event]]:
    rules = INDIAN.rules.parse(data["rules"])
    seeds = [bytes.fromhex(seed) for seed in data["seeds"]]
    outcome = INDIAN.core.start(
        rules=rules, seats=tuple(data["seats"]), toss=True, seed=seeds[0], now=data["start"]
    )
    match, happened = outcome.state, outcome.events
    events = [*happened]
    for now, seat, written in data["moves"]:
        # The seed of the deal that this move may begin; after the last there is none.
        seed = (*seeds, bytes(32))[INDIAN.core.status(match).deals]
        if seat is None:
            outcome = INDIAN.core.expire(match, now=now, seed=seed)
            match, happened = outcome.state, outcome.events
        else:
            move = INDIAN.wire.read(written)
            outcome = INDIAN.core.play(match, seat, move, now=now, seed=seed)
            match, happened = outcome.state, outcome.events
        events += happened
        match = INDIAN.stored.load(INDIAN.stored.dump(match))
    return CommittedChange(match, (), data["start"]), events


def test_there_are_matches_of_every_kind():
    assert len(FILES) >= 8


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_match_ends_as_it_once_did(file):
    data = json.loads(file.read_text())
    last, events = replay(data)
    deals = [event.json() for event in events if event.kind == "deal_over"]
    assert json.loads(json.dumps(deals)) == data["deals"]
    assert result_json(last) == data["result"]
    assert INDIAN.core.status(last.match).deals == len(data["seeds"])
