"""Rule sets of Rummikub: their fields, presets and formats."""

import pytest

from games.engine.base import InvalidRules
from games.engine.codec import replace
from games.registry import GAMES, get_game
from games.rummikub.game import GAME
from games.rummikub.rules.ruleset import (
    POINTS,
    PRESETS,
    parse_rules,
    rules_changes,
    rules_json,
)
from games.rummikub.words import RULE_FACTS, TEXTS


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_every_preset_survives_its_json(rules):
    assert parse_rules(rules_json(rules)) == rules
    assert parse_rules({"name": rules.name}) == rules
    assert rules_changes(rules) == {"name": rules.name}
    assert GAME.rules.parse(GAME.rules.json(rules)) == rules


def test_an_operator_changes_single_fields():
    changed = parse_rules({"name": "session4", "turn_seconds": 20})
    assert changed == replace(PRESETS["session4"], turn_seconds=20)
    assert rules_changes(changed) == {"name": "session4", "turn_seconds": 20}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "object of fields"),
        ({"luck": 1}, "no rule 'luck'"),
        ({"rack_size": "14"}, "no value for rack_size"),
        ({"initial_meld": True}, "no value for initial_meld"),
        ({"initial_meld": -1}, "too small"),
        ({"deals": 0}, "too small"),
        ({"max_points": 0}, "too small"),
        ({"max_points": "200"}, "no value for max_points"),
        ({"joker_melds": "thawed"}, "no value for joker_melds"),
        ({"swap_from": []}, "no value for swap_from"),
        ({"group_swap": None}, "no value for group_swap"),
        ({"must_play": 1}, "no value for must_play"),
        ({"rack_size": 27}, "Nothing is left to draw"),
        ({"name": "session4", "qualifiers": 4}, "Not all of a table"),
    ],
)
def test_what_is_no_rule_set(data, words):
    with pytest.raises(InvalidRules, match=words):
        parse_rules(data)


def test_the_largest_racks_leave_two_tiles():
    assert parse_rules({"rack_size": 26}).rack_size == 26


def test_k16_presets():
    assert (POINTS.initial_meld, POINTS.turn_seconds, POINTS.joker_melds) == (50, 120, "frozen")
    assert (PRESETS["session4"].deals, PRESETS["sabra30"].initial_meld) == (4, 30)
    modern = PRESETS["modern"]
    assert (modern.joker_melds, modern.swap_from, modern.turn_seconds) == ("free", "anywhere", 60)
    assert PRESETS["tournament"] == replace(
        PRESETS["session4"], name="tournament", group_swap="both"
    )
    assert GAME.money.largest_loss(POINTS) == 200
    assert GAME.money.largest_loss(replace(POINTS, max_points=None)) == 8 * 91 + 60


def test_a_game_names_its_rule_sets():
    assert set(GAME.rules.presets) == set(PRESETS)
    assert GAME.rules.preset("modern").initial_meld == 30
    assert GAME.lesson
    assert GAME.lesson.preset == "lesson"
    with pytest.raises(InvalidRules):
        GAME.rules.preset("whist")


def test_formats():
    formats = {format.code: format for format in GAME.formats}
    assert [*formats] == ["POINTS", "DEALS"]
    assert (formats["POINTS"].stake, formats["DEALS"].stake) == ("per_point", "entry_fee")
    assert [format.is_for_events for format in GAME.formats] == [False, True]
    for format in GAME.formats:
        assert format.seats == range(2, 5)
        assert {GAME.money.format_of(PRESETS[name]) for name in format.presets} == {format.code}


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("points", "Points Rummikub"),
        ("sabra30", "Rummikub, %(points)s points to begin"),
        ("modern", "Modern Rummikub"),
        ("session4", "Rummikub, %(deals)s deals"),
        ("modern4", "Modern Rummikub, %(deals)s deals"),
        ("tournament", "Tournament Rummikub, %(deals)s deals"),
    ],
)
def test_titles(name, title):
    assert GAME.money.title_of(PRESETS[name]).message == title


def test_what_is_said_of_a_rule_set_is_a_field_of_it():
    assert all(hasattr(POINTS, fact.name) for fact in RULE_FACTS)
    assert GAME.words.rule_facts == RULE_FACTS
    assert all(text.message for text in TEXTS.values())
    assert GAME.words.texts == TEXTS


def test_the_registry_knows_the_game():
    assert get_game("rummikub") is GAMES["rummikub"]
    assert (GAME.code, GAME.title.message) == ("rummikub", "Rummikub")
