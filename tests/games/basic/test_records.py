"""The record of a deal of basic rummy: dealt again from its seed, and every claim judged again."""

import hashlib
import json
import random
from typing import Any

import pytest
from msgspec.structs import replace

from games.basic.game import GAME
from games.basic.rules.ruleset import PRESETS
from games.cards import card_texts
from tests.games.basic.scenes import act, drawing, own, scene, texts, view
from tests.games.laid.driving import bots_choosing, drive, random_choosing
from tests.games.laid.records import records, refused_record, verified
from tests.games.values import pair

RACE = PRESETS["race100"]
TURNED = replace(PRESETS["points"], restock="turn", max_restocks=9)


@pytest.mark.parametrize("rules", [RACE, TURNED, PRESETS["one_meld"]], ids=lambda rules: rules.name)
def test_b3_a_record_is_dealt_again_from_its_seed(rules):
    restocked = 0
    for number in range(25):
        seats = tuple(sorted(random.Random(number).sample(range(6), 2 + number % 5)))
        choose = random_choosing(GAME, random.Random(number))
        for record in records(GAME, drive(GAME, choose, rules=rules, seats=seats, seed=number)):
            assert verified(record).startswith("honest: ")
            restocked += any(
                event["kind"] in ("reshuffled", "turned_over")
                for step in record["steps"]
                for event in step["events"]
            )
            reviewed = GAME.records.review(record)
            assert all(entry["agree"] for entry in reviewed), reviewed
    assert restocked > 3 or rules.restock == "block"


def bot_records(number):
    strengths: Any = {0: "medium", 1: "hard", 2: "easy"}
    choose = bots_choosing(GAME, strengths, random.Random(number))
    return list(records(GAME, drive(GAME, choose, rules=RACE, seed=number)))


def test_every_claim_is_judged():
    asked = set()
    for record in bot_records(1):
        asked |= {entry["question"] for entry in GAME.records.review(record)}
    assert asked == {"check", "arrange"}


def test_a_wrong_count_is_found():
    [record] = [record for record in bot_records(2) if "out" in str(record["steps"][-1])][:1]
    step = next(s for s in record["steps"] if any(e["kind"] == "deal_over" for e in s["events"]))
    over = next(event for event in step["events"] if event["kind"] == "deal_over")
    [loser] = [seat for seat in over["points"] if int(seat) not in over["winners"]][:1]
    over["points"][loser] += 1
    assert [entry for entry in GAME.records.review(record) if not entry["agree"]]
    melded = next(e for s in record["steps"] for e in s["events"] if e["kind"] == "melded")
    melded["melds"][0]["kind"] = "luck"
    assert sum(not entry["agree"] for entry in GAME.records.review(record)) == 2


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"deck": ["7H.0"]}, "the deck is not a pack"),
        ({"open": "7H.0"}, "the first open card is another one"),
        ({"commitment": "00"}, "not the one that was promised"),
    ],
)
def test_a_tampered_record_is_not_honest(change, reason):
    record = bot_records(3)[0]
    if record["open"] == change.get("open"):
        change = {"open": "8H.0"}
    assert reason in refused_record({**record, **change})


def test_cards_that_nobody_held_are_found():
    record = bot_records(3)[0]
    changed: Any = json.loads(json.dumps(record))
    event = next(e for s in changed["steps"] for e in s["events"] if e["kind"] == "discarded")
    event["card"] = changed["deck"][0] if event["card"] != changed["deck"][0] else "2S.0"
    assert refused_record(changed)


def test_a_draw_of_a_missed_turn_is_recorded():
    _, events = act.expire_events(scene("7H 2C", "KD 3S", next_closed="KH"))
    assert GAME.records.step(events, {}) == {"drew": "KH.0"}
    match, events = act.events(
        scene("7H 2C", "KD 3S", next_closed="KH"), 0, "draw", source="closed"
    )
    assert GAME.records.step(events, {"0": own(match, 0)}) == {"drew": "KH.0"}
    match, events = act.events(scene("7H 2C", "KD 3S"), 0, "draw", source="open")
    assert GAME.records.step(events, {"0": own(match, 0)}) == {}
    assert GAME.records.step([], {}) == {}


def test_golden_deals_of_a_fixed_seed():
    """Whoever changes the dealing changes every record that there is."""
    seed = hashlib.sha256(b"golden").digest()
    match, happened = pair(
        GAME.core.start(rules=PRESETS["points"], seats=(0, 1, 2), toss=True, seed=seed, now=0)
    )
    tossed: Any = happened[0].json()["cards"]
    assert [toss["card"] for toss in tossed] == GOLDEN["toss"]
    assert view(match)["order"] == GOLDEN["order"]
    assert view(match)["open_pile"] == [GOLDEN["open"]]
    assert {seat: " ".join(own(match, seat)["hand"]) for seat in (0, 1, 2)} == GOLDEN["hands"]
    assert " ".join(card_texts(match.deal.closed[::-1][:5])) == GOLDEN["next"]


def test_a_dropped_player_s_hand_is_counted_when_they_go():
    match = drawing(scene("7H 7S 7D", "KD KC 3S", "2H", next_closed="7C"))
    match, left = act.events(match, 2, "leave")
    match, out = act.events(match, 0, "meld", groups=texts("7H 7S 7D 7C"))
    record: Any = {
        "rules": GAME.rules.json(PRESETS["points"]),
        "hands": {"0": ["7H.0", "7S.0", "7D.0", "7C.0"], "1": ["KD.0", "KC.0", "3S.0"], "2": []},
        "steps": [{"events": left}, {"events": out}],
    }
    entries = GAME.records.review(record)
    assert [(entry["seat"], entry["counted"]) for entry in entries] == [(0, ["set"]), (1, 46)]
    assert all(entry["agree"] for entry in entries)


GOLDEN: dict[str, Any] = {
    "toss": ["QC.0", "4S.0", "3C.0"],
    "order": [1, 0, 2],
    "open": "5D.0",
    "hands": {
        0: "2S.0 5S.0 7H.0 AD.0 9D.0 TD.0 AC.0",
        1: "9S.0 KS.0 AH.0 2H.0 JH.0 JD.0 JC.0",
        2: "JS.0 QS.0 5H.0 QH.0 KD.0 3C.0 5C.0",
    },
    "next": "7S.0 KC.0 7C.0 TH.0 9H.0",
}
