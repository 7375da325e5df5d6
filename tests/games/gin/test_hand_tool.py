"""Questions about hands of gin, and the published vectors (tests/vectors/gin)."""

import json
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from games.gin.game import GAME
from games.gin.lab import hand_tool
from games.gin.lab.hand_tool import answer
from tests.given import the

ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "tests/vectors/gin.jsonl"
TEN = ["5H", "6H", "7H", "KS", "KD", "KC", "AS", "2C", "3D", "4S"]
ELEVEN = ["5H", "6H", "7H", "8H", "KS", "KD", "KC", "KH", "9D", "TD", "JD"]
MELDS = [["5H", "6H", "7H"], ["KS", "KD", "KC"], ["9D", "TD", "JD"]]
OTHER = ["KH", "4H", "8H", "8D", "QD", "9C", "9S", "7C", "6S", "AD"]


def ask(question, asked):
    return json.loads(answer(question, json.dumps(asked)))


def test_arrange_ten():
    reply = ask("arrange", {"hand": TEN})
    assert sorted(reply.pop("groups")) == [["5H", "6H", "7H"], ["KS", "KD", "KC"]]
    assert reply == {
        "points": 10,
        "loose": ["AS", "4S", "3D", "2C"],
        "discard": None,
        "may_knock": True,
        "big_gin": False,
    }


def test_arrange_eleven():
    reply = ask("arrange", {"hand": [*TEN, "QC"]})
    assert (reply["points"], reply["discard"], reply["may_knock"]) == (10, "QC", True)
    assert "QC" not in reply["loose"]
    assert ask("arrange", {"hand": [*TEN, "QC"], "rules": {"knock_limit": 9}})["may_knock"] is False


def test_g9_arrange_big_gin():
    reply = ask("arrange", {"hand": ELEVEN})
    assert (reply["points"], reply["discard"], reply["big_gin"]) == (0, None, True)
    assert sorted(chain.from_iterable(reply["groups"])) == sorted(ELEVEN)
    reply = ask("arrange", {"hand": ELEVEN, "rules": {"big_gin_bonus": 0}})
    assert (reply["points"], reply["big_gin"], reply["loose"]) == (0, False, [])
    assert reply["discard"] in ("5H", "8H", "KS", "KD", "KC", "KH")
    assert ask("arrange", {"hand": ELEVEN, "ruleset": "classic"}) == reply


def test_g10_defend():
    reply = ask("defend", {"hand": OTHER, "melds": MELDS})
    assert reply["points"] == 32
    assert sorted(reply["lay_offs"]) == [["4H", 0], ["8D", 2], ["8H", 0], ["KH", 1], ["QD", 2]]
    assert reply["loose"] == ["6S", "9S", "AD", "7C", "9C"]


def test_g8_defend_against_gin():
    melds = [["5S", "6S", "7S", "8S"], ["KS", "KD", "KC"], ["9D", "TD", "JD"]]
    hand = ["KH", "4H", "8H", "8D", "QD", "9C", "9S", "7C", "6H", "AD"]
    reply = ask("defend", {"hand": hand, "melds": melds, "gin": True})
    assert (reply["points"], reply["lay_offs"]) == (10 + 4 + 8 + 8 + 10 + 9 + 9 + 7 + 6 + 1, [])


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ((10, 11, "knock"), ("knocker", 1, False)),
        ((10, 10, "knock"), ("defender", 25, True)),
        ((10, 0, "knock"), ("defender", 35, True)),
        ((0, 40, "gin"), ("knocker", 65, False)),
        ((0, 0, "big_gin"), ("knocker", 31, False)),
    ],
)
def test_g11_score(asked, expected):
    question = dict(zip(("knocker", "defender", "kind"), asked, strict=True))
    assert tuple(ask("score", question).values()) == expected


