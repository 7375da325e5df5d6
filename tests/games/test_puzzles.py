"""Puzzles of every game: positions as a seat saw them, and the judgement of answers."""

import json
import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from bench.play import bot, record_deal
from games.analysis import puzzles as common
from games.analysis.laid_puzzles import LaidPuzzles
from games.analysis.puzzles import Bar, Looks
from games.cards import CARDS, parse_face, read_cards, wild_rank
from games.engine.game import BadAnswer
from games.gin.lab import puzzles as of_gin
from games.gin.lab.puzzles import GinPuzzles
from games.gin.rules.melding import count_least_after_discard, mask_of
from games.indian.lab.puzzles.finding import IndianPuzzles
from games.indian.rules.ruleset import POINTS
from games.registry import get_game
from tests.games.gin.exhaustive import search_least_deadwood
from tests.games.indian.exhaustive import search_least
from tests.games.values import replace

# For each game: the preset, the seats, and the size of a hand in games without melds on the table.
PLAYED = {
    "indian": ("points", 2, 13),
    "gin": ("points", 2, 10),
    "basic": ("points", 3, None),
    "contract": ("single", 3, None),
}
LAID = ["basic", "contract"]
DECISIONS = [
    ("indian", "discard"),
    *(("gin", kind) for kind in ("pick", "discard", "knock")),
    *((code, kind) for code in LAID for kind in ("pick", "discard")),
]


def record_of(code: str, number: int, preset: str = "points", seats: int = 2) -> dict[str, Any]:
    game = get_game(code)
    choosers = [bot(game, "medium", f"{number}/{seat}") for seat in range(seats)]
    return record_deal(
        game,
        game.rules.preset(preset),
        f"puzzle/{number}",
        seats,
        lambda _state, view, seat: choosers[seat](view, seat),
    )


@cache
def records_of(code: str) -> list[dict[str, Any]]:
    """Return recorded deals of a game, which tests must not change."""
    preset, seats, _hand = PLAYED[code]
    return [record_of(code, n, preset, seats) for n in range(1, 4 if code in LAID else 9)]


@pytest.fixture
def easily(monkeypatch):
    """Accept any difference as clear, so that a few worlds are enough to make puzzles."""
    monkeypatch.setattr(common, "STANDARD_ERRORS", 0)
    monkeypatch.setattr(of_gin, "_LEAST_DOUBT", 0)
    for puzzles in (IndianPuzzles, GinPuzzles, LaidPuzzles):
        easy = {
            kind: Bar(hopeful=(0.0, 0.0), least=0.01, largest=1_000, most_right=bar.most_right)
            for kind, bar in puzzles.bars.items()
        }
        monkeypatch.setattr(puzzles, "bars", easy)


def make_quick(code: str) -> Any:
    looks = Looks(first=4, second=4, last=12, looked_at=20, answered=20)
    return replace(get_game(code).puzzles, looks=looks)


def find_puzzles(code: str, kind: str, seeds: int = 2) -> list[dict[str, Any]]:
    """Return the puzzles of this kind that the game's records yield. Fail if there are none."""
    puzzles = make_quick(code)
    found = [
        puzzles.find(record, kind, rng=random.Random(seed))
        for record in records_of(code)
        for seed in range(seeds)
    ]
    made = [puzzle for puzzle in found if puzzle is not None]
    assert made
    return made


# --- Decisions.


@pytest.mark.usefixtures("easily")
@pytest.mark.parametrize(("code", "kind"), DECISIONS)
def test_a_puzzle_shows_the_view_of_its_seat_and_judges_every_answer(code, kind):
    puzzles = make_quick(code)
    _preset, seats, size = PLAYED[code]
    found = find_puzzles(code, kind)
    for puzzle in found:
        task, solution = puzzle["task"], puzzle["solution"]
        assert 1 <= task["turn"] <= 6
        assert (task["players"], len(task["others"])) == (seats, seats - 1)
        assert size is None or len(task["hand"]) == size + (kind != "pick")
        answers = [option["answer"] for option in solution["options"]]
        assert len(answers) == len(set(answers))
        if kind == "discard":
            # Only the card just taken from the open pile may be missing from the answers.
            assert len(set(task["hand"]) - set(answers)) <= 1
            assert set(answers) <= set(task["hand"])
        else:
            assert set(answers) == set(puzzles.kinds[kind].answers)
        losses = [option["loss"] for option in solution["options"]]
        assert losses == sorted(losses)
        assert losses[0] == 0
        right = solution["right"]
        assert right == answers[: len(right)]
        assert 1 <= len(right) <= (2 if kind == "discard" and code != "gin" else 1)
        for option in solution["options"]:
            said = puzzles.judge(kind, task, solution, option["answer"])
            assert said == {"right": option["answer"] in right, "loss": option["loss"]}
        with pytest.raises(BadAnswer):
            puzzles.judge(kind, task, solution, "no")
        # No card is given with its pack.
        assert '.0"' not in json.dumps(puzzle)
    assert any(option["reasons"] for puzzle in found for option in puzzle["solution"]["options"])


