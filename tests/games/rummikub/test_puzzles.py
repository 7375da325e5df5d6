"""Puzzles of Rummikub: the most tiles that can be laid from a rack by rearranging the table."""

import random
from collections import Counter

import pytest

from games.engine.game import BadAnswer
from games.rummikub.game import GAME
from games.rummikub.lab.puzzles import PUZZLES
from tests.effort import share_of
from tests.games.test_puzzles import record_of

RULES = {
    name: value
    for name, value in GAME.rules.json(GAME.rules.preset("points")).items()
    if name != "name"
}
# A run and a group are on the table. The six extends the run; the group's nine completes a run of 7C 8C.
TASK = {
    "rules": RULES,
    "tiles": True,
    "table": [["3H", "4H", "5H"], ["9S", "9H", "9D", "9C"]],
    "hand": ["6H", "7C", "8C", "2D"],
}
SOLUTION = {"points": 3, "worth": 21}


@pytest.mark.parametrize(
    ("answer", "right", "loss", "own"),
    [
        ("3H 4H 5H 6H|9S 9H 9D|7C 8C 9C", True, 0.0, 3),
        ("9D 9H 9S|6H 5H 4H 3H|9C 8C 7C", True, 0.0, 3),
        ("3H 4H 5H 6H|9S 9H 9D 9C", False, 15.0, 1),
        ("3H 4H 5H 6H|9S 9H 9D 9C|7C 8C", False, 21.0, None),  # two tiles are not a meld
        ("3H 4H 5H 6H|7C 8C 9C", False, 21.0, None),  # K6: tiles of the table must stay on it
        ("3H 4H 5H|9S 9H 9D 9C", False, 21.0, None),  # nothing is laid
    ],
)
def test_a_table_is_judged_as_at_the_table(answer, right, loss, own):
    said = PUZZLES.judge("lay", TASK, SOLUTION, answer)
    assert said == {"right": right, "loss": loss, "own": own}


@pytest.mark.parametrize("answer", ["3H 4H 5H JH", "3H 3H 4H 5H", "3H||4H", "|"])
def test_answers_with_other_tiles_are_refused(answer):
    with pytest.raises(BadAnswer):
        PUZZLES.judge("lay", TASK, SOLUTION, answer)


def test_a_puzzle_needs_tiles_to_be_moved_and_its_solution_is_right():
    numbers = range(1, 1 + share_of(15))
    found = [
        PUZZLES.find(record_of("rummikub", number), "lay", rng=random.Random(1))
        for number in numbers
    ]
    made = [puzzle for puzzle in found if puzzle is not None]
    assert made
    for puzzle in made:
        task, solution = puzzle["task"], puzzle["solution"]
        groups = [group["cards"] for group in solution["groups"]]
        before = Counter(face for meld in task["table"] for face in meld)
        after = Counter(face for group in groups for face in group)
        assert after == before + Counter(task["hand"]) - Counter(solution["loose"])
        assert after.total() - before.total() == solution["points"] >= 2
        # The solution rearranges the table: adding to the old melds is not as good.
        assert not all(any(set(meld) <= set(group) for group in groups) for meld in task["table"])
        answer = "|".join(map(" ".join, groups))
        said = PUZZLES.judge("lay", task, solution, answer)
        assert said == {"right": True, "loss": 0.0, "own": solution["points"]}
        assert "PJ" not in before