@pytest.mark.parametrize(
    ("question", "asked", "words"),
    [
        ("arrange", {"hand": TEN[:9]}, "10 or 11 cards, not 9"),
        ("arrange", {"hand": []}, "not 0"),
        ("arrange", {"hand": [*TEN[:9], "5H"]}, "5H is there twice"),
        ("arrange", {"hand": [*TEN[:9], "PJ"]}, "without jokers"),
        ("arrange", {"hand": [*TEN[:9], "1H"]}, "unknown card: '1H'"),
        ("arrange", {"hand": [*TEN[:9], 7]}, "unknown card: 7"),
        ("arrange", {"hand": "5H"}, "list of cards"),
        ("arrange", {}, "hand is missing"),
        ("arrange", {"hand": TEN, "more": 1}, "no field 'more'"),
        ("arrange", {"hand": TEN, "gin": True}, "no field 'gin'"),
        ("arrange", {"hand": TEN, "ruleset": "whist"}, "no rule set 'whist'"),
        ("arrange", {"hand": TEN, "ruleset": []}, "no rule set []"),
        ("arrange", {"hand": TEN, "rules": []}, "object of fields"),
        ("arrange", {"hand": TEN, "rules": {"luck": 1}}, "no rule 'luck'"),
        ("arrange", [], "an object"),
        ("judge", {"hand": TEN}, "no question 'judge'"),
        ("defend", {"hand": OTHER, "melds": MELDS, "gin": 1}, "true or false"),
        ("defend", {"hand": OTHER, "melds": "KS"}, "list of lists"),
        ("defend", {"hand": OTHER, "melds": ["KS"]}, "list of lists"),
        ("defend", {"hand": None, "melds": []}, "list of cards"),
        ("defend", {"hand": OTHER[:9], "melds": MELDS}, "10 cards, not 9"),
        ("defend", {"hand": OTHER, "melds": [["5H", "6H", "9H"]]}, "5H 6H 9H is no meld"),
        ("defend", {"hand": OTHER, "melds": [["KH", "KS", "KD"]]}, "KH is there twice"),
        ("defend", {"hand": OTHER, "melds": MELDS, "gin": True}, "no card outside"),
        ("defend", {"hand": OTHER, "melds": [*MELDS, ["2S", "3S", "4S"]]}, "12 cards are more"),
        ("score", {"knocker": 11, "defender": 20, "kind": "knock"}, "more than 10"),
        ("score", {"knocker": 1, "defender": 20, "kind": "gin"}, "no deadwood"),
        ("score", {"knocker": 1, "defender": 20, "kind": "tie"}, "knock, gin or big_gin"),
        ("score", {"knocker": 1, "defender": 20, "kind": []}, "knock, gin or big_gin"),
        ("score", {"knocker": 1, "defender": -1, "kind": "knock"}, "from 0 to 100"),
        ("score", {"knocker": True, "defender": 1, "kind": "knock"}, "from 0 to 100"),
        (
            "score",
            {"knocker": 0, "defender": 1, "kind": "big_gin", "rules": {"big_gin_bonus": 0}},
            "not played",
        ),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(question, asked, words):
    reply = ask(question, asked)
    assert set(reply) == {"error"}
    assert words in reply["error"]


@pytest.mark.parametrize("line", ["", "{", "[" * 100_000, "\ufffd"])
def test_a_line_that_is_no_json(line):
    assert json.loads(answer("arrange", line)) == {"error": "This line is no JSON."}


def test_the_game_answers_the_tool():
    assert set(the(GAME.hand_tool).questions) == {"arrange", "defend", "score"}
    assert hand_tool.answer("arrange", json.dumps({"hand": TEN})) == answer(
        "arrange", json.dumps({"hand": TEN})
    )


def test_the_vectors():
    """Made by `python -m tests.games.gin.write_vectors` from the exhaustive search."""
    vectors = [json.loads(line) for line in VECTORS.read_text().splitlines()]
    assert len(vectors) == 400
    for vector in vectors:
        reply = ask(vector["question"], vector["asked"])
        assert {name: reply[name] for name in vector["answer"]} == vector["answer"]


def test_the_command_asks_the_game():
    finished = run("arrange", "--game", "gin", lines=[json.dumps({"hand": TEN}), "{"])
    assert finished.returncode == 0
    first, second = map(json.loads, finished.stdout.splitlines())
    assert (first["points"], set(second)) == (10, {"error"})


def test_the_command_refuses_what_the_game_is_not_asked():
    finished = run("check", "--game", "gin", lines=[])
    assert finished.returncode == 1
    assert "gin is asked arrange, defend, score" in finished.stderr


def run(*arguments, lines):
    return subprocess.run(
        [sys.executable, "manage.py", "hand", *arguments],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
