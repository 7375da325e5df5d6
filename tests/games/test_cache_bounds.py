"""The memory that games and bots keep between deals is bounded, as docs/bots.md says."""

import importlib
import json
import pkgutil
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import games
from games.registry import GAMES
from tests.effort import IS_FULL
from tests.games.deals_in_one_process import list_caches

ROOT = Path(__file__).resolve().parents[2]
MB = 1_000_000
MOST = 80 * MB
# The number of deals of each game without --full: a second or two of processor time.
DEALS = {"indian": 5, "gin": 30, "basic": 10, "contract": 1, "rummikub": 5}
# With fewer entries, the average size of an entry is not meaningful.
ENOUGH = 100


@cache
def read_bounds() -> dict[str, tuple[int, int]]:
    """Read the table in docs/bots.md: each cache with its number of entries and its bytes when full."""
    text = (ROOT / "docs/bots.md").read_text()
    rows = re.findall(r"^\| `([\w.]+)`[^|]*\| ([\d,]+) \| (\d+) \|$", text, re.M)
    return {
        f"games.{name}": (int(entries.replace(",", "")), int(most) * MB)
        for name, entries, most in rows
    }


def test_every_cache_is_in_the_table_with_its_entries():
    for module in pkgutil.walk_packages(games.__path__, "games."):
        importlib.import_module(module.name)
    found = {name: kept.cache_info().maxsize for name, kept in list_caches("games.")}
    assert found == {name: entries for name, (entries, _) in read_bounds().items()}


@pytest.mark.parametrize("code", GAMES)
def test_the_caches_of_a_game_together_stay_within_its_bound(code):
    own = [most for name, (_, most) in read_bounds().items() if name.split(".")[1] == code]
    assert sum(own) <= MOST


def play(code: str) -> dict[str, Any]:
    deals = str(500 if IS_FULL else DEALS.get(code, 5))
    done = subprocess.run(
        [sys.executable, "-m", "tests.games.deals_in_one_process", code, deals],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("code", GAMES)
def test_many_deals_in_one_process_stay_within_the_bounds(code):
    found = play(code)
    assert found["deals"] >= (500 if IS_FULL else DEALS.get(code, 5))
    assert found["grown"] <= MOST
    filled = {name: kept for name, kept in found["caches"].items() if kept[0]}
    assert filled
    for name, (entries, maximum, size) in filled.items():
        when_full = size / entries * maximum if entries >= ENOUGH else size
        assert when_full <= read_bounds()[name][1], (name, entries, size)


# Hands with each wild rank and with none, as many as a clock's bots see in a few hours.
MANY_DEALS = """
import random
from pathlib import Path
from games.indian.bots.distance import get_distances, shape_of

def megabytes():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) // 1024

before = megabytes()
chance = random.Random(5)
unseen = {face: 2 for face in range(53)}
for wild in (None, *range(1, 14)):
    known = get_distances(wild)
    for _ in range(40):
        hand = chance.sample(range(106), 13)
        known.find_helpful(shape_of(hand, wild), unseen)
print(megabytes() - before)
"""


def test_distances_of_many_deals_stay_within_their_bound():
    done = subprocess.run(
        [sys.executable, "-c", MANY_DEALS], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert 5 < int(done.stdout) <= MOST // MB
