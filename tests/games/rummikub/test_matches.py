"""A session of several deals, and what a match comes to (K2, K13, K16)."""

import pytest

from games.engine.base import InvalidRules
from games.engine.codec import replace
from games.engine.moves import LEAVE
from games.engine.state import Stage
from games.rummikub.game import GAME
from games.rummikub.rules import ruleset
from games.rummikub.rules.match import start_of
from games.rummikub.rules.ruleset import PRESETS, for_event
from tests.games.rummikub.scenes import (
    NOW,
    SEED,
    act,
    act_events,
    expire,
    kinds,
    refused,
    scene,
    view,
)
from tests.games.values import pair

SESSION = PRESETS["session4"]


def result(match):
    found = GAME.core.status(match).result
    assert found is not None
    return found


def one_deal(*racks, rules=SESSION, **fields):
    """The first player goes out."""
    match = scene("8H", *racks, table="5H 6H 7H", rules=rules, **fields)
    return act_events(match, 0, "lay", table="5H 6H 7H 8H")


def dealt_again(match, *racks):
    """The next deal, with these racks and the first of them about to go out."""
    match = expire(match)
    order = match.deal.order
    fresh = scene(*racks, table="5H 6H 7H", rules=match.rules).deal
    players = tuple(
        replace(player, seat=seat) for player, seat in zip(fresh.players, order, strict=True)
    )
    return replace(match, deal=replace(match.deal, players=players, table=fresh.table))


def test_k16_a_session_goes_on_after_a_deal():
    match, events = one_deal("KC", "AS 2S")
    assert kinds(events) == ["laid", "deal_over", "deal_due"]
    assert view(match)["phase"] == "between"
    assert view(match)["due_at"] == view(match)["deadline"] == NOW + 12_000
    assert GAME.core.status(match).acting == ()
    assert view(match)["match"]["scores"] == {"0": 16, "1": -13, "2": -3}
    assert GAME.core.status(match).result is None
    assert GAME.core.legal(match, 1) == (LEAVE,)
    assert pair(GAME.core.expire(match, now=NOW + 11_999, seed=SEED)) == (match, ())


def test_between_two_deals_there_is_nothing_to_play():
    match, _ = one_deal("KC", "AS 2S")
    for seat in (0, 1, 3):
        assert refused(match, seat, "draw") == "deal_over"
    assert refused(match, 0, "lay", table="5H 6H 7H 8H") == "deal_over"


def test_k2_the_next_player_begins_the_next_deal():
    match, _ = one_deal("KC", "AS 2S")
    match = expire(match)
    assert (view(match)["deal"], view(match)["order"]) == (2, [1, 2, 0])
    assert view(match)["toss"] is None
    assert [view(match)["players"][seat]["tiles"] for seat in "012"] == [14, 14, 14]


def test_k16_the_highest_total_takes_the_pot():
    match, _ = one_deal("KC", "AS 2S", rules=replace(SESSION, deals=2))
    match = dealt_again(match, "8H", "9C 9D", "AS 2S")
    match, events = act_events(match, 1, "lay", table="5H 6H 7H 8H")
    assert kinds(events) == ["laid", "deal_over", "match_over"]
    found = result(match)
    # 16 - 3 = 13, -13 + 21 = 8, -3 - 18 = -21
    assert found.winners == (0,)
    assert dict(found.ranks) == {0: 1, 1: 2, 2: 3}
    assert dict(found.points) == {0: 3, 1: 13, 2: 21}
    assert dict(found.scores) == {0: 413, 1: 408, 2: 379}
    assert dict(found.shares) == {0: 1}
    assert found.facts["totals"] == {"0": 13, "1": 8, "2": -21}
    assert found.next_order == (2, 0, 1)


def test_k16_equal_totals_share():
    match, _ = one_deal("KC", rules=replace(SESSION, deals=2))
    match = dealt_again(match, "8H", "KC")
    match = act(match, 1, "lay", table="5H 6H 7H 8H")
    assert result(match).winners == (0, 1)
    assert dict(result(match).shares) == {0: 1, 1: 1}


def test_where_one_goes_on_equals_are_told_apart():
    rules = for_event(SESSION, deals=2, qualifiers=1)
    match, _ = one_deal("KC", rules=rules)
    match = dealt_again(match, "8H", "KC")
    match = act(match, 1, "lay", table="5H 6H 7H 8H")
    # Each has won one deal; in the last one the second player's rack was empty.
    assert result(match).winners == (1,)
    assert dict(result(match).ranks) == {1: 1, 0: 2}


def test_k13_leaving_between_two_deals():
    match, _ = one_deal("KC", "AS 2S")
    match, events = act_events(match, 0, "leave")
    assert kinds(events) == ["left"]
    match = expire(match)
    assert view(match)["order"] == [1, 2]
    assert view(match)["players"]["0"] == {
        "status": "left",
        "tiles": 0,
        "opened": False,
        "missed": 0,
        "score": 16,
    }
    assert GAME.view.private(match, 0) == dict(GAME.view.nothing_private)
    match, events = act_events(match, 1, "leave")
    assert kinds(events) == ["left", "out", "deal_over", "match_over"]
    assert result(match).winners == (2,)
    assert dict(result(match).ranks) == {2: 1, 1: 2, 0: 3}


def test_k13_the_last_one_at_the_table_takes_the_pot():
    match, _ = one_deal("KC")
    match, events = act_events(match, 0, "leave")
    assert kinds(events) == ["left", "match_over"]
    assert result(match).winners == (1,)
    assert match.stage is Stage.OVER
    assert GAME.core.legal(match, 1) == ()
    assert GAME.core.legal_view(match, 1) == []


def test_a_match_that_waits_is_ended_as_everybody_stands():
    match, _ = one_deal("KC", "AS 2S")
    concluded = GAME.core.conclude(match)
    assert concluded is not None
    assert result(concluded.state).winners == (0,)
    assert GAME.core.conclude(scene("8H")) is None
    assert GAME.core.conclude(concluded.state) is None


def test_an_outage_moves_a_break():
    match, _ = one_deal("KC", "AS 2S")
    assert GAME.core.status(GAME.core.postpone(match, by_ms=500)).deadline == NOW + 12_500


def test_points_are_no_event():
    with pytest.raises(InvalidRules):
        ruleset.for_event(PRESETS["points"], deals=2, qualifiers=1)
    rules = ruleset.for_event(SESSION, deals=1, qualifiers=2)
    assert (rules.deals, rules.qualifiers, rules.is_per_point) == (1, 2, False)
    assert start_of(rules) == 200
    assert start_of(PRESETS["points"]) == 0


def test_what_a_table_reads_of_a_match():
    match = scene("8H", "KC", "AS 2S")
    assert match.seats == (0, 1, 2)
    assert GAME.core.status(match).fees == {0: 1, 1: 1, 2: 1}
    assert GAME.core.deferrable(match, 0) == ()
    assert GAME.core.propose(match, now=NOW) is None
    assert GAME.core.status(match).shares_offered is None
