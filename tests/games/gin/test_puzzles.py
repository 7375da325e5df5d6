"""Puzzles of gin: exact arrangements and clear decisions."""

import random

import pytest

from games.analysis import puzzles as common
from games.engine.game import BadAnswer
from games.gin.lab.puzzles import KINDS, PUZZLES
from tests.games.test_puzzles import records_of

# Two cards fit both a set and a run.
HAND = ["4S", "5S", "6S", "4H", "5H", "6H", "4D", "5D", "KC", "QC"]


@pytest.mark.parametrize(
    ("answer", "points"),
    [
        ("4S 5S 6S|4H 5H 6H", 29),  # 4 + 5 of diamonds, ten each for king and queen (G7)
        ("4S 4H 4D|5S 5H 5D", 32),
        ("4S 5S 6S|4H 5H 6D", None),
        ("4S 5S|4H 5H 6H", 44),  # two cards are no meld, so they count (G6)
        ("", 59),
    ],
)
def test_g6_g7_cards_outside_melds_count(answer, points):
    task, solution = {"hand": HAND}, {"points": 29}
    if points is None:
        with pytest.raises(BadAnswer):
            PUZZLES.judge("arrange", task, solution, answer)
        return
    said = PUZZLES.judge("arrange", task, solution, answer)
    assert said == {"right": points == 29, "loss": float(points - 29), "points": points}


def test_no_puzzle_comes_from_a_deal_in_which_spades_count_double():
    record = records_of("gin")[0]
    doubled = {**record, "rules": {**record["rules"], "spades_double": True, "oklahoma": True}}
    for kind in KINDS:
        assert PUZZLES.find(doubled, kind, rng=random.Random(1)) is None


def test_a_late_position_makes_no_puzzle():
    record = records_of("gin")[0]
    number = next(n for n, step in enumerate(record["steps"]) if step["move"]["kind"] == "discard")
    situation = common.find_situation(PUZZLES.analysis.read_situations(record), number)
    situation.position.turns[situation.position.turn] = 7
    assert PUZZLES.list_options(situation, "discard", None) == ()
