"""`manage.py hand`: questions about hands in each game, the published vectors, and invalid questions."""

import io
import json
import subprocess
import sys
from itertools import chain
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.games.vectors import VECTORS, ask, load_json, load_lines


def split(text: str) -> list[str]:
    return text.split()


def groups(text: str) -> list[list[str]]:
    return [group.split() for group in text.split("|") if group.split()]


def read_laid(text: str) -> dict[str, list[str]]:
    """Read `7H PJ=8H` as cards with the faces they stand for."""
    pairs = [word.partition("=") for word in text.split()]
    return {
        "cards": [card for card, _, _ in pairs],
        "as": [face or card for card, _, face in pairs],
    }


TEN = split("5H 6H 7H KS KD KC AS 2C 3D 4S")
ELEVEN = split("5H 6H 7H 8H KS KD KC KH 9D TD JD")
MELDS = groups("5H 6H 7H|KS KD KC|9D TD JD")
OTHER = split("KH 4H 8H 8D QD 9C 9S 7C 6S AD")
THIRTEEN = split("AS 2S 3S QH KH AH 5D 6D 7D 8D 9C TC JC")
LAID = {"hand": split("7S 7D 7C 8H KD 2C"), "table": groups("5H 6H 7H|KS KH KC")}
KINDS = {"groups": groups("7H 7S 7D|10C 9C 8C|AS KS QS|2H")}
RUN = split("5H 6H 7H")
KINGS = split("KS KH KD")
LAY: dict[str, Any] = {"before": [RUN], "rack": ["8H", "2C"], "initial_met": True}
NEW: dict[str, Any] = {"before": [], "after": [KINGS], "rack": KINGS, "initial_met": False}
FREED = {"before": [read_laid("4H PJ=5H 6H")], "rack": split("5H KS KD"), "initial_met": True}
AWAY = read_laid("KS KD PJ=KC")
TWINS = {
    "before": groups("TH TS TD"), "after": groups("TS TD TH|TH JH QH KH|4S 4H 4D"),
    "rack": split("TH JH QH KH 4S 4H 4D"), "initial_met": False,
}  # fmt: skip
SETS = {"contract": ["set", "set"], "melds": [read_laid("7H 7H 7S"), read_laid("4H PJ=5H 6H 7H")]}
RUNS = {"contract": ["run"] * 3, "last": True}
LACKING = {"hand": split("9D 9S PJ 4H 5H 6H 7H"), "contract": ["set", "run"]}
DEUCE = {"contract": ["set"], "melds": [read_laid("7H 7S 2D=7D")]}
FIVE = {"groups": [split("5D 5C PJ QH QS")], "wild": "QS"}


