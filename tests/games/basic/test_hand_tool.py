"""The hand tool of basic rummy: JSON lines, and what cannot be answered."""

import json
from typing import Any

import pytest

from games.basic.lab import hand_tool


def ask(question: str, asked: Any) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(hand_tool.answer(question, json.dumps(asked)))
    return said


def test_what_kind_each_group_is():
    groups = [["7H", "7S", "7D"], ["10C", "9C", "8C"], ["AS", "KS", "QS"], ["2H"]]
    assert ask("check", {"groups": groups}) == {"kinds": ["set", "sequence", None, None]}
    both = ask("check", {"groups": groups, "rules": {"ace": "both"}})
    assert both == {"kinds": ["set", "sequence", "sequence", None]}


def test_the_least_count():
    asked = {
        "hand": ["7S", "7D", "7C", "8H", "KD", "2C"],
        "table": [["5H", "6H", "7H"], ["KS", "KH", "KC"]],
    }
    assert ask("arrange", asked) == {
        "points": 2,
        "groups": [["7S", "7D", "7C"]],
        "lay_offs": [["8H", 0], ["KD", 1]],
        "loose": ["2C"],
    }
    assert ask("arrange", {**asked, "ruleset": "one_meld"})["points"] == 2


@pytest.mark.parametrize(
    ("question", "line", "sentence"),
    [
        ("check", "{", "This line is no JSON."),
        ("check", "[" * 100_000, "This line is no JSON."),
        ("check", "[]", "A question is an object."),
        ("check", "{}", "groups is missing."),
        ("score", "{}", "There is no question 'score'."),
        ("check", '{"groups": [], "luck": 1}', "There is no field 'luck'."),
        ("check", '{"groups": 7}', "groups is a list."),
        ("check", '{"groups": [7]}', "groups is a list."),
        ("check", '{"groups": [[7]]}', "unknown card: 7"),
        ("check", '{"groups": [["1H"]]}', "unknown card: '1H'"),
        ("check", '{"groups": [["PJ"]]}', "Basic rummy is played without jokers."),
        ("check", '{"groups": [["7H"], ["7H"]]}', "7H is there twice."),
        ("check", '{"groups": [], "ruleset": 7}', "There is no rule set 7."),
        ("check", '{"groups": [], "ruleset": "whist"}', "There is no rule set 'whist'."),
        ("check", '{"groups": [], "rules": 7}', "rules is an object of fields."),
        ("check", '{"groups": [], "rules": {"luck": 1}}', "There is no rule 'luck'."),
        ("arrange", '{"hand": [], "table": []}', "A hand has 1 to 11 cards, not 0."),
        ("arrange", '{"hand": ["7H"], "table": [["2H", "3H"]]}', "2H 3H is no meld."),
        ("arrange", '{"hand": ["7H"], "table": [["7H", "7S", "7D"]]}', "7H is there twice."),
    ],
)
def test_what_cannot_be_answered(question, line, sentence):
    assert json.loads(hand_tool.answer(question, line)) == {"error": sentence}
