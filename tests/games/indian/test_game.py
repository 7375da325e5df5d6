"""What the game says to the table layer beside the course of play."""

import pytest

from games.engine.base import IllegalMove, InvalidRules, Text
from games.indian.game import GAME
from games.indian.lab.hand_help import HELP
from games.indian.rules import ruleset
from games.indian.rules.moves import Drop
from games.indian.rules.ruleset import POINTS, PRESETS
from tests.games.indian.scenes import (
    DECLARABLE,
    HOPELESS,
    NOW,
    act,
    expire,
    scene,
)
from tests.games.indian.test_deals import won_by_declaring
from tests.games.indian.test_offers import proposed
from tests.games.indian.test_pool import between, dropping, pool
from tests.games.values import replace

DEALS = PRESETS["deals2"]


def test_r5_1_who_plays_may_ask_for_a_drop_at_their_next_turn():
    match = scene(HOPELESS, DECLARABLE, HOPELESS)
    assert [GAME.core.deferrable(match, seat) for seat in (0, 1, 2)] == [(Drop(),)] * 3
    assert GAME.core.deferrable(match, 5) == ()
    dropped = act(match, 0, "drop")
    assert GAME.core.deferrable(dropped, 0) == ()
    assert GAME.core.deferrable(dropped, 1) == (Drop(),)
    over = act(dropped, 1, "drop")
    assert GAME.core.deferrable(over, 2) == ()


def test_r9_where_nobody_may_drop_nobody_asks_for_it():
    assert GAME.core.deferrable(scene(HOPELESS, DECLARABLE, rules=DEALS), 0) == ()
    for rules in (replace(DEALS, first_drop=20), replace(DEALS, middle_drop=40)):
        match = scene(HOPELESS, DECLARABLE, rules=rules)
        assert GAME.core.deferrable(match, 0) == (Drop(),)


def test_r8_5_the_parts_of_a_split_are_told_between_deals_alone():
    match = between(20, 60, 60)
    assert GAME.core.status(match).shares_offered == {0: 7, 2: 4, 1: 1}
    asked, _ = proposed(match)
    assert GAME.core.status(asked).shares_offered == {0: 7, 2: 4, 1: 1}
    assert GAME.core.status(pool(20, 60, 60)).shares_offered is None
    break_of_all, _ = dropping(pool(20, 30, 40), 0, 1)
    assert GAME.core.status(break_of_all).shares_offered is None  # all who began are left (R8.4)


def test_who_watches_holds_nothing():
    assert dict(GAME.view.nothing_private) == {"hand": [], "groups": []}


def test_no_help_without_a_hand_of_this_deal():
    match = expire(won_by_declaring(scene(DECLARABLE, HOPELESS, rules=DEALS)))
    with pytest.raises(IllegalMove) as refusal:
        HELP.answer(match, 0, {"kind": "arrange"})
    assert refusal.value.code == "deal_over"


@pytest.mark.parametrize(
    ("name", "code", "title"),
    [
        ("points", "POINTS", Text("Points")),
        ("lesson", "POINTS", Text("Points")),
        ("pool101", "POOL", Text("Pool %(score)s", {"score": 101})),
        ("deals3", "DEALS", Text("Best of %(deals)s", {"deals": 3})),
        (
            "junglee-pool61",
            "POOL",
            Text("Pool %(score)s, rules of %(site)s", {"score": 61, "site": "Junglee Rummy"}),
        ),
        (
            "totalrummy-deals3",
            "DEALS",
            Text("Best of %(deals)s, rules of %(site)s", {"deals": 3, "site": "Total Rummy"}),
        ),
        (
            "rummycircle-points",
            "POINTS",
            Text("Points, rules of %(site)s", {"site": "RummyCircle"}),
        ),
    ],
)
def test_formats_and_names(name, code, title):
    assert GAME.money.format_of(PRESETS[name]) == code
    assert GAME.money.title_of(PRESETS[name]) == title


def test_a_first_deal_is_points_rummy_with_time_to_think():
    lesson = GAME.lesson and GAME.lesson.preset
    assert lesson == "lesson"
    assert GAME.rules.preset(lesson).turn_seconds == 6 * POINTS.turn_seconds


def test_r9_tournaments_are_played_for_chips():
    rules = ruleset.for_event(DEALS, deals=3, qualifiers=2)
    assert rules == replace(DEALS, deals=3, qualifiers=2)
    assert ruleset.event_start(rules) == 240
    assert ruleset.event_start(POINTS) == 0
    for name in ("points", "pool101"):
        with pytest.raises(InvalidRules, match="played for chips"):
            ruleset.for_event(PRESETS[name], deals=3, qualifiers=2)
    with pytest.raises(InvalidRules, match="too small"):
        ruleset.for_event(DEALS, deals=0, qualifiers=2)


def test_an_outage_moves_the_deadline_of_a_break_too():
    match = between(20, 60, 60)
    later = GAME.core.postpone(match, by_ms=5_000)
    assert (GAME.core.status(match).deadline, GAME.core.status(later).deadline) == (
        NOW + 8_000,
        NOW + 13_000,
    )
    assert later.deal.started_at == NOW + 5_000
