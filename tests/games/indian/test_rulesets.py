from random import Random

import pytest

from games.engine.base import InvalidRules
from games.engine.shares import divide
from games.indian.game import GAME
from games.indian.rules.moves import Leave
from games.indian.rules.ruleset import (
    POINTS,
    PRESETS,
    parse_rules,
    rules_changes,
    rules_json,
)
from tests.games.indian.driving import bot_view
from tests.games.values import replace


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_every_preset_survives_its_json(rules):
    assert parse_rules(rules_json(rules)) == rules
    assert parse_rules({"name": rules.name}) == rules
    assert rules_changes(rules) == {"name": rules.name}


def test_an_operator_changes_single_fields():
    changed = parse_rules({"name": "pool101", "turn_seconds": 20})
    assert changed == replace(PRESETS["pool101"], turn_seconds=20)
    assert rules_changes(changed) == {"name": "pool101", "turn_seconds": 20}


def test_a_game_names_its_rule_sets():
    assert GAME.rules.preset("pool61") is PRESETS["pool61"]
    with pytest.raises(InvalidRules):
        GAME.rules.preset("whist")
    assert GAME.rules.parse({"name": "deals2"}) == PRESETS["deals2"]


def test_r7_1_what_a_deal_may_cost_at_most():
    assert [GAME.money.largest_loss(PRESETS[name]) for name in ("points", "pool61")] == [80, 60]


@pytest.mark.parametrize("seats", [(), (0,), (0, 0), (0, 1, 2, 3, 4, 5, 6)])
def test_r1_1_two_to_six_play(seats):
    with pytest.raises(InvalidRules):
        GAME.core.start(rules=POINTS, seats=seats, toss=False, seed=bytes(32), now=0)


def test_r1_2_a_pack_is_too_small_for_many():
    with pytest.raises(InvalidRules):
        GAME.core.start(
            rules=replace(POINTS, packs=1),
            seats=tuple(range(6)),
            toss=False,
            seed=bytes(32),
            now=0,
        )


@pytest.mark.parametrize(
    ("name", "drops"),
    [
        ("points", (20, 40)),
        ("pool61", (15, 30)),
        ("pool101", (20, 40)),
        ("pool201", (25, 50)),
        ("deals2", (None, None)),
        ("deals3", (None, None)),
        ("deals6", (20, 40)),
    ],
)
def test_r5_2_drop_points(name, drops):
    rules = PRESETS[name]
    assert (rules.drop_points(has_drawn=False), rules.drop_points(has_drawn=True)) == drops


def test_r1_2_packs_by_table_size():
    assert [POINTS.packs_at(seats) for seats in range(2, 7)] == [2, 2, 2, 2, 2]
    junglee = PRESETS["junglee-points"]
    assert [junglee.packs_at(seats) for seats in range(2, 7)] == [1, 2, 2, 2, 2]


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"colour": "red"},
        {"packs": "2"},
        {"packs": True},
        {"packs": 1},
        {"packs": 5},
        {"packs_for_two": 0},
        {"max_set_size": 2},
        {"max_set_size": 4.0},
        {"lone_pure_sequence": "maybe"},
        {"turn_seconds": 0},
        {"first_drop": -1},
        {"deals": None},
        {"deals": 2, "elimination_score": 101},
        {"wild_twins": 1},
        {"name": None},
        {1: 2},
    ],
)
def test_rules_that_cannot_be_played_are_refused(data):
    with pytest.raises(InvalidRules):
        parse_rules(data)


@pytest.mark.parametrize(
    ("name", "format"),
    [("points", "POINTS"), ("pool61", "POOL"), ("pool201", "POOL"), ("deals2", "DEALS")],
)
def test_what_a_match_is_about(name, format):
    assert GAME.money.format_of(GAME.rules.preset(name)) == format
    assert name in tuple(GAME.rules.presets)
    with pytest.raises(InvalidRules):
        GAME.rules.preset("whist")


def test_r8_7_members_and_their_entries():
    match = GAME.core.start(
        rules=GAME.rules.preset("pool61"), seats=(4, 2, 5), toss=False, seed=bytes(32), now=0
    ).state
    assert match.seats == (4, 2, 5)
    assert GAME.core.status(match).fees == {4: 1, 2: 1, 5: 1}
    back = match.with_standings([match.standings[1].back_at(45)])
    assert GAME.core.status(back).fees == {4: 1, 2: 2, 5: 1}


def test_r8_7_the_last_one_left_is_given_the_whole_prize():
    match = GAME.core.start(
        rules=GAME.rules.preset("pool61"), seats=(4, 2), toss=False, seed=bytes(32), now=0
    ).state
    match = GAME.core.play(match, 4, Leave(), now=1, seed=bytes(32)).state
    result = GAME.core.status(match).result
    assert result is not None
    assert divide(101, result.shares) == {2: 101}


def test_a_bot_moves_through_the_game():
    match = GAME.core.start(rules=POINTS, seats=(0, 1), toss=False, seed=bytes(32), now=0).state
    move = GAME.bots(bot_view(match, 0), 0, strength="easy", rng=Random(1))
    assert GAME.wire.read(move) in GAME.core.legal(match, 0)
