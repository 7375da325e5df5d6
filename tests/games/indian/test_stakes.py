"""R10.11: a point moves several chips, and players bring stacks of their own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.base import InvalidRules
from games.engine.state import Stage
from games.indian.game import GAME
from games.indian.rules import ruleset
from games.indian.rules.ruleset import PRESETS, parse_rules, rules_changes, rules_json
from tests.games.indian.scenes import NOW, SEED, expire, scene
from tests.games.indian.test_deals import won_by_declaring
from tests.games.indian.test_qualifying import HANDS
from tests.games.values import replace

RULES = ruleset.for_event(PRESETS["deals2"], deals=2, qualifiers=3)


def test_a_point_moves_as_many_chips_as_are_staked():
    match = scene(*HANDS, rules=replace(RULES, point_chips=4))
    match = won_by_declaring(match)
    assert {s.seat: s.chips for s in expire(match).standings} == {
        0: 160 + 600,
        1: 160 - 280,
        2: 160 - 320,
    }


def test_everybody_begins_with_their_own_stack():
    rules = ruleset.at_stake(RULES, point_chips=2, stacks=(500, 40, 0))
    match = GAME.core.start(rules=rules, seats=(0, 1, 2), toss=True, seed=SEED, now=NOW).state
    assert {s.seat: s.chips for s in match.standings} == {0: 500, 1: 40, 2: 0}
    assert GAME.stored.load(GAME.stored.dump(match)) == match


def test_a_seat_without_a_stack_is_no_seat_of_the_table():
    rules = ruleset.at_stake(RULES, point_chips=2, stacks=(500, 40))
    with pytest.raises(InvalidRules):
        GAME.core.start(rules=rules, seats=(0, 1, 2), toss=False, seed=SEED, now=NOW)


def test_such_rules_survive_their_json():
    rules = ruleset.at_stake(RULES, point_chips=3, stacks=(500, 40))
    assert parse_rules(rules_json(rules)) == rules
    assert parse_rules(rules_changes(rules)) == rules
    assert rules_changes(rules)["stacks"] == [500, 40]
    assert rules.name == "deals2"
    assert GAME.money.title_of(rules).values == {"deals": 2, "stake": 3}


@pytest.mark.parametrize(
    "wrong",
    [
        {"point_chips": 0},
        {"point_chips": "2"},
        {"point_chips": True},
        {"stacks": [1]},
        {"stacks": [1, -1]},
        {"stacks": ["1", 2]},
        {"stacks": [True, 2]},
        {"stacks": 80},
        {"stacks": None},
        {"stacks": [1] * 7},
    ],
)
def test_rubbish_is_refused(wrong):
    with pytest.raises(InvalidRules):
        parse_rules({"name": "deals2", **wrong})


@pytest.mark.parametrize("name", ["points", "pool101"])
def test_points_for_money_and_scores_have_no_stake_in_chips(name):
    for staked in ({"point_chips": 2}, {"stacks": [80, 80]}):
        with pytest.raises(InvalidRules):
            parse_rules({"name": name, **staked})


@given(
    st.lists(st.integers(0, 10_000), min_size=3, max_size=3),
    st.integers(1, 50),
    st.integers(1, 3),
)
def test_the_chips_of_a_table_stay_the_same_in_all(stacks, stake, places):
    rules = ruleset.at_stake(replace(RULES, qualifiers=places), point_chips=stake, stacks=stacks)
    match = scene(*HANDS, rules=rules)
    match = match.with_standings(
        replace(standing, chips=stacks[standing.seat]) for standing in match.standings
    )
    after = expire(won_by_declaring(match))
    assert after.stage is Stage.BETWEEN
    assert sum(standing.chips for standing in after.standings) == sum(stacks)
    assert {s.seat: s.chips for s in after.standings}[0] == stacks[0] + 150 * stake