@pytest.mark.parametrize(
    ("code", "question", "asked", "answer"),
    [
        ("indian", "check", FIVE, {"kinds": ["set"]}),
        ("indian", "check", {**FIVE, "rules": {"max_set_size": 4}}, {"kinds": [None]}),
        ("indian", "arrange", {"hand": THIRTEEN}, {"points": 0, "discard": None, "declarable": True}),
        # R3.2: with fourteen cards, the answer has a discard.
        ("indian", "arrange", {"hand": [*THIRTEEN, "4H"]}, {"points": 0, "discard": "4H"}),
        ("gin", "arrange", {"hand": TEN}, {"points": 10, "discard": None, "may_knock": True}),
        ("gin", "arrange", {"hand": TEN}, {"loose": ["AS", "4S", "3D", "2C"], "big_gin": False}),
        ("gin", "arrange", {"hand": [*TEN, "QC"]}, {"points": 10, "discard": "QC"}),
        ("gin", "arrange", {"hand": [*TEN, "QC"], "rules": {"knock_limit": 9}}, {"may_knock": False}),
        ("gin", "arrange", {"hand": ELEVEN}, {"points": 0, "discard": None, "big_gin": True}),
        ("gin", "arrange", {"hand": ELEVEN, "ruleset": "classic"}, {"big_gin": False, "loose": []}),
        ("gin", "defend", {"hand": OTHER, "melds": MELDS},
         {"points": 32, "loose": ["6S", "9S", "AD", "7C", "9C"]}),
        ("gin", "defend", {"hand": split("KH 4H 8H 8D QD 9C 9S 7C 6H AD"), "gin": True,
                           "melds": groups("5S 6S 7S 8S|KS KD KC|9D TD JD")},
         {"points": 72, "lay_offs": []}),
        ("gin", "score", {"knocker": 10, "defender": 11, "kind": "knock"},
         {"winner": "knocker", "points": 1, "undercut": False}),
        ("gin", "score", {"knocker": 10, "defender": 0, "kind": "knock"},
         {"winner": "defender", "points": 35, "undercut": True}),
        ("gin", "score", {"knocker": 0, "defender": 40, "kind": "gin"}, {"points": 65}),
        ("gin", "score", {"knocker": 0, "defender": 0, "kind": "big_gin"}, {"points": 31}),
        ("basic", "check", KINDS, {"kinds": ["set", "sequence", None, None]}),
        ("basic", "check", {**KINDS, "rules": {"ace": "both"}},
         {"kinds": ["set", "sequence", "sequence", None]}),
        ("basic", "arrange", LAID, {"points": 2, "groups": groups("7S 7D 7C"), "loose": ["2C"],
                                    "lay_offs": [["8H", 0], ["KD", 1]]}),
        ("contract", "check", SETS, {"valid": False, "reason": "contract_not_met"}),
        ("contract", "check", {**SETS, "contract": ["run", "set"]}, {"valid": True, "reason": None}),
        ("contract", "check", {**SETS, "melds": [read_laid("7H 7H 8S")]}, {"reason": "not_a_meld"}),
        ("contract", "check", {**RUNS, "melds": [*map(read_laid, ("2C 3C 4C 5C", "6H 7H 8H 9H", "JD QD KD AD"))]},
         {"reason": "contract_not_met"}),
        ("contract", "check", {**RUNS, "melds": [*map(read_laid, ("2C 3C 4C 5C 6C", "6H 7H 8H 9H", "JD QD KD AD"))]},
         {"valid": True}),
        ("contract", "check", DEUCE, {"valid": False}),
        ("contract", "check", {**DEUCE, "ruleset": "deuces_wild"}, {"valid": True}),
        ("contract", "check", {**DEUCE, "rules": {"deuces_wild": True}}, {"valid": True}),
        ("contract", "missing", LACKING, {"missing": 0}),
        ("contract", "missing", {**LACKING, "hand": LACKING["hand"][:-1]}, {"missing": 1, "melds": None}),
        ("rummikub", "check", {**LAY, "after": [[*RUN, "8H"]]}, {"valid": True, "points": 8}),
        ("rummikub", "check", {**LAY, "after": [RUN]}, {"valid": False, "reason": "nothing_laid"}),
        ("rummikub", "check", {**LAY, "after": groups("6H 7H 8H")}, {"reason": "tiles_missing"}),
        ("rummikub", "check", {**LAY, "after": groups("5H 6H 7H 9H")}, {"reason": "card_not_held"}),
        ("rummikub", "check", {**LAY, "after": groups("5H 6H 7H|8H 2C")}, {"reason": "table_not_valid"}),
        ("rummikub", "check", NEW, {"valid": False, "reason": "below_initial_meld", "points": 39}),
        ("rummikub", "check", {**NEW, "ruleset": "sabra30"}, {"valid": True}),
        ("rummikub", "check", {**NEW, "rules": {"initial_meld": 39}}, {"valid": True}),
        # K7: the run's ten of hearts may be the one from the rack, wherever the other one is.
        ("rummikub", "check", TWINS, {"valid": True, "points": 58}),
        ("rummikub", "check", {**FREED, "after": [split("4H 5H 6H"), AWAY]}, {"valid": True, "points": 31}),
        ("rummikub", "check", {**FREED, "after": [split("4H 6H 5H"), AWAY], "initial_met": False},
         {"valid": False}),
        ("rummikub", "check", {"before": [], "after": [split("9S PJ JS")], "rack": split("9S JS PJ"),
                               "initial_met": True}, {"points": 30}),
        ("rummikub", "lay", {"table": [RUN], "rack": split("8H 9H 2C"), "initial_met": True},
         {"tiles": 2, "points": 17, "table": [read_laid("5H 6H 7H 8H 9H")]}),
        ("rummikub", "lay", {"table": [], "rack": KINGS, "initial_met": False}, {"tiles": 0, "table": []}),
        ("rummikub", "count", {"rack": split("PJ KS AS")}, {"points": 44}),
        ("rummikub", "count", {"rack": []}, {"points": 0}),
    ],
)  # fmt: skip
def test_a_question_about_a_hand_is_answered(code, question, asked, answer):
    said = ask(code, question, **asked)
    assert (
        said.items() >= answer.items()
        if "kinds" not in answer
        else said["kinds"] == answer["kinds"]
    )


