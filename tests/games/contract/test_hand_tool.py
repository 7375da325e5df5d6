"""The hand tool of Contract Rummy: JSON lines, and what cannot be answered."""

import json
from typing import Any

import pytest

from games.contract.lab import hand_tool


def ask(question: str, asked: Any) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(hand_tool.answer(question, json.dumps(asked)))
    return said


def meld(text: str) -> dict[str, list[str]]:
    pairs = [word.partition("=") for word in text.split()]
    return {"cards": [c for c, _, _ in pairs], "as": [f or c for c, _, f in pairs]}


@pytest.mark.parametrize(
    ("contract", "melds", "last", "reason"),
    [
        (["set", "run"], ["7H 7H 7S", "4H PJ=5H 6H 7H"], False, None),
        (["run", "set"], ["7H 7H 7S", "4H PJ=5H 6H 7H"], False, None),
        (["set", "set"], ["7H 7H 7S", "4H PJ=5H 6H 7H"], False, "contract_not_met"),
        (["set"], ["7H 7H 8S"], False, "not_a_meld"),
        (["set"], ["7H 7H 7S 7D"], False, "contract_not_met"),
        (["run", "run"], ["AS 2S 3S 4S", "JS QS KS AS"], False, None),
        (["run", "run", "run"], ["2C 3C 4C 5C", "6H 7H 8H 9H", "JD QD KD AD"], True,
         "contract_not_met"),
        (["run", "run", "run"], ["2C 3C 4C 5C 6C", "6H 7H 8H 9H", "JD QD KD AD"], True, None),
    ],
)  # fmt: skip
def test_whether_a_contract_is_met(contract, melds, last, reason):
    asked = {"contract": contract, "melds": [meld(text) for text in melds], "last": last}
    assert ask("check", asked) == {"valid": reason is None, "reason": reason}


def test_rules_change_the_answer():
    asked = {"contract": ["set"], "melds": [meld("7H 7S 2D=7D")]}
    assert ask("check", asked)["valid"] is False
    assert ask("check", {**asked, "ruleset": "deuces_wild"})["valid"] is True
    assert ask("check", {**asked, "rules": {"deuces_wild": True}})["valid"] is True


def test_as_many_cards_are_held_as_there_are():
    jokers = {"hand": ["PJ"] * 7, "contract": ["set", "run"]}
    assert ask("missing", jokers) == {"missing": 3, "melds": None}
    for hand in (["PJ"] * 9, ["7H"] * 5):
        assert "too often" in ask("missing", {**jokers, "hand": hand})["error"]


def test_how_many_cards_are_missing():
    asked = {"hand": ["9D", "9S", "PJ", "4H", "5H", "6H", "7H"], "contract": ["set", "run"]}
    said = ask("missing", asked)
    assert said["missing"] == 0
    assert sorted(len(meld["cards"]) for meld in said["melds"]) == [3, 4]
    assert ask("check", {"contract": asked["contract"], "melds": said["melds"]})["valid"] is True
    less = ask("missing", {**asked, "hand": asked["hand"][:-1]})
    assert less == {"missing": 1, "melds": None}


@pytest.mark.parametrize(
    ("question", "asked", "sentence"),
    [
        ("check", {"contract": ["set"]}, "melds is missing."),
        ("check", {"contract": 7, "melds": []}, "A contract is a list of one to three of set and run."),
        ("check", {"contract": [], "melds": []}, "A contract is a list of one to three of set and run."),
        ("check", {"contract": [[]], "melds": []}, "A contract is a list of one to three of set and run."),
        ("check", {"contract": ["set"], "melds": [], "last": 1}, "last is true or false."),
        ("check", {"contract": ["set"], "melds": 7}, "melds is a list."),
        ("check", {"contract": ["set"], "melds": [7]}, "A meld has cards and as."),
        ("check", {"contract": ["set"], "melds": [{"cards": [], "as": []}]}, "A meld has cards."),
        ("check", {"contract": ["set"], "melds": [{"cards": ["7H"], "as": []}]},
         "as has a card for each card, and none of them is a joker."),
        ("check", {"contract": ["set"], "melds": [{"cards": ["PJ"], "as": ["PJ"]}]},
         "as has a card for each card, and none of them is a joker."),
        ("check", {"contract": ["set"], "melds": [{"cards": ["7H"] * 5, "as": ["7H"] * 5}]},
         "7H is there too often."),
        ("missing", {"hand": [], "contract": ["set"]}, "A hand has 1 to 19 cards, not 0."),
        ("missing", {"hand": ["1H"], "contract": ["set"]}, "unknown card: '1H'"),
        ("arrange", {}, "There is no question 'arrange'."),
    ],
)  # fmt: skip
def test_what_cannot_be_answered(question, asked, sentence):
    assert ask(question, asked) == {"error": sentence}
