"""Puzzles of basic rummy and Contract Rummy: which pile, which discard."""

import json
import random

import pytest

from bench.play import bot, record_deal
from games.analysis import laid_puzzles
from games.analysis import puzzles as common
from games.analysis.laid_puzzles import LaidPuzzles
from games.analysis.puzzles import Bar, Looks
from games.engine.game import BadAnswer
from games.registry import get_game
from tests.games.values import replace

GAMES = [("basic", "points"), ("contract", "single")]


def record_of(code, preset, number):
    game = get_game(code)
    choosers = [bot(game, "medium", f"{number}/{seat}") for seat in range(3)]
    return record_deal(
        game,
        game.rules.preset(preset),
        f"puzzle/{number}",
        3,
        lambda _state, view, seat: choosers[seat](view, seat),
    )


@pytest.fixture(scope="module")
def records():
    return {code: [record_of(code, preset, n) for n in range(1, 4)] for code, preset in GAMES}


@pytest.fixture
def easily(monkeypatch):
    """Any difference is a clear one: few worlds do for the shape of a puzzle."""
    monkeypatch.setattr(common, "STANDARD_ERRORS", 0)
    easy = Bar(hopeful=(0.0, 0.0), least=0.01, largest=1_000)
    monkeypatch.setattr(laid_puzzles, "BARS", dict.fromkeys(laid_puzzles.BARS, easy))


def quick(code) -> LaidPuzzles:
    offered = get_game(code).puzzles
    assert isinstance(offered, LaidPuzzles)
    return replace(offered, looks=Looks(first=3, second=3, last=10, looked_at=20, answered=20))


@pytest.mark.usefixtures("easily")
@pytest.mark.parametrize("code", [code for code, _preset in GAMES])
@pytest.mark.parametrize("kind", ["pick", "discard"])
def test_a_position_is_shown_as_its_seat_saw_it_and_every_answer_is_judged(records, code, kind):
    puzzles = quick(code)
    found = [
        puzzles.find(record, kind, rng=random.Random(n)) for n, record in enumerate(records[code])
    ]
    made = [puzzle for puzzle in found if puzzle is not None]
    assert made
    for puzzle in made:
        task, solution = puzzle["task"], puzzle["solution"]
        assert (task["players"], len(task["others"])) == (3, 2)
        assert 1 <= task["turn"] <= 6
        answers = [option["answer"] for option in solution["options"]]
        assert solution["right"] == answers[:1]
        assert len(answers) == len(set(answers))
        assert set(answers) <= ({"open", "closed"} if kind == "pick" else set(task["hand"]))
        losses = [option["loss"] for option in solution["options"]]
        assert losses == sorted(losses)
        for option in solution["options"]:
            said = puzzles.judge(kind, task, solution, option["answer"])
            assert said == {"right": option["answer"] == answers[0], "loss": option["loss"]}
        with pytest.raises(BadAnswer):
            puzzles.judge(kind, task, solution, "no")
        # No card is told with its pack, and nobody by a seat.
        assert '.0"' not in json.dumps(puzzle)
    assert any(option["reasons"] for puzzle in made for option in puzzle["solution"]["options"])


@pytest.mark.usefixtures("easily")
@pytest.mark.parametrize("code", [code for code, _preset in GAMES])
def test_what_was_thrown_is_told_by_who_threw_it(records, code):
    """The one to play, then the others in their order; what lies open is the last card thrown."""
    puzzles = quick(code)
    found = [
        puzzles.find(record, "pick", rng=random.Random(seed))
        for record in records[code]
        for seed in range(3)
    ]
    tasks = [
        puzzle["task"] for puzzle in found if puzzle is not None and puzzle["task"]["turn"] > 1
    ]
    assert tasks
    for task in tasks:
        assert len(task["threw"]) == task["turn"] - 1
        # The player before threw what lies open.
        assert task["others"][-1]["threw"][-1] == task["open"]


@pytest.mark.parametrize("code", [code for code, _preset in GAMES])
def test_a_late_position_and_one_with_something_to_lay_are_none(records, code):
    puzzles = quick(code)
    record = records[code][0]
    number = next(n for n, step in enumerate(record["steps"]) if step["move"]["kind"] == "discard")
    situation = common.before(puzzles.analysis.begin(record).steps(record), number)
    playouts = puzzles.analysis.playouts(situation, random.Random(1))
    assert laid_puzzles._options(situation, "pick", playouts)
    situation.lays = True
    assert laid_puzzles._options(situation, "discard", playouts) == ()
    situation.position.turns[situation.position.turn] = 7
    assert laid_puzzles._options(situation, "pick", playouts) == ()