CHECK = {"contract": ["set"]}
NO_JOKER = "as has a card for each card, and none of them is a joker."
LIES: dict[str, Any] = {"rack": [], "initial_met": True}


@pytest.mark.parametrize(
    ("code", "question", "asked", "words"),
    [
        ("indian", "check", {"groups": [["1H"]]}, "unknown card: '1H'"),
        ("indian", "check", {"groups": [[7]]}, "unknown card: 7"),
        ("indian", "check", {"groups": [None]}, "list of lists"),
        ("indian", "check", {"groups": [], "wild": 5}, "unknown card: 5"),
        ("indian", "arrange", {"hand": "AS"}, "A hand is a list of cards"),
        ("indian", "arrange", {"hand": THIRTEEN[:12]}, "13 or 14 cards, not 12"),
        ("indian", "arrange", {"hand": [*THIRTEEN, "2H", "3H"]}, "not 15"),
        ("indian", "arrange", {"hand": ["AS", *THIRTEEN], "rules": {"packs": 1}}, "2 copies of AS"),
        ("indian", "arrange", {"hand": THIRTEEN, "rules": {"packs": 0}}, "whole number from 1"),
        ("indian", "arrange", {"hand": ["AS"] * 3 + THIRTEEN[3:], "rules": {"packs": 2}}, "3 copies"),
        ("gin", "arrange", {"hand": TEN[:9]}, "10 or 11 cards, not 9"),
        ("gin", "arrange", {"hand": [*TEN[:9], "5H"]}, "5H is there twice"),
        ("gin", "arrange", {"hand": [*TEN[:9], "PJ"]}, "without jokers"),
        ("gin", "arrange", {"hand": [*TEN[:9], 7]}, "unknown card: 7"),
        ("gin", "arrange", {"hand": TEN, "gin": True}, "no field 'gin'"),
        ("gin", "defend", {"hand": OTHER, "melds": MELDS, "gin": 1}, "true or false"),
        ("gin", "defend", {"hand": OTHER, "melds": ["KS"]}, "list of lists"),
        ("gin", "defend", {"hand": OTHER[:9], "melds": MELDS}, "10 cards, not 9"),
        ("gin", "defend", {"hand": OTHER, "melds": groups("5H 6H 9H")}, "5H 6H 9H is no meld"),
        ("gin", "defend", {"hand": OTHER, "melds": groups("KH KS KD")}, "KH is there twice"),
        ("gin", "defend", {"hand": OTHER, "melds": MELDS, "gin": True}, "no card outside"),
        ("gin", "defend", {"hand": OTHER, "melds": [*MELDS, split("2S 3S 4S")]}, "12 cards are more"),
        ("gin", "score", {"knocker": 11, "defender": 20, "kind": "knock"}, "more than 10"),
        ("gin", "score", {"knocker": 1, "defender": 20, "kind": "gin"}, "no deadwood"),
        ("gin", "score", {"knocker": 1, "defender": 20, "kind": []}, "knock, gin or big_gin"),
        ("gin", "score", {"knocker": True, "defender": 1, "kind": "knock"}, "from 0 to 100"),
        ("gin", "score", {"knocker": 0, "defender": 1, "kind": "big_gin",
                          "rules": {"big_gin_bonus": 0}}, "not played"),
        ("basic", "check", {"groups": [7]}, "groups is a list."),
        ("basic", "check", {"groups": [["PJ"]]}, "Basic rummy is played without jokers."),
        ("basic", "check", {"groups": [["7H"], ["7H"]]}, "7H is there twice."),
        ("basic", "arrange", {"hand": [], "table": []}, "A hand has 1 to 11 cards, not 0."),
        ("basic", "arrange", {"hand": ["7H"], "table": [["2H", "3H"]]}, "2H 3H is no meld."),
        ("contract", "check", {"contract": 7, "melds": []}, "one to three of set and run."),
        ("contract", "check", {"contract": [[]], "melds": []}, "one to three of set and run."),
        ("contract", "check", {**CHECK, "melds": [], "last": 1}, "last is true or false."),
        ("contract", "check", {**CHECK, "melds": [7]}, "A meld has cards and as."),
        ("contract", "check", {**CHECK, "melds": [{"cards": [], "as": []}]}, "A meld has cards."),
        ("contract", "check", {**CHECK, "melds": [{"cards": ["7H"], "as": []}]}, NO_JOKER),
        ("contract", "check", {**CHECK, "melds": [read_laid("PJ")]}, NO_JOKER),
        ("contract", "missing", {"hand": [], "contract": ["set"]}, "cards, not 0."),
        ("rummikub", "count", {"rack": "5H"}, "Tiles are a list"),
        ("rummikub", "count", {"rack": ["5H.7"]}, "unknown card"),
        ("rummikub", "count", {"rack": ["5H"] * 3}, "5H is there too often"),
        ("rummikub", "count", {"rack": ["5H.0", "5H.0"]}, "too often"),
        ("rummikub", "lay", {"table": [], "rack": [], "initial_met": 1}, "true or false"),
        ("rummikub", "lay", {**LIES, "table": {}}, "list of melds"),
        ("rummikub", "lay", {**LIES, "table": [["5H", "6H"]]}, "is no meld"),
        ("rummikub", "lay", {**LIES, "table": [[]]}, "A meld has tiles"),
        ("rummikub", "lay", {**LIES, "table": [{"as": []}]}, "A meld is a list"),
        ("rummikub", "lay", {**LIES, "table": [{"cards": RUN, "as": ["5H"]}]}, "each tile"),
        ("rummikub", "lay", {**LIES, "table": [{"cards": RUN, "as": split("5H 6H 7X")}]}, "unknown"),
        ("rummikub", "lay", {**LIES, "table": [{"cards": RUN, "as": split("5H 6H PJ")}]}, "stands for"),
        ("rummikub", "lay", {**LIES, "table": [RUN, RUN], "rack": ["5H"]}, "too often"),
    ],
)  # fmt: skip
def test_an_invalid_question_is_answered_with_the_reason(code, question, asked, words):
    said = ask(code, question, **asked)
    assert set(said) == {"error"}
    assert words in said["error"]


