"""The record of a deal of gin: dealt again from its seed, and every claim judged once more."""

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from games.cards import CARD_BY_TEXT, card_texts, full_deck
from games.engine.base import DealStart
from games.gin.game import GAME
from games.gin.rules.ruleset import POINTS, PRESETS
from games.shuffle import shuffled
from tests.games.gin.driving import CommittedChange, bot_match, drive, random_choosing, seed_of
from tests.games.gin.scenes import NOTHING, TEN, TWO, act_events, drawing, expire_events, own, scene
from tests.games.values import pair


def records(
    steps: Iterator[CommittedChange], *, tossed: Sequence[int] | None
) -> Iterator[dict[str, Any]]:
    """The record of each deal of a match, as the history makes it."""
    record: dict[str, Any] = {}
    for step in steps:
        events = [event.json() for event in step.events]
        private = {str(seat): GAME.view.private(step.match, seat) for seat in step.match.seats}
        if any(event["kind"] == "dealt" for event in events):
            if record:
                yield record
            first = tossed if GAME.core.status(step.match).deals == 1 else None
            record = {
                "rules": GAME.rules.json(step.match.rules),
                **GAME.records.deal(DealStart(events, private, first)),
                "steps": [],
            }
            continue
        told: dict[str, Any] = {"events": events, **GAME.records.step(events, private)}
        if step.move is not None:
            told |= {"seat": step.seat, "move": GAME.wire.write(step.move)}
        record["steps"].append(told)
    yield record


def test_g3_a_record_is_dealt_again_from_its_seed():
    for number in range(20):
        rng_steps = drive(random_choosing(rng(number)), seats=(0, 1), seed=number)
        found = list(records(rng_steps, tossed=(0, 1)))
        deck = full_deck(1)[:52]
        for count, record in enumerate(found):
            seed = seed_of(number, count)
            assert [CARD_BY_TEXT[card] for card in record["deck"]] == list(full_deck(1)[:52])
            cards = card_texts(shuffled(deck, seed=seed, label="deal"))
            first, second = record["order"]
            assert sorted(record["hands"][str(first)]) == sorted(cards[0:20:2])
            assert sorted(record["hands"][str(second)]) == sorted(cards[1:20:2])
            assert record["open"] == cards[20]
            assert record["dealer"] == second
            closed = cards[21:]
            drawn = [step["drew"] for step in record["steps"] if "drew" in step]
            assert drawn == closed[: len(drawn)]
        assert found[0]["tossed"] == [0, 1]
        tossed = card_texts(shuffled(deck, seed=seed_of(number), label="toss")[:2])
        assert {drawn["seat"]: drawn["card"] for drawn in found[0]["toss"]} == dict(
            enumerate(tossed)
        )
        assert all(record["tossed"] is record["toss"] is None for record in found[1:])


def rng(number):
    return random.Random(number)


@pytest.mark.parametrize("name", ["points", "oklahoma100", "classic"])
def test_what_the_table_counted_is_what_the_tool_counts(name):
    asked = set()
    for number in range(12):
        steps = bot_match("medium", "easy", seed=number, rules=PRESETS[name])
        for record in records(steps, tossed=None):
            reviewed = GAME.records.review(json.loads(json.dumps(record)))
            asked |= {entry["question"] for entry in reviewed}
            assert all(entry["agree"] for entry in reviewed), reviewed
            assert all(
                {"seat", "groups", "question", "answer", "counted", "agree"} <= entry.keys()
                for entry in reviewed
            )
    assert asked == {"arrange", "defend", "score"}


def test_claims_of_every_kind_agree():
    for number in range(60):
        rules = replace(POINTS, knock_limit=20) if number % 2 else POINTS
        steps = drive(random_choosing(rng(number)), rules=rules, seed=number)
        for record in records(steps, tossed=(0, 1)):
            assert all(entry["agree"] for entry in GAME.records.review(record))


