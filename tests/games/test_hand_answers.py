"""Single questions about hands, asked without a process of their own."""

import json

import pytest

from games.indian.lab.hand_tool import answer

FOURTEEN = ["AS", "2S", "3S", "QH", "KH", "AH", "5D", "6D", "7D", "8D", "9C", "TC", "JC", "4H"]


def ask(command, question):
    return json.loads(answer(command, json.dumps(question)))


@pytest.mark.parametrize("line", ["", "{", "[" * 100_000, "\ufffd"])
def test_a_line_that_is_no_json(line):
    assert json.loads(answer("check", line)) == {"error": "This line is no JSON."}


@pytest.mark.parametrize("question", [[], "hand", 7, None])
def test_a_line_that_is_no_object(question):
    assert ask("arrange", question) == {"error": "A question is an object."}


@pytest.mark.parametrize("hand", ["AS", None, {"AS": 1}])
def test_a_hand_that_is_no_list(hand):
    assert ask("arrange", {"hand": hand}) == {"error": "A hand is a list of cards."}


def test_r3_2_fourteen_cards_have_a_discard():
    reply = ask("arrange", {"hand": FOURTEEN, "wild": None})
    assert (reply["points"], reply["discard"], reply["declarable"]) == (0, "4H", True)
    assert [len(group) for group in reply["groups"]] == [3, 3, 4, 3] or reply["loose"] == []
