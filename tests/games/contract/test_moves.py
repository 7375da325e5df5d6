"""Moves and rule sets of Contract Rummy on the wire."""

import pytest
from msgspec.structs import replace

from games.contract.game import GAME
from games.contract.rules import ruleset
from games.contract.rules.ruleset import PRESETS, USUAL, for_event, rules_changes
from games.contract.words import RULE_FACTS
from games.engine.base import IllegalMove, InvalidRules

LAID = {"cards": ["7H.0", "PJ.1"], "as": ["7H", "8H"]}
GOOD = [
    {"kind": "draw", "source": "open"},
    {"kind": "buy"},
    {"kind": "pass"},
    {"kind": "never_buy", "on": True},
    {"kind": "contract", "melds": [LAID]},
    {"kind": "lay_off", "meld": 0, "laid": LAID},
    {"kind": "swap_joker", "meld": 14, "card": "7H.3", "to": "front"},
    {"kind": "discard", "card": "PJ.3"},
    {"kind": "arrange", "rev": 0, "groups": [["7H.0"]]},
    {"kind": "leave"},
]
BAD: list[object] = [
    None,
    {"kind": "meld", "groups": []},
    {"kind": "buy", "card": "7H.0"},
    {"kind": "never_buy", "on": 1},
    {"kind": "contract", "melds": [LAID] * 4},
    {"kind": "contract", "melds": [{**LAID, "as": ["7H"]}]},
    {"kind": "contract", "melds": [{**LAID, "as": ["7H", "PJ"]}]},
    {"kind": "contract", "melds": [{**LAID, "as": ["7H", 8]}]},
    {"kind": "contract", "melds": [{**LAID, "kind": "set"}]},
    {"kind": "contract", "melds": [["7H.0"]]},
    {"kind": "lay_off", "meld": 15, "laid": LAID},
    {"kind": "lay_off", "meld": 0, "laid": None},
    {"kind": "swap_joker", "meld": 0, "card": "7H.0", "to": "middle"},
    {"kind": "swap_joker", "meld": 0, "card": "7H.0", "to": []},
    {"kind": "swap_joker", "meld": 0, "card": "7H.0"},
    {"kind": "discard", "card": "7H.4"},
]


@pytest.mark.parametrize("wire", GOOD, ids=lambda wire: wire["kind"])
def test_a_move_survives_the_wire(wire):
    assert GAME.wire.write(GAME.wire.read(wire)) == wire


@pytest.mark.parametrize("wire", BAD)
def test_what_is_no_move(wire):
    with pytest.raises(IllegalMove) as refusal:
        GAME.wire.read(wire)
    assert refusal.value.code == "malformed_move"


def test_an_arrangement():
    move = GAME.wire.read({"kind": "arrange", "rev": 3, "groups": [["7H.0"]]})
    assert GAME.wire.write(move) == {"kind": "arrange", "rev": 3, "groups": [["7H.0"]]}


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_every_preset_survives_its_json(rules):
    assert GAME.rules.parse(GAME.rules.json(rules)) == rules
    assert rules_changes(rules) == {"name": rules.name}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"luck": 1}, "no rule 'luck'"),
        ({"contracts": 7}, "no value for contracts"),
        ({"contracts": [["set", "luck"]]}, "no value for contracts"),
        ({"contracts": [[]]}, "no value for contracts"),
        ({"contracts": []}, "no value for contracts"),
        ({"hand_sizes": [10]}, "a number of cards for each contract"),
        ({"hand_sizes": ["10"] * 7}, "no value for hand_sizes"),
        ({"hand_sizes": 10}, "no value for hand_sizes"),
        ({"packs": [2, 2]}, "no value for packs"),
        ({"packs": [1, 2, 2, 3]}, "no value for packs"),
        ({"deals": 8}, "a contract for each deal"),
        ({"min_set": 2}, "three cards or more"),
        ({"min_naturals_run": 5}, "No meld has so many"),
        ({"hand_sizes": [5, 10, 10, 10, 12, 12, 12]}, "too few for the contract of deal 1"),
        ({"contracts": [["set", "set"]], "hand_sizes": [10], "deals": 1}, "of runs alone"),
        ({"per_point": True}, "paid by points"),
        ({"jokers": "many"}, "no value for jokers"),
        ({"packs": [2, 2, 2, 3, 3]}, "packs"),
    ],
)
def test_what_is_no_rule_set(data, words):
    with pytest.raises(InvalidRules, match=words):
        GAME.rules.parse(data)


def test_formats_and_names():
    formats = {format.code: format for format in GAME.formats}
    assert [*formats] == ["CONTRACTS", "POINTS"]
    for format in GAME.formats:
        assert format.seats == range(2, 9)
        assert {GAME.money.format_of(PRESETS[name]) for name in format.presets} == {format.code}
    assert tuple(GAME.rules.presets) == tuple(PRESETS)
    assert GAME.lesson
    assert GAME.lesson.preset in PRESETS
    with pytest.raises(InvalidRules):
        GAME.rules.preset("whist")
    with pytest.raises(InvalidRules):
        for_event(PRESETS["single"], deals=1, qualifiers=1)
    titles = {GAME.money.title_of(rules).message for rules in PRESETS.values()}
    assert len(titles) == 6
    assert ruleset.for_event(USUAL, deals=2, qualifiers=1) == replace(USUAL, deals=2, qualifiers=1)


def test_what_is_said_of_a_rule_set_is_a_field_of_it():
    assert all(hasattr(USUAL, fact.name) for fact in RULE_FACTS)
    assert all(key == key.lower() and text.message for key, text in GAME.words.texts.items())