def knocked_record(second=NOTHING, answer=True):
    match = drawing(scene(TWO, second, next_closed="2H"))
    match, knocked = act_events(match, 0, "knock", card="2H", groups="5H 6H 7H|KS KD KC|9D TD JD")
    move: Any = {"kind": "defend", "groups": [], "lay_offs": []}
    _, answered = act_events(match, 1, **move) if answer else expire_events(match)
    knocking = {"kind": "knock", "card": "2H.0", "groups": []}
    return {
        "rules": GAME.rules.json(POINTS),
        "open": "2S.0",
        "steps": [
            {"seat": 0, "move": knocking, "events": knocked},
            {"seat": 1, "move": move, "events": answered} if answer else {"events": answered},
        ],
    }


def agreed(record):
    return [(entry["question"], entry["agree"]) for entry in GAME.records.review(record)]


def test_an_own_division_may_be_worse_but_what_is_laid_for_somebody_is_the_best():
    fitting = "KH 4H 8H 8D QD|9C 9S 7C 6S AD"
    record = knocked_record(fitting)
    assert agreed(record) == [("arrange", True), ("defend", True), ("score", True)]
    answer: Any = GAME.records.review(record)[1]["answer"]
    assert answer["points"] == 32
    assert GAME.records.review(record)[1]["counted"] == 72
    del record["steps"][1]["move"]
    assert agreed(record)[1] == ("defend", False)
    assert agreed(knocked_record(fitting, answer=False))[1] == ("defend", True)


def test_a_wrong_count_is_found():
    for step, event, field, value in (
        (0, 0, "points", 3),
        (1, 0, "points", 67),
        (1, 1, "points", {"0": 0, "1": 65}),
        (1, 1, "winners", [1]),
    ):
        record = knocked_record()
        record["steps"][step]["events"][event][field] = value
        assert not all(agree for _, agree in agreed(record))


def test_a_draw_of_a_missed_turn_is_recorded():
    match = scene(NOTHING, TEN, next_closed="KH")
    _, events = expire_events(match)
    assert GAME.records.step(events, {}) == {"drew": "KH.0"}
    match, events = act_events(match, 0, "draw", source="closed")
    private = {"0": own(match, 0)}
    assert GAME.records.step(events, private) == {"drew": "KH.0"}
    match, events = act_events(scene(NOTHING, TEN), 0, "draw", source="open")
    assert GAME.records.step(events, {"0": own(match, 0)}) == {}
    assert GAME.records.step([], {}) == {}


def test_golden_deals_of_a_fixed_seed():
    """Whoever changes the dealing changes every record that there is."""
    seed = hashlib.sha256(b"golden").digest()
    match, happened = pair(GAME.core.start(rules=POINTS, seats=(0, 1), toss=True, seed=seed, now=0))
    toss, dealt = happened[0].json(), happened[1].json()
    assert toss["cards"] == GOLDEN["toss"]
    assert {name: dealt[name] for name in ("order", "dealer", "open")} == GOLDEN["dealt"]
    assert {seat: " ".join(own(match, seat)["hand"]) for seat in (0, 1)} == GOLDEN["hands"]
    assert " ".join(card_texts(match.deal.closed[::-1][:5])) == GOLDEN["next"]


GOLDEN: dict[str, Any] = {
    "toss": [{"seat": 1, "card": "QC.0"}, {"seat": 0, "card": "4S.0"}],
    "dealt": {"order": [1, 0], "dealer": 0, "open": "KD.0"},
    "hands": {
        0: "2S.0 9S.0 KS.0 5H.0 7H.0 QH.0 9D.0 AC.0 5C.0 JC.0",
        1: "5S.0 JS.0 QS.0 AH.0 2H.0 JH.0 AD.0 TD.0 JD.0 3C.0",
    },
    "next": "5D.0 7S.0 KC.0 7C.0 TH.0",
}