@pytest.mark.usefixtures("easily")
@pytest.mark.parametrize("code", PLAYED)
def test_a_puzzle_is_determined_by_the_seed(code):
    puzzles = make_quick(code)

    def find(seed: int) -> Any:
        return puzzles.find(record, "discard", rng=random.Random(seed))

    record = next(
        one for one in records_of(code) if puzzles.find(one, "discard", rng=random.Random(1))
    )
    first = find(1)
    assert find(1) == first
    assert any(find(seed) != first for seed in range(2, 5))


@pytest.mark.usefixtures("easily")
@pytest.mark.parametrize("code", LAID)
def test_discards_are_listed_by_player(code):
    """The player to move is listed first, then the others in order. The open card is the latest discard."""
    tasks = [
        puzzle["task"]
        for puzzle in find_puzzles(code, "pick", seeds=3)
        if puzzle["task"]["turn"] > 1
    ]
    assert tasks
    for task in tasks:
        assert len(task["threw"]) == task["turn"] - 1
        # The open card was discarded by the previous player.
        assert task["others"][-1]["threw"][-1] == task["open"]


@pytest.mark.parametrize("code", LAID)
def test_late_positions_and_possible_lays_make_no_puzzle(code):
    puzzles = make_quick(code)
    assert isinstance(puzzles, LaidPuzzles)
    record = records_of(code)[0]
    number = next(n for n, step in enumerate(record["steps"]) if step["move"]["kind"] == "discard")
    situation = common.find_situation(puzzles.analysis.read_situations(record), number)
    playouts = puzzles.analysis.make_playouts(situation, random.Random(1))
    assert puzzles.list_options(situation, "pick", playouts)
    situation.lays = True
    assert puzzles.list_options(situation, "discard", playouts) == ()
    situation.position.turns[situation.position.turn] = 7
    assert puzzles.list_options(situation, "pick", playouts) == ()


@pytest.mark.usefixtures("easily")
def test_g7_the_points_of_a_knock_are_those_of_its_best_laying():
    """They are the hand's points after the best discard, and within the limit."""
    for puzzle in find_puzzles("gin", "knock"):
        task = puzzle["task"]
        hand = mask_of(CARDS[parse_face(face)] for face in task["hand"])
        assert task["points"] == count_least_after_discard(hand)
        assert 0 < task["points"] <= 10


# --- Arrangements.


def count_least_of_gin(task: dict[str, Any]) -> int:
    return search_least_deadwood([CARDS[parse_face(face)] for face in task["hand"]])


def count_least_of_indian(task: dict[str, Any]) -> int:
    [wild] = read_cards([task["wild"]])
    return search_least(read_cards(task["hand"]), wild_rank(wild), POINTS)


@pytest.mark.usefixtures("easily")
@pytest.mark.parametrize(
    ("code", "least"), [("indian", count_least_of_indian), ("gin", count_least_of_gin)]
)
def test_the_solution_of_an_arrangement_has_the_least_count(
    code: str, least: Callable[[dict[str, Any]], int]
) -> None:
    """Compared with an exhaustive search that shares no code with the solver (R6.2, G7)."""
    for puzzle in find_puzzles(code, "arrange", seeds=1):
        task, solution = puzzle["task"], puzzle["solution"]
        assert solution["points"] == least(task)
        assert len(task["hand"]) == PLAYED[code][2]
        groups = [group["cards"] for group in solution["groups"]]
        laid = [*(card for group in groups for card in group), *solution["loose"]]
        assert Counter(task["hand"]) == Counter(laid)
        answer = "|".join(map(" ".join, groups))
        said = make_quick(code).judge("arrange", task, solution, answer)
        assert said == {"right": True, "loss": 0.0, "points": solution["points"]}
