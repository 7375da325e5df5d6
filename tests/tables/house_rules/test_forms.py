"""The form that is built from a game's rule book."""

import pytest
from django.utils.translation import override
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.registry import GAMES
from tables.catalog import list_presets
from tables.house_rules.forms import PREFIX, RulesForm, build_initial, filter_facts
from tables.models.house_rules import HouseRules, get_changes, read_rules

every_game = pytest.mark.parametrize("code", GAMES)


@pytest.fixture(autouse=True)
def english():
    with override("en"):
        yield


def read_initial(form, name):
    """Return the value that a browser sends for an unchanged field."""
    value = form[PREFIX + name].value()
    return "" if value is None else str(value)


@every_game
def test_every_field_that_people_choose_has_a_line_in_the_form(code):
    game = GAMES[code]
    lines = [fact.name for fact in game.words.rule_facts]
    assert sorted(lines) == sorted(game.rules.field_types())
    assert game.rules.internal.isdisjoint(lines)


@every_game
def test_a_preset_can_be_written_as_changes_of_any_other_of_its_format(code):
    game = GAMES[code]
    for format in game.formats:
        base, *others = list_presets(code, format.code)
        usual = game.rules.json(game.rules.preset(base))
        for other in others:
            wanted = game.rules.json(game.rules.preset(other))
            changes = {
                name: value
                for name, value in wanted.items()
                if name != "name" and value != usual[name]
            }
            shown = RulesForm(game=code, preset=base, changes=changes)
            sent = {
                PREFIX + fact.name: read_initial(shown, fact.name)
                for fact in filter_facts(code, base)
            }
            form = RulesForm(sent, game=code, preset=base)
            assert form.is_valid(), (base, other, form.errors)
            assert form.changes == changes
            assert read_rules(code, base, form.changes) == game.rules.change(
                game.rules.preset(other), name=base
            )


@every_game
def test_an_empty_form_changes_nothing(code):
    for preset in GAMES[code].rules.presets:
        form = RulesForm({}, game=code, preset=preset)
        assert form.is_valid()
        assert form.changes == {}


@pytest.mark.parametrize(
    ("code", "preset", "sent", "field"),
    [
        ("indian", "points", {"max_set_size": "2"}, "max_set_size"),
        ("indian", "points", {"packs": "1"}, None),  # too few for six
        ("indian", "points", {"max_points": "-1"}, "max_points"),
        ("indian", "points", {"max_points": "ten"}, "max_points"),
        ("indian", "points", {"turn_seconds": "86401"}, "turn_seconds"),
        ("rummikub", "points", {"overtime_tiles": "11"}, "overtime_tiles"),
        ("rummikub", "points", {"invalid_tiles": "11"}, "invalid_tiles"),
        ("indian", "points", {"lone_pure_sequence": "doubled"}, "lone_pure_sequence"),
        ("basic", "points", {"hand_sizes": "10, 7"}, None),  # one for each number of players
        ("basic", "points", {"hand_sizes": "ten, 7, 7, 6, 6"}, "hand_sizes"),
        ("contract", "contract", {"contracts": "set + pair"}, None),
        ("rummikub", "session4", {"deals": "1"}, None),  # "deals" is a rule for points
    ],
)
def test_rules_that_cannot_be_played_are_refused(code, preset, sent, field):
    data = {PREFIX + name: value for name, value in sent.items()}
    form = RulesForm(data, game=code, preset=preset)
    assert not form.is_valid()
    assert list(form.errors) == ["__all__" if field is None else PREFIX + field]


def test_the_word_for_nothing_is_read_as_none():
    form = RulesForm({"rule_first_drop": "No drop"}, game="indian", preset="pool101")
    assert form.is_valid()
    assert form.changes == {"first_drop": None}
    again = RulesForm(game="indian", preset="pool101", changes=form.changes)
    assert again["rule_first_drop"].value() == "no drop"


def test_a_field_lists_the_values_of_the_presets():
    form = RulesForm(game="indian", preset="pool101")
    help_text = form.fields["rule_elimination_score"].help_text
    assert "Pool 61: 61" in help_text
    assert "Pool 201: 201" in help_text
    assert form.fields["rule_packs"].help_text == "From 1 to 4."


def test_a_field_tells_its_bounds():
    form = RulesForm(game="indian", preset="pool101")
    assert form.fields["rule_first_drop"].help_text.startswith(
        "Enter a number or “no drop”. From 0 to"
    )
    assert form.fields["rule_split"].help_text == ""
    assert form.fields["rule_max_minutes"].help_text.startswith("At least 1")
    sizes = RulesForm(game="basic", preset="points").fields["rule_hand_sizes"]
    assert sizes.help_text == "From 3 to 10."


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(sorted(GAMES["indian"].rules.field_types())), st.text()))
def test_any_text_is_refused_or_makes_rules_that_can_be_read(texts):
    data = {PREFIX + name: text for name, text in texts.items()}
    form = RulesForm(data, game="indian", preset="pool101")
    if form.is_valid():
        read_rules("indian", "pool101", form.changes)
    else:
        assert form.errors


def test_house_rules_that_were_stored_with_wider_bounds_are_played():
    changes = {"overtime_tiles": 10_000, "must_play": True}
    stored = HouseRules(name="Old", game="rummikub", preset="points", changes=changes)
    assert stored.is_played
    assert stored.rule_set == read_rules(
        "rummikub", "points", {"overtime_tiles": 10, "must_play": True}
    )
    assert get_changes(stored) == {"overtime_tiles": 10, "must_play": True}


def test_changes_are_the_initial_values_of_the_form():
    assert build_initial({"packs": 3, "split": False, "restock": "block"}) == {
        "rule_packs": 3,
        "rule_split": "false",
        "rule_restock": "block",
    }
