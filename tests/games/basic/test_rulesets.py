"""Rule sets of basic rummy: their fields, presets and formats."""

import pytest
from msgspec.structs import replace

from games.basic.game import GAME
from games.basic.rules import ruleset
from games.basic.rules.ruleset import POINTS, PRESETS, for_event, rules_changes
from games.basic.words import RULE_FACTS
from games.engine.base import InvalidRules
from games.registry import GAMES, get_game


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_every_preset_survives_its_json(rules):
    assert GAME.rules.parse(GAME.rules.json(rules)) == rules
    assert GAME.rules.parse({"name": rules.name}) == rules
    assert rules_changes(rules) == {"name": rules.name}


def test_an_operator_changes_single_fields():
    changed = GAME.rules.parse({"name": "race100", "hand_sizes": [9, 7, 7, 6, 6]})
    assert changed == replace(PRESETS["race100"], hand_sizes=(9, 7, 7, 6, 6))
    assert rules_changes(changed) == {"name": "race100", "hand_sizes": [9, 7, 7, 6, 6]}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "object of fields"),
        ({"luck": 1}, "no rule 'luck'"),
        ({7: 1}, "no rule 7"),
        ({"rummy_factor": "2"}, "no value for rummy_factor"),
        ({"rummy_factor": 0}, "too small"),
        ({"leave_points": -1}, "too small"),
        ({"ace": "high"}, "no value for ace"),
        ({"ace": []}, "no value for ace"),
        ({"must_discard_last": 1}, "no value for must_discard_last"),
        ({"melds_a_turn": "1"}, "no value for melds_a_turn"),
        ({"melds_a_turn": 0}, "too small"),
        ({"hand_sizes": 7}, "no value for hand_sizes"),
        ({"hand_sizes": [7, 7]}, "no value for hand_sizes"),
        ({"hand_sizes": [11, 7, 7, 6, 6]}, "no value for hand_sizes"),
        ({"hand_sizes": [10, 7, 7, 6, "6"]}, "no value for hand_sizes"),
        ({"hand_sizes": [10, 7, 7, 6, 8]}, "too few for 6 players"),
        ({"deals": None}, "one deal"),
        ({"qualifiers": 1}, "one deal"),
    ],
)
def test_what_is_no_rule_set(data, words):
    with pytest.raises(InvalidRules, match=words):
        GAME.rules.parse(data)


def test_formats_and_names():
    formats = {format.code: format for format in GAME.formats}
    assert [*formats] == ["POINTS", "RACE"]
    for format in GAME.formats:
        assert format.seats == range(2, 7)
        assert {GAME.money.format_of(PRESETS[name]) for name in format.presets} == {format.code}
    assert tuple(GAME.rules.presets) == tuple(PRESETS)
    assert GAME.lesson
    assert GAME.lesson.preset in PRESETS
    with pytest.raises(InvalidRules):
        GAME.rules.preset("whist")
    titles = [GAME.money.title_of(rules).message for rules in PRESETS.values()]
    assert len(set(titles)) == 4


def test_tournaments_play_races():
    rules = ruleset.for_event(PRESETS["race100"], deals=3, qualifiers=2)
    assert (rules.deals, rules.qualifiers, rules.target) == (3, 2, 100)
    with pytest.raises(InvalidRules):
        for_event(POINTS, deals=3, qualifiers=2)


def test_what_is_said_of_a_rule_set_is_a_field_of_it():
    assert all(hasattr(POINTS, fact.name) for fact in RULE_FACTS)
    assert all(key == key.lower() and text.message for key, text in GAME.words.texts.items())


def test_the_registry_knows_the_game():
    assert get_game("basic") is GAMES["basic"]
