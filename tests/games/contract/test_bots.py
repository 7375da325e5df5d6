"""Bots and records of Contract Rummy."""

import json
import random
import time
from typing import Any

import pytest
from msgspec.structs import replace

from games.contract.game import GAME
from games.contract.lab.hand_help import HELP
from games.contract.rules.ruleset import PRESETS
from games.engine.base import IllegalMove
from tests.games.contract.scenes import SINGLE, act, changed_player, drawing, own, scene
from tests.games.laid.driving import bot_view, bots_choosing, drive, random_choosing
from tests.games.laid.records import records, refused_record, verified
from tests.given import the

SHORT: dict[str, Any] = {"max_turns": 15, "max_missed_turns": 2}


def chosen(match: Any, seat: int, strength: Any = "hard", number: int = 0) -> dict[str, Any]:
    view = bot_view(GAME, match, seat)
    move: dict[str, Any] = GAME.bots(view, seat, strength=strength, rng=random.Random(number))
    return move


HAND = "7H 7S 4C 4D 9D KS 2C JD"


def test_hard_takes_and_buys_what_the_contract_lacks():
    match = scene(HAND, HAND.replace("7S", "8S"), open_pile="7D")
    assert chosen(match, 0)["source"] == "open"
    assert chosen(scene(HAND, "3S", open_pile="TH"), 0)["source"] == "closed"
    asked = act(scene("3S 5D", HAND, open_pile="7D"), 0, "draw", source="closed")
    assert chosen(asked, 1) == {"kind": "buy"}
    useless = act(scene("3S 5D", HAND, open_pile="TH"), 0, "draw", source="closed")
    assert chosen(useless, 1) == {"kind": "pass"}
    easy = {chosen(asked, 1, "easy", number)["kind"] for number in range(20)}
    assert easy == {"buy", "pass"}
    full = act(
        scene("3S", HAND + " 3D 3C 5H 6C 8C TC QC", open_pile="7D"), 0, "draw", source="closed"
    )
    assert chosen(full, 1) == {"kind": "pass"}


def test_no_open_card():
    match = scene(HAND, "3S")
    empty = replace(match, deal=replace(match.deal, open_pile=()))
    assert chosen(empty, 0)["source"] == "closed"


def test_the_contract_then_lay_offs():
    match = drawing(scene("7H 7S 7D 4C 4D 4S 9D KS", "3S", next_closed="KD"))
    assert chosen(match, 0)["kind"] == "contract"
    assert {chosen(match, 0, "easy", n)["kind"] for n in range(3)} <= {"contract", "discard"}
    laid = drawing(scene("8H KS 3H", "2D", table="4H 5H 6H 7H", has_laid=(0,), next_closed="JD"))
    assert chosen(laid, 0) == {
        "kind": "lay_off",
        "meld": 0,
        "laid": {"cards": ["8H.0"], "as": ["8H"]},
    }
    nothing = drawing(scene("TC KS", "2D", table="4H 5H 6H 7H", has_laid=(0,), next_closed="JD"))
    assert chosen(nothing, 0)["kind"] == "discard"
    joker = drawing(scene("6H KS", "2D", table="4H 5H PJ=6H 7H", has_laid=(0,), next_closed="JD"))
    assert chosen(joker, 0) == {"kind": "swap_joker", "meld": 0, "card": "6H.0", "to": "front"}
    low = drawing(
        scene("3H KS", "2D", table="AH 2H PJ=3H 4H|7H 7S 7D", has_laid=(0,), next_closed="JD")
    )
    assert chosen(low, 0)["to"] == "back"
    whole = " ".join(f"{rank}H" for rank in "A23456789TJQ") + " PJ=KH AH"
    full = drawing(scene("KH 3S", "2D", table=whole, has_laid=(0,), next_closed="JD"))
    assert chosen(full, 0)["kind"] == "discard"  # the joker has nowhere to go
    takes = scene("6C KS", "2D", table="4H 5H 6H 7H", has_laid=(0,), open_pile="8H")
    assert chosen(takes, 0)["source"] == "open"
    now = changed_player(drawing(scene("8H KS", "2D", table="4H 5H 6H 7H")), 0, laid_in=1)
    now = replace(now, deal=replace(now.deal, laid=2))
    assert chosen(now, 0)["kind"] == "discard"


def test_jokers_are_not_thrown():
    only = drawing(scene("PJ", "2D", "3D", next_closed="PJ"))
    assert chosen(only, 0)["kind"] == "discard"
    assert chosen(drawing(scene("PJ 3H", "2D", next_closed="9C")), 0)["card"] != "PJ.0"


def test_a_bound_card_keeps_the_contract_in_hand():
    match = drawing(scene("7H 7S 4C 4D 4S", "3S", open_pile="7D"), source="open")
    assert chosen(match, 0)["kind"] == "contract"
    bound = drawing(scene("7H 7S 7D 4C 4D 4S", "3S", open_pile="9D"), source="open")
    assert chosen(bound, 0)["kind"] == "discard"


