"""Rule sets of gin: their fields, presets and formats."""

import pytest
from msgspec.structs import replace

from games.engine.base import InvalidRules
from games.gin.game import GAME
from games.gin.rules.ruleset import POINTS, PRESETS, parse_rules, rules_changes, rules_json
from games.gin.words import RULE_FACTS, TEXTS
from games.registry import GAMES, get_game


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_every_preset_survives_its_json(rules):
    assert parse_rules(rules_json(rules)) == rules
    assert parse_rules({"name": rules.name}) == rules
    assert rules_changes(rules) == {"name": rules.name}
    assert GAME.rules.parse(GAME.rules.json(rules)) == rules


def test_an_operator_changes_single_fields():
    changed = parse_rules({"name": "game100", "turn_seconds": 20})
    assert changed == replace(PRESETS["game100"], turn_seconds=20)
    assert rules_changes(changed) == {"name": "game100", "turn_seconds": 20}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "object of fields"),
        ({"luck": 1}, "no rule 'luck'"),
        ({"knock_limit": "10"}, "no value for knock_limit"),
        ({"knock_limit": True}, "no value for knock_limit"),
        ({"knock_limit": -1}, "too small"),
        ({"max_turns": 0}, "too small"),
        ({"next_dealer": "nobody"}, "no value for next_dealer"),
        ({"next_dealer": []}, "no value for next_dealer"),
        ({"oklahoma": 1}, "no value for oklahoma"),
        ({"target": "100"}, "no value for target"),
        ({"target": 0}, "too small"),
        ({"wall": 31}, "Nothing is left to draw"),
        ({"deals": None}, "one scored deal"),
        ({"deals": 2}, "one scored deal"),
        ({"qualifiers": 1}, "one scored deal"),
        ({"name": "game100", "qualifiers": 2}, "One of two"),
    ],
)
def test_what_is_no_rule_set(data, words):
    with pytest.raises(InvalidRules, match=words):
        parse_rules(data)


def test_a_deck_down_to_the_last_card_is_one():
    assert parse_rules({"wall": 30}).wall == 30
    assert parse_rules({"wall": 0}).wall == 0


def test_a_game_names_its_rule_sets():
    assert set(GAME.rules.presets) == set(PRESETS)
    assert GAME.rules.preset("oklahoma").oklahoma is True
    assert GAME.lesson
    assert GAME.lesson.preset == "lesson"
    with pytest.raises(InvalidRules):
        GAME.rules.preset("whist")


def test_formats():
    formats = {format.code: format for format in GAME.formats}
    assert [*formats] == ["POINTS", "GAME"]
    assert (formats["POINTS"].stake, formats["GAME"].stake) == ("per_point", "entry_fee")
    assert [format.is_for_events for format in GAME.formats] == [False, True]
    for format in GAME.formats:
        assert format.seats == range(2, 3)
        assert {GAME.money.format_of(PRESETS[name]) for name in format.presets} == {format.code}


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("points", "Points gin"),
        ("oklahoma", "Oklahoma gin"),
        ("game100", "Gin to %(target)s"),
        ("oklahoma100", "Oklahoma gin to %(target)s"),
        ("classic", "Classic points gin"),
        ("classic100", "Classic gin to %(target)s"),
    ],
)
def test_titles(name, title):
    assert GAME.money.title_of(PRESETS[name]).message == title


def test_what_is_said_of_a_rule_set_is_a_field_of_it():
    assert all(hasattr(POINTS, fact.name) for fact in RULE_FACTS)
    assert GAME.words.rule_facts == RULE_FACTS
    assert all(key == key.lower() and text.message for key, text in TEXTS.items())
    assert GAME.words.texts == TEXTS


def test_the_registry_knows_the_game():
    assert get_game("gin") is GAMES["gin"]
    assert (GAME.code, GAME.title.message) == ("gin", "Gin rummy")
