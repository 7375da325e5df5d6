"""Simulated matches: the same seed gives the same matches, and the sums agree."""

import io
import re

import pytest
from django.core.management import CommandError, call_command

from games.indian.rules.ruleset import PRESETS
from games.registry import get_game
from games.simulation import simulate_duplicates

INDIAN = get_game("indian")


def run_simulation(*arguments: str) -> str:
    out = io.StringIO()
    call_command("simulate", *arguments, stdout=out)
    return out.getvalue()


def test_the_output_is_determined_by_the_seed():
    arguments = ("--format", "pool61", "--seats", "2", "--matches", "2", "--seed")
    first, second, other = (
        run_simulation(*arguments, seed).splitlines()[:-1] for seed in ("7", "7", "8")
    )
    assert first == second
    assert first[1:] != other[1:]


def test_a_simulation_prints_its_results():
    lines = run_simulation("--matches", "3", "--strengths", "easy,medium").splitlines()
    assert lines[0] == "points, 2 seats, seed 1"
    assert [line.split()[:2] for line in lines[2:4]] == [["0", "easy"], ["1", "medium"]]
    assert lines[4].startswith("3 matches (0 shared), 3 deals (1.00 a match), ")
    assert re.fullmatch(r"[\d,]+ moves/s", lines[5])


def test_a_ladder_plays_each_strength_against_the_next_lower_one():
    lines = run_simulation("--ladder", "--matches", "3", "--seed", "7").splitlines()
    players = [line.split()[:2] for line in lines if "%" in line and " against " not in line]
    assert players == [
        ["0", "hard"],
        ["1", "medium"],
        ["0", "medium"],
        ["1", "easy"],
    ]
    shares = [line for line in lines if " against " in line]
    assert [line.split(":")[0] for line in shares] == [
        "hard against medium",
        "medium against easy",
    ]
    alone = run_simulation(
        "--strengths", "hard,medium", "--matches", "3", "--seed", "7"
    ).splitlines()
    assert lines[: len(alone) - 1] == alone[:-1]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--strengths", "easy,genius"),
        ("--seats", "7"),
        ("--format", "whist"),
        ("--game", "whist"),
        ("--game", "gin", "--format", "pool101"),
        ("--game", "gin", "--seats", "3"),
        ("--seats", "2", "--strengths", "easy,easy,easy"),
        ("--strengths", "easy,easy,easy,easy,easy,easy,easy"),
        ("--matches", "0"),
        ("--ladder", "--seats", "4"),
        ("--ladder", "--strengths", "hard"),
    ],
)
def test_invalid_simulations_are_refused(arguments):
    with pytest.raises(CommandError):
        run_simulation(*arguments)


def test_duplicates_have_the_same_cards_in_every_seat():
    """Equal players get equal results, since each of them plays every hand."""
    compared = simulate_duplicates(
        INDIAN, rules=PRESETS["points"], strengths=("medium", "easy", "easy"), matches=3, seed=2
    )
    medium, easy = compared["medium"], compared["easy"]
    assert (medium.played, easy.played) == (9, 18)
    assert len(medium.nets) == len(easy.nets) == 3
    assert medium.wins + easy.wins == pytest.approx(9)
    for one, other in zip(medium.nets, easy.nets, strict=True):
        assert one + 2 * other == pytest.approx(0)  # the points won and lost balance
    assert medium.margin > 0


def test_duplicates_of_a_pool_are_counted_in_entries():
    compared = simulate_duplicates(
        INDIAN, rules=PRESETS["pool61"], strengths=("medium", "easy"), matches=1, seed=2
    )
    assert sum(outcome.net for outcome in compared.values()) == pytest.approx(0)
    assert all(-1 <= outcome.net <= 1 for outcome in compared.values())


def test_duplicates_are_printed_with_their_interval():
    lines = run_simulation(
        "--duplicate", "--strengths", "medium,easy", "--matches", "3"
    ).splitlines()
    assert lines[0] == "points, 2 seats, seed 1"
    line = r"(medium|easy) +[+-]\d+\.\d\d ± \d+\.\d\d points a match, \d+\.\d% won of 6"
    assert [bool(re.fullmatch(line, text)) for text in lines[1:]] == [True, True]