def test_answers_agree_with_the_published_vectors():
    """The published answers for gin come from the exhaustive search (gin/exhaustive.py)."""
    for vector in load_json("groups.json"):
        reply = ask("indian", "check", groups=[vector["cards"]], wild=vector["wild"])
        assert reply == {"valid": False, "kinds": [vector["kind"]], "reason": "wrong_card_count"}
    for vector in load_json("declarations.json"):
        reply = ask("indian", "check", groups=vector["groups"], wild=vector["wild"])
        assert reply["valid"] is vector["valid"] is (reply["reason"] is None), vector
    for vector in load_json("scores.json"):
        asked = {name: vector[name] for name in ("groups", "wild", "ruleset")}
        assert ask("indian", "score", **asked) == {"points": vector["points"]}
    for vector in load_lines("gin.jsonl"):
        assert ask("gin", vector["question"], **vector["asked"]).items() >= vector["answer"].items()


# --- The command.


def test_the_command_arranges_the_published_hands():
    vectors = load_lines("arrange.jsonl")
    questions = [json.dumps({"hand": v["hand"], "wild": v["wild"]}) for v in vectors]
    bad = ["", "{", "[" * 100_000, '"hand"', "null", '{"hand": ["\\ud800"]}']
    finished = subprocess.run(
        [sys.executable, "manage.py", "hand", "arrange"],
        input="".join(f"{line}\n" for line in bad + questions),
        capture_output=True,
        text=True,
        cwd=VECTORS.parents[1],
        check=False,
    )
    replies = [json.loads(line) for line in finished.stdout.splitlines()]
    # Invalid lines do not end the command.
    assert all("error" in reply for reply in replies[: len(bad)])
    assert len(replies) - len(bad) == len(vectors) == 400
    for vector, reply in zip(vectors, replies[len(bad) :], strict=True):
        assert reply["points"] == vector["points"]
        cards = [*chain(*reply["groups"]), *reply["loose"], *filter(None, [reply["discard"]])]
        assert sorted(cards) == sorted(vector["hand"])
        assert reply["declarable"] is (reply["points"] == 0 and not reply["loose"])


def test_the_command_serves_other_games(monkeypatch, capsys):
    question = json.dumps({"hand": TEN}).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(question)))
    call_command("hand", "arrange", "--game", "gin")
    assert json.loads(capsys.readouterr().out)["points"] == 10
    with pytest.raises(CommandError, match="gin is asked arrange, defend, score"):
        call_command("hand", "check", "--game", "gin")
