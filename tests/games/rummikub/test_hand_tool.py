"""Questions about tables and racks, as `manage.py hand --game rummikub` answers them."""

import json

import pytest

from games.rummikub.lab import hand_tool


def ask(question, **fields):
    return json.loads(hand_tool.answer(question, json.dumps(fields)))


def check(before, after, rack, *, initial_met=True, **fields):
    asked = {"before": before, "after": after, "rack": rack, "initial_met": initial_met, **fields}
    return ask("check", **asked)


RUN = ["5H", "6H", "7H"]


def test_a_lay_is_checked():
    reply = check([RUN], [[*RUN, "8H"]], ["8H", "2C"])
    assert reply == {"valid": True, "reason": None, "points": 8}


@pytest.mark.parametrize(
    ("after", "rack", "reason"),
    [
        ([RUN], ["8H"], "nothing_laid"),
        ([["6H", "7H", "8H"]], ["8H"], "tiles_missing"),
        ([[*RUN, "8H"]], ["9H"], "card_not_held"),
        ([RUN, ["8H", "9H"]], ["8H", "9H"], "table_not_valid"),
        ([], ["8H"], "tiles_missing"),
    ],
)
def test_k6_a_table_that_is_none(after, rack, reason):
    reply = check([RUN], after, rack)
    assert (reply["valid"], reply["reason"]) == (False, reason)


def test_k7_the_initial_meld_is_asked_of_who_has_not_met_it():
    kings = ["KS", "KH", "KD"]
    reply = check([], [kings], kings, initial_met=False)
    assert reply == {"valid": False, "reason": "below_initial_meld", "points": 39}
    assert check([], [kings], kings, initial_met=False, ruleset="sabra30")["valid"] is True
    assert check([], [kings], kings, initial_met=False, rules={"initial_meld": 39})["valid"] is True
    assert check([], [kings], kings)["valid"] is True


def test_k7_twins_are_interchangeable():
    """The ten of hearts of the run may be that of the rack, wherever the other one lies."""
    before = [["TH", "TS", "TD"]]
    after = [["TS", "TD", "TH"], ["TH", "JH", "QH", "KH"], ["4S", "4H", "4D"]]
    rack = ["TH", "JH", "QH", "KH", "4S", "4H", "4D"]
    assert check(before, after, rack, initial_met=False)["points"] == 58
    assert check(before, after, rack, initial_met=False)["valid"] is True


def test_k10_a_joker_is_freed():
    before = [{"cards": ["4H", "PJ", "6H"], "as": ["4H", "5H", "6H"]}]
    freed = {"cards": ["KS", "KD", "PJ"], "as": ["KS", "KD", "KC"]}
    after = [["4H", "5H", "6H"], freed]
    assert check(before, after, ["5H", "KS", "KD"]) == {"valid": True, "reason": None, "points": 31}
    frozen = check(before, [["4H", "6H", "5H"], freed], ["5H", "KS", "KD"], initial_met=False)
    assert frozen["valid"] is False


def test_points_count_a_laid_joker_as_its_tile():
    after = [{"cards": ["9S", "PJ", "JS"], "as": ["9S.0", "TS", "JS"]}]
    assert check([], after, ["9S", "JS", "PJ"])["points"] == 30
    assert check([], [["9S", "PJ", "JS"]], ["9S", "JS", "PJ"])["points"] == 30


def test_the_best_lay_is_told():
    reply = ask("lay", table=[RUN], rack=["8H", "9H", "2C"], initial_met=True)
    run = ["5H", "6H", "7H", "8H", "9H"]
    assert reply == {"tiles": 2, "points": 17, "table": [{"cards": run, "as": run}]}
    reply = ask("lay", table=[RUN], rack=["2C"], initial_met=True)
    assert reply == {"tiles": 0, "points": 0, "table": [{"cards": RUN, "as": RUN}]}
    reply = ask("lay", table=[], rack=["KS", "KH", "KD"], initial_met=False)
    assert reply == {"tiles": 0, "points": 0, "table": []}


def test_tiles_with_their_packs():
    reply = check(
        [["5H.1", "6H", "7H"]], [["5H.1", "6H", "7H"], ["5H.0", "5S", "5D"]], ["5H", "5S", "5D"]
    )
    assert reply["valid"] is True


def test_k15_a_rack_is_counted():
    assert ask("count", rack=["PJ", "KS", "AS"]) == {"points": 44}
    assert ask("count", rack=[]) == {"points": 0}


@pytest.mark.parametrize(
    ("question", "fields", "words"),
    [
        ("check", {}, "after is missing"),
        ("count", {"rack": [], "luck": 1}, "no field 'luck'"),
        ("count", {"rack": "5H"}, "Tiles are a list"),
        ("count", {"rack": [5]}, "unknown card"),
        ("count", {"rack": ["5X"]}, "unknown card"),
        ("count", {"rack": ["5H.7"]}, "unknown card"),
        ("count", {"rack": ["5H", "5H", "5H"]}, "5H is there too often"),
        ("count", {"rack": ["5H.0", "5H.0"]}, "too often"),
        ("count", {"rack": [], "ruleset": "whist"}, "no rule set"),
        ("count", {"rack": [], "ruleset": []}, "no rule set"),
        ("count", {"rack": [], "rules": []}, "object of fields"),
        ("count", {"rack": [], "rules": {"luck": 1}}, "no rule 'luck'"),
        ("lay", {"table": [], "rack": [], "initial_met": 1}, "true or false"),
        ("lay", {"table": {}, "rack": [], "initial_met": True}, "list of melds"),
        ("lay", {"table": [["5H", "6H"]], "rack": [], "initial_met": True}, "is no meld"),
        ("lay", {"table": [[]], "rack": [], "initial_met": True}, "A meld has tiles"),
        ("lay", {"table": ["5H"], "rack": [], "initial_met": True}, "A meld is a list"),
        ("lay", {"table": [{"as": []}], "rack": [], "initial_met": True}, "A meld is a list"),
        ("lay", {"table": [{"cards": RUN, "as": ["5H"]}], "rack": [], "initial_met": True}, "each tile"),
        ("lay", {"table": [{"cards": RUN, "as": [5, 6, 7]}], "rack": [], "initial_met": True}, "unknown"),
        ("lay", {"table": [{"cards": RUN, "as": ["5H", "6H", "7X"]}], "rack": [], "initial_met": True}, "unknown"),
        ("lay", {"table": [{"cards": RUN, "as": ["5H", "6H", "PJ"]}], "rack": [], "initial_met": True}, "stands for"),
        ("lay", {"table": [RUN, RUN], "rack": ["5H"], "initial_met": True}, "too often"),
        ("whist", {}, "no question"),
    ],
)  # fmt: skip
def test_what_cannot_be_answered(question, fields, words):
    assert words in ask(question, **fields)["error"]


@pytest.mark.parametrize(
    ("line", "words"), [("", "no JSON"), ("[" * 9_999, "no JSON"), ("[]", "object")]
)
def test_a_line_that_is_no_question(line, words):
    assert words in json.loads(hand_tool.answer("count", line))["error"]
