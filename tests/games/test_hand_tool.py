"""`manage.py hand`: the vectors through the real process, and lines that nobody can answer."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from games.indian.lab.hand_tool import answer

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests/vectors"


def ask(command, question):
    return json.loads(answer(command, json.dumps(question)))


def run(command, lines):
    finished = subprocess.run(
        [sys.executable, "manage.py", "hand", command],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return finished.stdout.splitlines()


def test_groups_of_the_vectors():
    vectors = json.loads((VECTORS / "groups.json").read_text())
    assert len(vectors) > 30
    for vector in vectors:
        reply = ask("check", {"groups": [vector["cards"]], "wild": vector["wild"]})
        assert reply == {"valid": False, "kinds": [vector["kind"]], "reason": "wrong_card_count"}


def test_declarations_of_the_vectors():
    for vector in json.loads((VECTORS / "declarations.json").read_text()):
        reply = ask("check", {"groups": vector["groups"], "wild": vector["wild"]})
        assert reply["valid"] is vector["valid"], vector
        assert (reply["reason"] is None) is vector["valid"]


def test_scores_of_the_vectors():
    for vector in json.loads((VECTORS / "scores.json").read_text()):
        question = {name: vector[name] for name in ("groups", "wild", "ruleset")}
        assert ask("score", question) == {"points": vector["points"]}


def test_arrangements_of_the_vectors_through_the_process():
    vectors = [json.loads(line) for line in (VECTORS / "arrange.jsonl").read_text().splitlines()]
    questions = [json.dumps({"hand": v["hand"], "wild": v["wild"]}) for v in vectors]
    replies = [json.loads(line) for line in run("arrange", questions)]
    assert len(replies) == len(vectors) == 400
    for vector, reply in zip(vectors, replies, strict=True):
        assert reply["points"] == vector["points"]
        cards = [card for group in reply["groups"] for card in group] + reply["loose"]
        cards += [reply["discard"]] if reply["discard"] else []
        assert sorted(cards) == sorted(vector["hand"])
        assert reply["declarable"] is (reply["points"] == 0 and not reply["loose"])


THIRTEEN = ["AS", "2S", "3S", "QH", "KH", "AH", "5D", "6D", "7D", "8D", "9C", "TC", "JC"]


@pytest.mark.parametrize(
    ("command", "question", "words"),
    [
        ("check", {"groups": [["1H"]]}, "unknown card: '1H'"),
        ("check", {"groups": [[7]]}, "unknown card: 7"),
        ("check", {"groups": [None]}, "list of lists"),
        ("check", {"groups": "7H"}, "list of lists"),
        ("check", {}, "groups is missing"),
        ("check", {"groups": [], "more": 1}, "no field 'more'"),
        ("check", {"groups": [], "wild": 5}, "unknown card: 5"),
        ("score", {"groups": [], "ruleset": "bridge"}, "no rule set 'bridge'"),
        ("score", {"groups": [], "ruleset": []}, "no rule set []"),
        ("score", {"groups": [], "rules": {"luck": 1}}, "no rule 'luck'"),
        ("score", {"groups": [], "rules": []}, "object of fields"),
        ("arrange", {"hand": THIRTEEN[:12]}, "13 or 14 cards, not 12"),
        ("arrange", {"hand": [*THIRTEEN, "2H", "3H"]}, "not 15"),
        ("arrange", {"hand": ["AS", *THIRTEEN], "rules": {"packs": 1}}, "2 copies of AS"),
        ("arrange", {"hand": THIRTEEN, "rules": {"packs": 0}}, "whole number from 1"),
        ("arrange", {"hand": THIRTEEN, "rules": {"packs": True}}, "whole number from 1"),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(command, question, words):
    reply = ask(command, question)
    assert set(reply) == {"error"}
    assert words in reply["error"]


def test_bad_lines_never_stop_the_stream():
    good = json.dumps({"hand": THIRTEEN, "wild": "4H"})
    lines = ["", "{", "[" * 100_000, '"hand"', "null", good, '{"hand": ["\\ud800"]}', good]
    replies = [json.loads(line) for line in run("arrange", lines)]
    assert ["error" in reply for reply in replies] == [True] * 5 + [False, True, False]
    assert replies[5] == replies[7]
    assert replies[5]["declarable"] is True


def test_copies_are_counted_only_where_packs_are_given():
    hand = ["AS"] * 3 + THIRTEEN[3:]
    assert "error" not in ask("arrange", {"hand": hand})
    assert "error" in ask("arrange", {"hand": hand, "rules": {"packs": 2}})
    assert "error" not in ask("arrange", {"hand": hand, "rules": {"packs": 3}})


def test_r2_4_a_rule_can_be_set_for_one_question():
    five = {"groups": [["5D", "5C", "PJ", "QH", "QS"]], "wild": "QS"}
    assert ask("check", five)["kinds"] == ["set"]
    assert ask("check", {**five, "rules": {"max_set_size": 4}})["kinds"] != ["set"]
