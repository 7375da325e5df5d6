"""R9: a fixed number of deals, played for chips."""

from games.indian.game import GAME
from games.indian.rules.ruleset import POINTS, PRESETS
from tests.games.indian.scenes import (
    DECLARABLE,
    HOPELESS,
    NOW,
    act,
    act_events,
    expire,
    kinds,
    own,
    refused,
    saved,
    scene,
    view,
)
from tests.games.values import replace

BEST_OF_2 = PRESETS["deals2"]
WORTHLESS = "AS 4S 8S TS|3H 9H TH|2D 5D 8D|4C TC QC"


def chips(match):
    return {s.seat: s.chips for s in sorted(match.standings, key=lambda s: s.seat)}


def won_by_declaring(match, seat=0):
    """This seat, at turn and with a hand to declare, wins the deal."""
    match = act(match, seat, "draw", source="closed")
    match = act(match, seat, "finish", card=own(match, seat)["drawn"])
    return act(match, seat, "declare", groups=saved(match, seat))


def test_r9_1_the_match_begins_with_eighty_chips_for_each_deal():
    for name, each in (("deals2", 160), ("deals3", 240), ("deals6", 480)):
        match = GAME.core.start(
            rules=PRESETS[name], seats=(0, 1, 2), toss=False, seed=bytes(32), now=NOW
        ).state
        assert chips(match) == {0: each, 1: each, 2: each}


def test_r9_1_the_winner_takes_the_points_of_the_others():
    match = won_by_declaring(scene(DECLARABLE, HOPELESS, WORTHLESS, rules=BEST_OF_2))
    match = expire(match)
    assert chips(match) == {0: 160 + 70 + 80, 1: 90, 2: 80}
    assert view(match)["phase"] == "between"
    assert view(match)["match"]["standings"]["0"]["deals_won"] == 1
    assert view(match)["match"]["deals"] == 2
    assert view(match)["match"]["tie_breaker"] is False


def last_deal(*hands, **chips_of):
    match = scene(*hands, rules=BEST_OF_2)
    match = replace(match, number=2)
    return match.with_standings(
        replace(s, chips=chips_of.get(f"seat{s.seat}", s.chips)) for s in match.standings
    )


def test_r9_1_most_chips_after_the_last_deal_win():
    match = last_deal(DECLARABLE, HOPELESS, WORTHLESS, seat0=50, seat1=300, seat2=130)
    match = expire(won_by_declaring(match))
    assert chips(match) == {0: 200, 1: 230, 2: 50}
    result = GAME.core.status(match).result
    assert result is not None
    assert result.winners == (1,)
    assert dict(result.scores) == {0: 200, 1: 230, 2: 50}
    assert dict(result.ranks) == {0: 2, 1: 1, 2: 3}
    assert dict(result.shares) == {1: 1}


def tied():
    match = last_deal(DECLARABLE, HOPELESS, WORTHLESS, seat0=50, seat1=270, seat2=160)
    return expire(won_by_declaring(match))


def test_r9_2_a_tie_on_top_is_played_off_by_those_who_are_equal():
    match = tied()
    assert chips(match) == {0: 200, 1: 200, 2: 80}
    assert GAME.core.status(match).result is None
    assert view(match)["match"]["tie_breaker"] is True
    match = expire(match)
    assert (view(match)["deal"], view(match)["order"]) == (3, [1, 0])
    assert refused(match, 1, "drop") == "drop_not_allowed"
    assert GAME.view.private(match, 2)["hand"] == []
    match, happened = act_events(match, 1, "leave")
    assert kinds(happened) == ["left", "dropped", "deal_over", "match_over"]
    result = GAME.core.status(match).result
    assert result is not None
    assert result.winners == (0,)
    assert chips(match) == {0: 280, 1: 120, 2: 80}


def test_r9_2_drops_are_off_in_a_tie_breaker_of_six_deals_too():
    match = replace(tied(), rules=replace(PRESETS["deals6"], deals=2))
    match = expire(match)
    assert refused(match, 1, "drop") == "drop_not_allowed"


def test_r9_2_again_until_one_leads():
    match = expire(tied())
    rules = replace(BEST_OF_2, max_turns=1)
    both = scene(HOPELESS, HOPELESS, rules=rules).deal
    match = replace(match, rules=rules, deal=both, standings=match.standings)
    for seat in (0, 1):
        match = act(match, seat, "draw", source="closed")
        match = act(match, seat, "discard", card=own(match, seat)["drawn"])
    assert chips(match) == {0: 200, 1: 200, 2: 80}
    assert (view(match)["phase"], view(match)["match"]["tie_breaker"]) == ("between", True)
    assert view(expire(match))["deal"] == 4


def test_r4_7_shared_wins_share_the_chips():
    rules = replace(BEST_OF_2, max_turns=1)
    match = scene(HOPELESS, HOPELESS, WORTHLESS, rules=rules)
    for seat in (0, 1, 2):
        match = act(match, seat, "draw", source="closed")
        match = act(match, seat, "discard", card=own(match, seat)["drawn"])
    assert chips(match) == {0: 200, 1: 200, 2: 80}


def test_r9_1_who_leaves_cannot_win_and_the_last_one_does():
    match = act(scene(HOPELESS, DECLARABLE, rules=BEST_OF_2), 1, "leave")
    result = GAME.core.status(match).result
    assert result is not None
    assert result.winners == (0,)
    assert dict(result.scores) == {0: 240, 1: 80}


def test_r7_1_a_match_of_points_is_one_deal():
    match = expire(won_by_declaring(scene(DECLARABLE, HOPELESS, rules=POINTS)))
    assert GAME.core.status(match).result is not None
    assert view(match)["phase"] == "over"


def test_r7_3_the_next_deal_begins_in_the_order_that_the_last_one_left():
    match = expire(won_by_declaring(scene(DECLARABLE, HOPELESS, rules=POINTS)))
    result = GAME.core.status(match).result
    assert result is not None
    assert result.next_order == (1, 0)
    following = GAME.core.start(
        rules=POINTS, seats=result.next_order, toss=False, seed=bytes(32), now=0
    ).state
    assert view(following)["order"] == [1, 0]
    assert view(following)["turn"] == 1
    assert view(following)["toss"] is None
