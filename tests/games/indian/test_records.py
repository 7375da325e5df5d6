"""The record of a deal of Indian rummy, and its claims judged again by the hand tool."""

import hashlib
import json
from typing import Any

import pytest

from games.cards import card_texts
from games.engine.base import DealStart
from games.indian.game import GAME
from games.indian.rules.ruleset import POINTS, PRESETS
from tests.games.indian.driving import bot_match
from tests.games.indian.scenes import (
    DECLARABLE,
    HOPELESS,
    act,
    act_events,
    expire_events,
    own,
    saved,
    scene,
    told,
)
from tests.games.values import pair

WRONG = "2H 3H 4H 5H|2C 3C 4C|KS KD KC|8S 8D 9H"


def recorded(match, seat, kind, **fields):
    """A step of a record, and the match after it."""
    after, events = act_events(match, seat, kind, **fields)
    move = GAME.wire.write(GAME.wire.read({"kind": kind, **fields}))
    return after, {"seat": seat, "move": move, "events": events}


def shown_record(hand=DECLARABLE, second=HOPELESS, name="points"):
    """Seat 0 finishes with the card that it has drawn and declares; then the others show."""
    match = scene(hand, second, HOPELESS, next_closed="AS", rules=PRESETS[name])
    steps: list[dict[str, Any]] = []
    match, drawn = recorded(match, 0, "draw", source="closed")
    match, finished = recorded(match, 0, "finish", card=own(match, 0)["drawn"])
    match, declared = recorded(match, 0, "declare", groups=saved(match, 0))
    steps += [drawn, finished, declared]
    if declared["events"][0]["valid"]:
        for seat in (1, 2):
            match, shown = recorded(match, seat, "show", groups=saved(match, seat))
            steps.append(shown)
    record = {"rules": GAME.rules.json(PRESETS[name]), "wild": "JD.0", "steps": steps}
    return json.loads(json.dumps(record))


def brief(record):
    return [
        (entry["seat"], entry["question"], entry["counted"], entry["agree"])
        for entry in GAME.records.review(record)
    ]


def test_r3_r6_a_declaration_and_the_shows_are_judged_again():
    assert brief(shown_record()) == [
        (0, "check", True, True),
        (1, "score", 70, True),
        (2, "score", 70, True),
    ]
    first: Any = GAME.records.review(shown_record())[0]
    assert first["answer"] == {
        "valid": True,
        "kinds": ["pure_sequence", "pure_sequence", "set", "set"],
        "reason": None,
    }
    assert first["groups"][0] == ["2H", "3H", "4H", "5H"]


def test_r3_a_wrong_declaration_is_found_wrong_again():
    record = shown_record(WRONG)
    assert brief(record) == [(0, "check", False, True)]
    answer: Any = GAME.records.review(record)[0]["answer"]
    assert (answer["valid"], answer["reason"]) == (False, "cards_do_not_match")


def test_r3_6_a_second_valid_hand_counts_two_in_the_review_too():
    entry: Any = GAME.records.review(shown_record(second=DECLARABLE))[1]
    assert (entry["counted"], entry["agree"]) == (2, True)
    assert entry["answer"] == {"valid": True, "points": 2}
    record = shown_record(second=DECLARABLE)
    record["rules"]["second_valid_points"] = 0
    assert [entry["agree"] for entry in GAME.records.review(record)] == [True, False, True]


def test_the_rules_of_the_record_are_those_that_count():
    """R6.3: a lone pure sequence is free by one rule set and counted by another."""
    [_, free, _] = brief(shown_record())
    [_, counted, _] = brief(shown_record(name="junglee-points"))
    assert (free, counted) == ((1, "score", 70, True), (1, "score", 80, True))


@pytest.mark.parametrize(
    ("step", "field", "value", "counted"),
    [
        (2, "valid", False, [False, 70, 70]),
        (3, "points", 69, [True, 69, 70]),
        (4, "seat", 1, [True, 70, None]),  # nothing is told of the one who has shown
        (4, "kind", "passed", [True, 70, None]),
    ],
)
def test_a_tampered_count_does_not_agree(step, field, value, counted):
    record = shown_record()
    record["steps"][step]["events"][0][field] = value
    entries = GAME.records.review(record)
    assert [entry["counted"] for entry in entries] == counted
    wrong = [entry["agree"] for entry in entries].index(False)
    assert wrong == step - 2
    assert sum(entry["agree"] is True for entry in entries) == 2


