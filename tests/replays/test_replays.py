"""Whole matches as they were once played: seeds, moves and times in, the same result out."""

import json
from typing import Any

import pytest

from games.engine.base import Event
from games.indian.game import INDIAN
from tests.games.indian.driving import CommittedChange
from tests.replays.record import HERE, result_json

FILES = sorted(HERE.glob("*.json"))


def replay(data: dict[str, Any]) -> tuple[CommittedChange, list[Event]]:
    rules = INDIAN.parse_rules(data["rules"])
    seeds = [bytes.fromhex(seed) for seed in data["seeds"]]
    match, happened = INDIAN.start(
        rules=rules, seats=tuple(data["seats"]), toss=True, seed=seeds[0], now=data["start"]
    )
    events = [*happened]
    for now, seat, written in data["moves"]:
        # The seed of the deal that this move may begin; after the last there is none.
        seed = (*seeds, bytes(32))[INDIAN.deals(match)]
        if seat is None:
            match, happened = INDIAN.expire(match, now=now, seed=seed)
        else:
            move = INDIAN.parse_move(written)
            match, happened = INDIAN.play(match, seat, move, now=now, seed=seed)
        events += happened
        match = INDIAN.load(INDIAN.dump(match))
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
    assert INDIAN.deals(last.match) == len(data["seeds"])
