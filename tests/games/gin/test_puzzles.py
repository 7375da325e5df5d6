"""Puzzles of gin: exact arrangements, and decisions whose answer is better by far."""

import random
from collections import Counter

import pytest

from bench.play import bot, record_deal
from games.analysis import puzzles as common
from games.analysis.puzzles import Bar, Looks
from games.cards import CARDS, FACE_TEXT, parse_face
from games.engine.game import BadAnswer
from games.gin.game import GAME
from games.gin.lab import puzzles
from games.gin.lab.analysis.reading import situations
from games.gin.lab.puzzles import KINDS, PUZZLES, GinPuzzles
from games.gin.rules.melding import least_after_discard, mask_of
from tests.games.gin.exhaustive import least_deadwood

QUICK = GinPuzzles(Looks(first=4, second=4, last=12, looked_at=20, answered=20))
# Two cards go with a set as well as with a run.
HAND = ["4S", "5S", "6S", "4H", "5H", "6H", "4D", "5D", "KC", "QC"]


def record_of(number, rules="points"):
    choosers = [bot(GAME, "medium", f"{number}/{seat}") for seat in range(2)]
    preset = GAME.rules.preset(rules)
    return record_deal(
        GAME, preset, f"puzzle/{number}", 2, lambda _state, view, seat: choosers[seat](view, seat)
    )


@pytest.fixture(scope="module")
def records():
    return [record_of(number) for number in range(1, 9)]


@pytest.fixture
def easily(monkeypatch):
    """Any difference is a clear one: few worlds do for the shape of a puzzle."""
    monkeypatch.setattr(common, "STANDARD_ERRORS", 0)
    easy = Bar(hopeful=(0.0, 0.0), least=0.01, largest=1_000, most_right=1)
    monkeypatch.setattr(puzzles, "BARS", dict.fromkeys(puzzles.BARS, easy))
    monkeypatch.setattr(puzzles, "_LEAST_DOUBT", 0)


@pytest.mark.usefixtures("easily")
def test_an_arrangement_is_a_hand_of_ten_and_right_by_its_own_answer(records):
    found = [PUZZLES.find(record, "arrange", rng=random.Random(1)) for record in records]
    made = [puzzle for puzzle in found if puzzle is not None]
    assert made
    for puzzle in made:
        task, solution = puzzle["task"], puzzle["solution"]
        cards = [card for group in solution["groups"] for card in group["cards"]]
        assert Counter(task["hand"]) == Counter([*cards, *solution["loose"]])
        assert len(task["hand"]) == 10
        assert solution["points"] == least_deadwood(
            [CARDS[parse_face(one)] for one in task["hand"]]
        )
        answer = "|".join(" ".join(group["cards"]) for group in solution["groups"])
        said = PUZZLES.judge("arrange", task, solution, answer)
        assert said == {"right": True, "loss": 0.0, "points": solution["points"]}


@pytest.mark.parametrize(
    ("answer", "points"),
    [
        ("4S 5S 6S|4H 5H 6H", 29),  # 4 + 5 of diamonds, ten each for king and queen (G7)
        ("4S 4H 4D|5S 5H 5D", 32),
        ("4S 5S 6S|4H 5H 6D", None),
        ("4S 5S|4H 5H 6H", 44),  # two cards are no meld: they count (G6)
        ("", 59),
    ],
)
def test_g6_g7_what_lies_in_no_meld_counts(answer, points):
    task, solution = {"hand": HAND}, {"points": 29}
    if points is None:
        with pytest.raises(BadAnswer):
            PUZZLES.judge("arrange", task, solution, answer)
        return
    said = PUZZLES.judge("arrange", task, solution, answer)
    assert said == {"right": points == 29, "loss": float(points - 29), "points": points}


@pytest.mark.usefixtures("easily")
@pytest.mark.parametrize("kind", ["pick", "discard", "knock"])
def test_a_decision_offers_every_answer_and_its_loss(records, kind):
    chances = [(record, seed) for record in records for seed in (1, 2)]
    found = [QUICK.find(record, kind, rng=random.Random(seed)) for record, seed in chances]
    made = [puzzle for puzzle in found if puzzle is not None]
    assert made
    for puzzle in made:
        task, solution = puzzle["task"], puzzle["solution"]
        answers = [option["answer"] for option in solution["options"]]
        losses = [option["loss"] for option in solution["options"]]
        assert losses == sorted(losses)
        assert solution["right"] == answers[:1]
        if kind == "discard":
            # At most the card just taken from the open pile may not be thrown (G5).
            assert len(set(task["hand"]) - set(answers)) <= 1
            assert set(answers) <= set(task["hand"])
        else:
            assert set(answers) == set(KINDS[kind].answers)
        assert len(task["hand"]) == (10 if kind == "pick" else 11)
        for option in solution["options"]:
            said = PUZZLES.judge(kind, task, solution, option["answer"])
            assert said == {"right": option["answer"] in solution["right"], "loss": option["loss"]}
        with pytest.raises(BadAnswer):
            PUZZLES.judge(kind, task, solution, "no")
    assert any(option["reasons"] for puzzle in made for option in puzzle["solution"]["options"])


@pytest.mark.usefixtures("easily")
def test_the_points_of_a_knock_are_those_of_its_best_laying(records):
    """G7: what is left of the hand after the best discard, within the limit."""
    made = [
        QUICK.find(record, "knock", rng=random.Random(seed))
        for record in records
        for seed in (1, 2)
    ]
    tasks = [puzzle["task"] for puzzle in made if puzzle is not None]
    assert tasks
    for task in tasks:
        cards = [FACE_TEXT.index(face) for face in task["hand"]]
        hand = mask_of(cards)
        assert task["points"] == least_after_discard(hand)
        assert 0 < task["points"] <= 10


def test_where_spades_count_double_the_suits_are_not_alike(records):
    record = records[0]
    doubled = {**record, "rules": {**record["rules"], "spades_double": True, "oklahoma": True}}
    for kind in KINDS:
        assert PUZZLES.find(doubled, kind, rng=random.Random(1)) is None


@pytest.mark.usefixtures("easily")
def test_the_same_chance_finds_the_same_puzzle_and_another_one_other_suits(records):
    first = QUICK.find(records[0], "discard", rng=random.Random(1))
    assert first is not None
    assert QUICK.find(records[0], "discard", rng=random.Random(1)) == first
    assert any(
        QUICK.find(records[0], "discard", rng=random.Random(seed)) != first for seed in range(2, 5)
    )


def test_a_late_position_is_none(records):
    record = records[0]
    number = next(n for n, step in enumerate(record["steps"]) if step["move"]["kind"] == "discard")
    situation = common.before(situations(record), number)
    situation.position.turns[situation.position.turn] = 7
    assert puzzles._options(situation, "discard") == ()
