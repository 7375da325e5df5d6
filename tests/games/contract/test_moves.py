"""Moves and rule sets of Contract Rummy on the wire."""

import pytest
from msgspec.structs import replace

from games.contract.game import CONTRACT
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
    assert CONTRACT.move_json(CONTRACT.parse_move(wire)) == wire


@pytest.mark.parametrize("wire", BAD)
def test_what_is_no_move(wire):
    with pytest.raises(IllegalMove) as refusal:
        CONTRACT.parse_move(wire)
    assert refusal.value.code == "malformed_move"


def test_an_arrangement():
    move = CONTRACT.draft(3, [["7H.0"]])
    assert CONTRACT.move_json(move) == {"kind": "arrange", "rev": 3, "groups": [["7H.0"]]}


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_every_preset_survives_its_json(rules):
    assert CONTRACT.parse_rules(CONTRACT.rules_json(rules)) == rules
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
    ],
)
def test_what_is_no_rule_set(data, words):
    with pytest.raises(InvalidRules, match=words):
        CONTRACT.parse_rules(data)


def test_formats_and_names():
    formats = {format.code: format for format in CONTRACT.formats}
    assert [*formats] == ["CONTRACTS", "POINTS"]
    for format in CONTRACT.formats:
        assert format.seats == range(2, 6)
        assert {CONTRACT.format_of(PRESETS[name]) for name in format.presets} == {format.code}
    assert CONTRACT.presets() == tuple(PRESETS)
    assert CONTRACT.lesson_preset() in PRESETS
    with pytest.raises(InvalidRules):
        CONTRACT.preset("whist")
    with pytest.raises(InvalidRules):
        for_event(PRESETS["single"], deals=1, qualifiers=1)
    titles = {CONTRACT.title_of(rules).message for rules in PRESETS.values()}
    assert len(titles) == 6
    assert CONTRACT.for_event(USUAL, deals=2, qualifiers=1) == replace(USUAL, deals=2, qualifiers=1)


def test_what_is_said_of_a_rule_set_is_a_field_of_it():
    assert all(hasattr(USUAL, fact.name) for fact in RULE_FACTS)
    assert all(key == key.lower() and text.message for key, text in CONTRACT.texts.items())
