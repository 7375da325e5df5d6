"""A small run of `bin/bench collusion` (docs/fair-play.md)."""

import subprocess
import sys
from collections import Counter
from itertools import islice

import pytest

from bench.colluders import Player, play_deal, traces_of
from bench.collusion import HONEST, compute_interval, generate_rounds, world_of


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(5, 5, 0.4782, 1), (0, 370, 0, 0.0099), (10, 10, 0.6915, 1), (3, 20, 0.0321, 0.3789)],
)
def test_intervals_are_those_of_clopper_and_pearson(count, total, low, high):
    assert compute_interval(count, total) == pytest.approx((low, high), abs=0.0001)


def test_the_world_has_honest_friends_and_every_kind_of_colluders():
    world = world_of(200, seed=1)
    sorts = Counter(world.sorts.values())
    assert sorts.pop(HONEST) == 50
    assert len(sorts) == 9
    assert set(sorts.values()) == {5, 6}
    assert [len(club) for club in world.clubs] == [10] * 10
    for pair, sort in world.sorts.items():
        assert ({world.players[user].partner for user in pair} == {0}) is (sort == HONEST)


@pytest.mark.parametrize("seats", [4, 6])
def test_pairs_meet_in_one_round_and_sit_apart_in_the_next(seats):
    world = world_of(60, seed=2)
    for number, tables in enumerate(islice(generate_rounds(world, 2, seats), 4)):
        met: Counter[tuple[int, int]] = Counter()
        apart: Counter[int] = Counter()
        for table in tables:
            users = {player.user for player in table}
            assert len(users) == seats
            pairs = [pair for pair in world.sorts if set(pair) <= users]
            met.update(pairs)
            if not pairs:
                apart.update(users)
        assert set(met) == set(world.sorts)
        assert set(apart) == (set(world.players) if number % 2 else set())


def test_a_dumping_bot_gives_away_twice_as_much():
    dumper = Player(1, "medium", partner=2, dumps=1.0)
    honest = Player(1, "medium")
    others = [Player(user, "medium") for user in (2, 3, 4)]
    lost = {}
    for name, first in (("dumper", dumper), ("honest", honest)):
        rows = []
        for number in range(6):
            table = [first, *others]
            rows += traces_of(number, table, play_deal(table, f"dump/{number}"))
        lost[name] = sum(row.sums.loss for row in rows if (row.giver, row.taker) == (1, 2))
    assert lost["dumper"] > 2 * lost["honest"]


def test_a_small_run_prints_the_same_tables_when_read_again(tmp_path):
    kept = tmp_path / "traces.jsonl"
    sizes = ["--bots", "8", "--meetings", "4", "--seed", "5"]
    command = [sys.executable, "-m", "bench.collusion", *sizes]
    told, again = (
        subprocess.run(
            [*command, "--keep", str(kept)], capture_output=True, text=True, check=True, timeout=300
        ).stdout
        for _time in range(2)
    )
    assert "4 matches together" in told
    assert f"| {HONEST} | 0 of 2 | 0.0% to 84.2% |" in told
    assert "| feeding, full |" in told
    assert "all not colluding" in told
    assert "tracing one: median" in told
    assert "tracing one: median" not in again
    tables = [
        [line for line in text.splitlines() if line.startswith("| ")] for text in (told, again)
    ]
    assert tables[0] == tables[1]
    assert len(tables[0]) >= 5