def test_tampered_groups_do_not_agree():
    record = shown_record()
    groups = record["steps"][2]["move"]["groups"]
    groups[0][0], groups[3][0] = groups[3][0], groups[0][0]
    assert brief(record)[0] == (0, "check", True, False)
    record = shown_record()
    record["steps"][3]["move"]["groups"][0].pop()  # not a pure sequence any more
    assert brief(record)[1] == (1, "score", 70, False)


def test_what_claims_nothing_is_not_judged():
    record = shown_record()
    record["steps"] = [step for step in record["steps"] if step["move"]["kind"] != "declare"][:2]
    record["steps"].append({"events": [{"kind": "missed_turn", "seat": 0}]})
    record["steps"].append({"seat": 0, "move": {"kind": "declare"}, "events": []})
    assert GAME.records.review(record) == []


def test_a_deal_of_bots_is_dealt_from_its_record_and_agrees():
    """Of each deal: what `deal_record` keeps is what was dealt, and every claim holds."""
    asked = set()
    for number in range(4):
        steps = [step for step, _ in bot_match("medium", "easy", "easy", seed=number)]
        start = steps[0]
        private = {str(seat): own(start.match, seat) for seat in range(3)}
        record: Any = {
            "rules": GAME.rules.json(POINTS),
            **GAME.records.deal(DealStart(told(start.events), private, [0, 1, 2])),
            "steps": [
                {
                    "seat": step.seat,
                    "move": step.move and GAME.wire.write(step.move),
                    "events": told(step.events),
                }
                for step in steps[1:]
            ],
        }
        deal = start.match.deal
        assert record["order"] == list(deal.order)
        assert record["wild"] == str(deal.wild)
        assert [record["open"]] == card_texts(deal.open_pile)
        assert record["hands"] == {seat: view["hand"] for seat, view in private.items()}
        assert {drawn["seat"] for drawn in record["toss"]} == {0, 1, 2} == set(record["tossed"])
        entries = GAME.records.review(json.loads(json.dumps(record)))
        asked |= {entry["question"] for entry in entries}
        assert entries
        assert all(entry["agree"] for entry in entries)
    assert asked == {"check", "score"}


def test_r4_2_golden_deal_of_a_fixed_seed():
    """Whoever changes the dealing changes every record that there is."""
    seed = hashlib.sha256(b"golden").digest()
    match, events = pair(GAME.core.start(rules=POINTS, seats=(0, 1), toss=True, seed=seed, now=0))
    private = {str(seat): own(match, seat) for seat in (0, 1)}
    record: Any = GAME.records.deal(DealStart(told(events), private, (0, 1)))
    hands = {seat: " ".join(hand) for seat, hand in record["hands"].items()}
    assert {**record, "hands": hands} == GOLDEN


def test_r4_1_without_a_toss_none_is_recorded():
    match, events = pair(
        GAME.core.start(rules=POINTS, seats=(3, 1), toss=False, seed=bytes(32), now=0)
    )
    private = {str(seat): own(match, seat) for seat in (1, 3)}
    record = GAME.records.deal(DealStart(told(events), private, None))
    assert (record["tossed"], record["toss"], record["order"]) == (None, None, [3, 1])


def test_the_card_of_a_draw_is_recorded_wherever_it_comes_from():
    match = scene(DECLARABLE, HOPELESS, next_closed="AS")
    after, events = act_events(match, 0, "draw", source="closed")
    assert GAME.records.step(events, {"0": own(after, 0)}) == {"drew": "AS.0"}
    after, events = act_events(match, 0, "draw", source="open")
    assert GAME.records.step(events, {"0": own(after, 0)}) == {"drew": "2S.0"}
    _, events = expire_events(act(match, 0, "draw", source="closed"))
    assert GAME.records.step(events, {}) == {}


GOLDEN: dict[str, Any] = {
    "tossed": [0, 1],
    "toss": [{"seat": 1, "card": "QC.0"}, {"seat": 0, "card": "4S.0"}],
    "order": [1, 0],
    "wild": "TS.0",
    "open": "9D.0",
    "hands": {
        "1": "3S.1 4S.1 9H.0 QH.1 3D.0 5D.1 8D.1 TD.1 JD.0 6C.0 7C.0 KC.0 PJ.0",
        "0": "2S.1 5S.1 JS.1 5H.0 5H.1 6H.0 AD.0 6D.1 7D.1 2C.0 7C.1 TC.0 JC.0",
    },
}
