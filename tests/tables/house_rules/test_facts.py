"""The rules pages' lines, one for every rule in which rule sets differ."""

from typing import Any

import pytest
from django.utils.translation import override

from games.registry import GAMES
from tables.catalog import find_differences
from tables.house_rules.facts import describe_facts, rules_at
from tables.models import Table

# The lesson's longer turns are shown on its own pages.
LESSON = "lesson"


def presets_by_format(code):
    game = GAMES[code]
    found: dict[str, list[dict[str, Any]]] = {}
    for name in game.rules.presets:
        if name != LESSON:
            rules = game.rules.preset(name)
            found.setdefault(game.money.get_format_code(rules), []).append(game.rules.json(rules))
    return found


@pytest.mark.parametrize("code", GAMES)
@pytest.mark.parametrize("language", ["en", "hi"])
def test_rule_sets_that_differ_are_shown_to_differ(code, language):
    with override(language):
        for usual, *others in presets_by_format(code).values():
            assert usual["name"] != LESSON
            for other in others:
                differing = find_differences(other, usual)
                for field in differing:
                    # Only this field is shown when the other rules are the usual ones.
                    changed = {**usual, field: other[field]}
                    assert describe_facts(code, changed) != describe_facts(code, usual), field


@pytest.mark.parametrize(
    ("code", "field", "value", "line"),
    [
        ("indian", "packs_for_two", 1, ("Packs of cards for two players", 1)),
        ("indian", "max_set_size", None, ("Most cards in a set", "no limit")),
        ("indian", "second_valid_points", 5, ("Points for a second valid hand", 5)),
        (
            "indian",
            "joker_only_melds",
            "none",
            ("Three or more jokers and no other card", "are not a meld"),
        ),
        (
            "indian",
            "wrong_declaration_counts",
            "hand",
            ("A wrong declaration counts", "all cards of the hand"),
        ),
        ("indian", "max_turns", 12, ("Most turns of a player in a deal", 12)),
        ("indian", "max_minutes", 9, ("Most minutes of a deal", 9)),
        ("basic", "restock", "block", ("When the closed deck is empty", "the deal ends")),
        ("contract", "number_points", "five", ("A number card in hand counts", "5 points")),
        ("contract", "jokers", "all_printed", ("Jokers", "four")),
        ("contract", "jokers", "two_a_pack", ("Jokers", "two for each pack")),
        (
            "rummikub",
            "group_swap",
            "both",
            ("A joker in a group of three is freed by", "both missing tiles"),
        ),
    ],
)
def test_a_rule_has_its_line(code, field, value, line):
    game = GAMES[code]
    usual = game.rules.json(game.rules.preset(game.formats[0].presets[0]))
    assert line in describe_facts(code, {**usual, field: value})


def test_only_pools_have_a_line_about_elimination():
    game = GAMES["indian"]
    label = "A player with exactly that score"
    lines = {
        name: dict(describe_facts("indian", game.rules.json(game.rules.preset(name))))
        for name in ("points", "pool101")
    }
    assert label not in lines["points"]
    assert lines["pool101"][label] == "is out"


def test_a_table_by_the_rules_of_another_site_marks_what_is_different(db, make_table):
    game = GAMES["indian"]
    table = make_table()
    Table.objects.update(rules=game.rules.json(game.rules.preset("junglee-points")))
    own = {fact.field: fact.value for fact in rules_at(table.pk)["facts"] if fact.is_own}
    assert own == {
        "packs_for_two": 1,
        "max_set_size": 4,
        "lone_pure_sequence": "is counted",
        "wrong_declaration_counts": "all cards of the hand",
    }
