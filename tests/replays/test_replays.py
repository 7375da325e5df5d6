"""Whole matches as they were once played: seeds, moves and times in, the same result out."""

import json
from typing import Any

import pytest

from games.engine.moves import Event
from games.indian.game import GAME
from tests.games.driving import CommittedChange
from tests.games.values import pair
from tests.replays.record import HERE, result_json

FILES = sorted(HERE.glob("*.json"))


def replay(data: dict[str, Any]) -> tuple[CommittedChange, list[Event]]:
    rules = GAME.rules.parse(data["rules"])
    seeds = [bytes.fromhex(seed) for seed in data["seeds"]]
    match, happened = pair(
        GAME.core.start(
            rules=rules, seats=tuple(data["seats"]), toss=True, seed=seeds[0], now=data["start"]
        )
    )
    events = [*happened]
    for now, seat, written in data["moves"]:
        # The seed of the deal that this move may begin; after the last there is none.
        seed = (*seeds, bytes(32))[GAME.core.status(match).deals]
        if seat is None:
            match, happened = pair(GAME.core.expire(match, now=now, seed=seed))
        else:
            move = GAME.wire.read(written)
            match, happened = pair(GAME.core.play(match, seat, move, now=now, seed=seed))
        events += happened
        match = GAME.stored.load(GAME.stored.dump(match))
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
    assert GAME.core.status(last.match).deals == len(data["seeds"])
