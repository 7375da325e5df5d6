"""R8.3 to R8.6: the shares of a split prize."""

import pytest

from games.engine.base import divide
from games.indian.rules.ruleset import POINTS, PRESETS
from games.indian.rules.scoring import Survivor, count_drops_left, split_parts
from tests.games.values import replace
from tests.games.vectors import load_json

POOL_101 = PRESETS["pool101"]


@pytest.mark.parametrize("vector", load_json("drops_left.json"), ids=str)
def test_r8_3_drops_left(vector):
    rules = PRESETS[f"pool{vector['limit']}"]
    assert rules.first_drop == vector["first_drop"]
    assert count_drops_left(vector["score"], rules) == vector["drops_left"]


def test_r8_3_no_drops_are_left_without_a_limit_or_drop_points():
    assert count_drops_left(0, POINTS) == 0
    assert count_drops_left(0, replace(POOL_101, first_drop=None, middle_drop=None)) == 0


@pytest.mark.parametrize("vector", load_json("splits.json"), ids=str)
def test_r8_5_published_amounts(vector):
    survivors = [Survivor(seat, 100 - 20 * count) for seat, count in enumerate(vector["drops"])]
    parts = split_parts(survivors, POOL_101, entries=vector["entries"])
    assert parts is not None
    shares = divide(vector["pool"], parts)
    assert [shares[survivor.seat] for survivor in survivors] == vector["shares"]
    assert sum(shares.values()) == vector["pool"]