def test_help_with_the_contract():
    match = drawing(scene("7H 7S 7D 4C 4D 4S 9D KS", "3S 5H", next_closed="KD"))
    said: Any = HELP.answer(match, 0, {"kind": "arrange"})
    assert (said["missing"], [len(meld["cards"]) for meld in said["melds"]]) == (0, [3, 3])
    done = act(match, 0, "contract", melds=said["melds"])
    other = HELP.answer(done, 1, {"kind": "arrange"})
    assert (other["missing"], other["melds"]) == (4, None)
    whole = scene("2C 3C 4C 5C 6H 7H 8H 9H JD QD KD AD", "3S", number=7, next_closed="6C")
    assert HELP.answer(whole, 0, {"kind": "arrange"})["missing"] == 1
    assert HELP.answer(drawing(whole), 0, {"kind": "arrange"})["missing"] == 0
    for asked, seat, question in (
        (done, 0, {"kind": "arrange"}),
        (done, 1, {"kind": "score"}),
        (done, 4, {"kind": "arrange"}),
        (act(match, 1, "leave"), 0, {"kind": "arrange"}),
    ):
        with pytest.raises(IllegalMove) as refusal:
            HELP.answer(asked, seat, question)
        assert refusal.value.code in {"no_such_help", "not_in_deal"}


def test_whole_matches_and_their_records():
    rules = replace(PRESETS["multiple_buys"], max_turns=12)
    strengths: Any = {0: "hard", 1: "medium", 2: "easy"}
    choose = bots_choosing(GAME, strengths, random.Random(1))
    found = list(records(GAME, drive(GAME, choose, rules=rules, seed=1)))
    assert len(found) == 7
    claims = [entry for record in found for entry in GAME.records.review({"deal": 1, **record})]
    assert claims
    assert all(entry["agree"] for entry in claims)
    for record in found:
        assert verified(record).startswith("honest: ")


def test_records_of_random_matches_are_honest():
    bought = 0
    for number in range(25):
        name = ["single", "multiple_buys", "deuces_wild"][number % 3]
        jokers = ["per_players", "all_printed", "two_a_pack"][number // 7 % 3]
        rules = replace(PRESETS[name], deals=1, jokers=jokers, **SHORT)
        choose = random_choosing(GAME, random.Random(number))
        seats = tuple(range(2 + number % 7))
        for record in records(GAME, drive(GAME, choose, rules=rules, seats=seats, seed=number)):
            assert verified(record).startswith("honest: ")
            bought += "'bought'" in str(record["steps"])
    assert bought > 3


def test_a_tampered_record_is_not_honest():
    choose = bots_choosing(GAME, {0: "hard", 1: "hard"}, random.Random(2))
    [record] = records(GAME, drive(GAME, choose, rules=SINGLE, seats=(0, 1), seed=2))
    assert "deck is not that" in refused_record({**record, "deck": record["deck"][1:]})
    changed: Any = json.loads(json.dumps(record))
    drew = next(step for step in changed["steps"] if step.get("drew"))
    drew["drew"] = [drew["drew"][0], "7H.0"]
    assert refused_record(changed)
    laid = next(s for s in record["steps"] for e in s["events"] if e["kind"] == "contract_laid")
    laid["events"][0]["melds"][0]["as"][0] = "KD"
    assert not all(entry["agree"] for entry in GAME.records.review(record))
    assert GAME.records.step([], {}) == {}


def test_what_a_buyer_drew_is_recorded():
    asked = act(scene(HAND, "3S", open_pile="7D", next_closed="AH 2H"), 0, "draw", source="closed")
    match, events = act.events(asked, 1, "buy")
    private = {str(seat): own(match, seat) for seat in (0, 1)}
    assert GAME.records.step(events, private) == {"drew": ["AH.0", "2H.0"]}


def test_hard_beats_easy():
    """bench/laid_agents.py measures it over 500 deals; both sides play each deal."""
    won, deals = 0, 40
    for number in range(deals):
        seats = (0, 1) if number % 2 == 0 else (1, 0)
        choose = bots_choosing(GAME, {0: "hard", 1: "easy"}, random.Random(number // 2))
        *_, last = drive(GAME, choose, rules=SINGLE, seats=seats, seed=number // 2, toss=False)
        won += the(GAME.core.status(last.match).result).winners == (0,)
    assert won > deals * 0.6


def test_a_move_takes_a_tenth_of_a_second_at_most():
    took = []
    choose = bots_choosing(GAME, dict.fromkeys(range(3), "hard"), random.Random(7))

    def timed(match, now):
        began = time.process_time()
        move = choose(match, now)
        took.append(time.process_time() - began)
        return move

    rules = replace(PRESETS["contract"], max_turns=10)
    for _ in drive(GAME, timed, rules=rules, seed=7):
        pass
    assert len(took) > 100
    assert sorted(took)[len(took) * 95 // 100] < 0.1
