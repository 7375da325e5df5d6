"""R8.3 to R8.6: the parts of a split prize."""

import pytest

from games.engine.base import divide
from games.indian.rules.ruleset import POINTS, PRESETS
from games.indian.rules.scoring import Survivor, are_few_enough, count_drops_left, split_parts
from tests.games.values import replace
from tests.games.vectors import load_json

POOL_101 = PRESETS["pool101"]


@pytest.mark.parametrize("vector", load_json("drops_left.json"), ids=str)
def test_r8_3_drops_left(vector):
    rules = PRESETS[f"pool{vector['limit']}"]
    assert rules.first_drop == vector["first_drop"]
    assert count_drops_left(vector["score"], rules) == vector["drops_left"]


def test_r8_3_drops_left_when_the_limit_itself_does_not_eliminate():
    rules = replace(POOL_101, elimination_inclusive=False)
    assert [count_drops_left(score, rules) for score in (80, 81, 82)] == [1, 1, 0]
    assert [count_drops_left(score, POOL_101) for score in (80, 81, 101, 110)] == [1, 0, 0, 0]


def test_r8_3_no_drops_are_left_without_a_limit_or_drop_points():
    assert count_drops_left(0, POINTS) == 0
    assert count_drops_left(0, replace(POOL_101, first_drop=None, middle_drop=None)) == 0


def make_scores(drops):
    """Return survivors with these numbers of drops left: 100 - 20 for each."""
    return [Survivor(seat, 100 - 20 * count) for seat, count in enumerate(drops)]


@pytest.mark.parametrize("vector", load_json("splits.json"), ids=str)
def test_r8_5_published_amounts(vector):
    survivors = make_scores(vector["drops"])
    parts = split_parts(survivors, POOL_101, entries=vector["entries"])
    assert parts is not None
    shares = divide(vector["pool"], parts)
    assert [shares[survivor.seat] for survivor in survivors] == vector["shares"]
    assert sum(shares.values()) == vector["pool"]


@pytest.mark.parametrize(
    ("drops", "entries", "possible"),
    [((4, 0), 5, True), ((4, 0), 4, False), ((2, 2, 0), 5, True), ((2, 2, 0), 4, False)],
)
def test_r8_5_a_split_must_leave_at_least_one_entry_to_share(drops, entries, possible):
    parts = split_parts(make_scores(drops), POOL_101, entries=entries)
    assert (parts is not None) is possible


def test_r8_5_only_drops_above_the_fewest_are_worth_more():
    # Six entries; three drops and one: two more are worth two entries, four are shared.
    assert split_parts(make_scores((3, 1)), POOL_101, entries=6) == {0: 8, 1: 4}
    assert split_parts(make_scores((2, 2)), POOL_101, entries=4) == {0: 4, 1: 4}


def test_r8_5_odd_units_go_to_more_drops_then_the_lower_score_then_the_lower_seat():
    survivors = [Survivor(0, 90), Survivor(1, 60), Survivor(2, 90), Survivor(3, 85)]
    parts = split_parts(survivors, POOL_101, entries=6)
    assert parts is not None
    assert list(parts) == [1, 3, 0, 2]
    assert divide(103, {1: 1, 3: 1, 0: 1, 2: 1}) == {1: 26, 3: 26, 0: 26, 2: 25}


@pytest.mark.parametrize(
    ("began", "left", "possible"),
    [
        (6, 3, True),
        (6, 2, True),
        (4, 3, True),
        (4, 2, True),
        (6, 4, False),
        (3, 2, True),
        (3, 3, False),
        (2, 2, False),
        (5, 1, False),
    ],
)
def test_r8_4_a_split_needs_few_enough_survivors(began, left, possible):
    assert are_few_enough(POOL_101, began=began, left=left) is possible
    anyhow = replace(POOL_101, split_began="any")
    assert are_few_enough(anyhow, began=began, left=left) is (left in (2, 3))


@pytest.mark.parametrize(("rest", "possible"), [(0, True), (1, False), (2, False)])
def test_r8_5_the_rest_to_share_is_a_rule(rest, possible):
    """Drops take six of six entries, so nothing is left for a player without drops."""
    survivors = [Survivor(0, 100), Survivor(1, 40), Survivor(2, 40)]
    parts = split_parts(survivors, replace(POOL_101, split_rest=rest), entries=6)
    assert parts == ({1: 9, 2: 9, 0: 0} if possible else None)
