"""The record of a deal of Rummikub: dealt again from its seed, and every lay judged once more."""

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import pytest

from games.cards import card_texts, full_deck
from games.engine.base import DealStart
from games.rummikub.game import GAME
from games.rummikub.rules.ruleset import POINTS, PRESETS
from games.shuffle import shuffled
from tests.games.rummikub.driving import CommittedChange, bot_match, drive, random_choosing, seed_of
from tests.games.rummikub.scenes import own
from tests.games.values import pair

# A program of its own, without types.
verify_deal: Any = import_module("tools.verify_deal")


def records(
    steps: Iterator[CommittedChange], *, seed: int, tossed: Sequence[int] | None
) -> Iterator[dict[str, Any]]:
    """The record of each deal of a match, as the history makes it."""
    record: dict[str, Any] = {}
    for step in steps:
        events = [event.json() for event in step.events]
        private = {str(seat): GAME.view.private(step.match, seat) for seat in step.match.seats}
        if any(event["kind"] == "dealt" for event in events):
            if record:
                yield record
            number = GAME.core.status(step.match).deals
            server_seed = seed_of(seed, number - 1)
            record = {
                "game": "rummikub",
                "rules": GAME.rules.json(step.match.rules),
                "seed": server_seed.hex(),
                "commitment": hashlib.sha256(server_seed).hexdigest(),
                "client_seeds": {},
                **GAME.records.deal(DealStart(events, private, tossed if number == 1 else None)),
                "steps": [],
            }
            continue
        told: dict[str, Any] = {"events": events, **GAME.records.step(events, private)}
        if step.move is not None:
            told |= {"seat": step.seat, "move": GAME.wire.write(step.move)}
        record["steps"].append(told)
    yield json.loads(json.dumps(record))


def test_k3_a_record_is_dealt_again_from_its_seed():
    reviewed = 0
    for number, name in enumerate(["points", "sabra30", "session4", "modern"] * 3):
        rng = random.Random(number)
        steps = drive(random_choosing(rng), seats=(0, 1, 2), rules=PRESETS[name], seed=number)
        for record in records(steps, seed=number, tossed=(0, 1, 2)):
            assert verify_deal.verify(record).startswith("honest")
            claims = GAME.records.review(record)
            reviewed += len(claims)
            assert all(entry["agree"] for entry in claims), [e for e in claims if not e["agree"]]
    assert reviewed > 60


@pytest.fixture
def record():
    steps = bot_match("hard", "medium", seed=4)
    return list(records(steps, seed=4, tossed=None))[-1]


def event_of(record, kind):
    return next(e for step in record["steps"] for e in step["events"] if e["kind"] == kind)


def test_what_the_table_counted_is_what_the_tool_counts(record):
    claims = GAME.records.review(record)
    assert {entry["question"] for entry in claims} == {"check", "count"}
    assert all(entry["agree"] for entry in claims)
    assert all(
        {"seat", "groups", "question", "answer", "counted", "agree"} == entry.keys()
        for entry in claims
    )


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("laid", "points", 1),
        ("laid", "table", [{"cards": ["5H.0", "6H.0"], "as": ["5H", "6H"]}]),
        ("deal_over", "counts", {"0": 1, "1": 1}),
    ],
)
def test_a_wrong_count_is_found(record, kind, field, value):
    event_of(record, kind)[field] = value
    assert not all(entry["agree"] for entry in GAME.records.review(record))


def test_a_record_that_was_changed_is_not_honest(record):
    assert verify_deal.verify(record)
    drew = next(step for step in record["steps"] if "drew" in step)
    drew["drew"] = ["PJ.0" if drew["drew"] != ["PJ.0"] else "PJ.1"]
    with pytest.raises(verify_deal.Dishonest):
        verify_deal.verify(record)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("from_rack", ["PJ.0", "PJ.1"], "tiles of somebody else|other tiles"),
        ("table", [{"cards": ["5H.0", "5H.0"], "as": []}], "twice"),
        ("table", [], "other tiles"),
    ],
)
def test_a_lay_that_was_changed_is_not_honest(record, field, value, words):
    event_of(record, "laid")[field] = value
    with pytest.raises(verify_deal.Dishonest, match=words):
        verify_deal.verify(record)


def test_a_step_without_a_draw_tells_nothing():
    assert GAME.records.step([{"kind": "passed", "seat": 0}], {}) == {}


def test_golden_deals_of_a_fixed_seed():
    """Whoever changes the dealing changes every record that there is."""
    seed = hashlib.sha256(b"golden").digest()
    match, happened = pair(
        GAME.core.start(rules=POINTS, seats=(0, 1, 2), toss=True, seed=seed, now=0)
    )
    assert happened[0].json()["cards"] == GOLDEN["toss"]
    assert happened[1].json()["order"] == GOLDEN["order"]
    assert " ".join(own(match, 1)["hand"]) == GOLDEN["hand"]
    deck = shuffled(full_deck(2), seed=seed, label="deal")
    assert " ".join(card_texts(match.deal.pool[::-1][:5])) == GOLDEN["next"]
    assert card_texts(deck[42:47]) == GOLDEN["next"].split()


GOLDEN: dict[str, Any] = {
    "toss": [{"seat": 1, "card": "QC.0"}, {"seat": 2, "card": "3C.0"}, {"seat": 0, "card": "4S.0"}],
    "order": [1, 2, 0],
    "hand": "TS.0 4H.0 QH.0 3D.0 2C.0 6C.0 7C.0 3S.1 5S.1 KS.1 5H.1 QH.1 KH.1 7C.1",
    "next": "6S.1 QD.1 2D.1 3C.0 8D.0",
}
