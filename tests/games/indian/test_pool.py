"""R8: pool matches over several deals."""

from typing import Any

from games.indian.game import GAME
from games.indian.rules.ruleset import PRESETS
from tests.games.indian.scenes import (
    DECLARABLE,
    HOPELESS,
    NOW,
    act,
    act_events,
    expire,
    expire_events,
    kinds,
    refused,
    scene,
    view,
)
from tests.games.values import replace

POOL_101 = PRESETS["pool101"]
WORTHLESS = "AS 4S 8S TS|3H 9H TH|2D 5D 8D|4C TC QC"
FOURTH = "AH 6H 8H KC|3C 5C 9C|AD 7S JC|2C TD KD"


def pool(*scores, rules=POOL_101):
    """The first deal of a match in which these scores have been reached."""
    hands = (HOPELESS, DECLARABLE, WORTHLESS, FOURTH)[: len(scores)]
    match = scene(*hands, rules=rules)
    return match.with_standings(
        replace(standing, score=scores[standing.seat]) for standing in match.standings
    )


def dropping(match, *seats):
    """These seats drop in turn; the last one left wins the deal."""
    happened: list[Any] = []
    for seat in seats:
        match, happened = act_events(match, seat, "drop")
    return match, happened


def standing(match, seat):
    return view(match)["match"]["standings"][str(seat)]


def test_r8_1_scores_add_up_and_the_match_goes_on():
    match, happened = dropping(pool(10, 20, 30), 0, 1)
    assert kinds(happened) == ["dropped", "deal_over", "deal_due"]
    assert [standing(match, seat)["score"] for seat in range(3)] == [30, 40, 30]
    shown = view(match)
    assert (shown["phase"], shown["due_at"], shown["deadline"]) == (
        "between",
        NOW + 8_000,
        NOW + 8_000,
    )
    assert shown["result"]["winners"] == [2]
    assert GAME.core.status(match).acting == ()
    assert GAME.core.status(match).result is None


def test_r4_1_the_next_deal_begins_with_the_second_player():
    match, _ = dropping(pool(0, 0, 0), 0, 1)
    assert expire(match, now=NOW + 7_999) == match
    match, happened = expire_events(match)
    assert kinds(happened) == ["dealt", "turn"]
    shown = view(match)
    assert (shown["deal"], shown["order"], shown["dealer"]) == (2, [1, 2, 0], 0)
    assert shown["toss"] is None
    assert GAME.core.status(match).deals == 2


def test_r8_1_reaching_the_limit_eliminates():
    match, happened = dropping(pool(81, 80, 0, rules=replace(POOL_101, rejoin_score=None)), 0, 1)
    assert happened[2] == {"kind": "eliminated", "seats": [0]}
    assert standing(match, 0)["membership"] == "eliminated"
    assert standing(match, 1) == {
        "membership": "in",
        "score": 100,
        "chips": 0,
        "deals_won": 0,
        "entries": 1,
        "drops_left": 0,
    }
    assert view(expire(match))["order"] == [1, 2]


def test_r8_1_elimination_may_ask_for_more_than_the_limit():
    rules = replace(POOL_101, elimination_inclusive=False, rejoin_score=None)
    match, _ = dropping(pool(81, 82, 0, rules=rules), 0, 1)
    assert standing(match, 0)["membership"] == "in"
    assert standing(match, 1)["membership"] == "eliminated"


def test_r8_7_the_last_one_left_wins():
    match, happened = dropping(pool(85, 90, 0), 0, 1)
    assert kinds(happened) == ["dropped", "deal_over", "eliminated", "match_over"]
    result = GAME.core.status(match).result
    assert result is not None
    assert (result.winners, dict(result.shares)) == ((2,), {2: 1})
    assert dict(result.points) == {0: 105, 1: 110, 2: 0}
    assert dict(result.ranks) == {0: 2, 1: 3, 2: 1}
    assert refused(match, 0, "rejoin", accept=True) == "match_over"


def test_r8_2_an_eliminated_player_may_come_back_at_highest_plus_one():
    match, happened = dropping(pool(85, 30, 40), 0, 1)
    assert happened[-1] == {
        "kind": "rejoin_open",
        "seats": [0],
        "score": 51,
        "due_at": NOW + 20_000,
    }
    assert view(match)["phase"] == "rejoin"
    assert view(match)["match"]["waiting"] == [0]
    assert view(match)["match"]["rejoin_score"] == 51
    assert GAME.core.status(match).acting == (0,)
    assert refused(match, 1, "rejoin", accept=True) == "not_asked"
    match, happened = act_events(match, 0, "rejoin", accept=True, now=NOW + 5_000)
    assert kinds(happened) == ["rejoined", "deal_due"]
    assert (standing(match, 0)["score"], standing(match, 0)["entries"]) == (51, 2)
    assert standing(match, 0)["membership"] == "in"
    assert view(match)["phase"] == "between"
    assert view(expire(match))["order"] == [1, 2, 0]


def test_r8_2_several_come_back_at_the_same_score():
    match, happened = dropping(pool(85, 30, 90, 40), 0, 1, 2)
    assert happened[-1]["seats"] == [0, 2]
    match = act(match, 2, "rejoin", accept=True)
    assert view(match)["match"]["waiting"] == [0]
    match = act(match, 0, "rejoin", accept=True)
    assert [standing(match, seat)["score"] for seat in range(4)] == [51, 50, 51, 40]


def test_r8_2_nobody_comes_back_when_a_survivor_is_too_far():
    open_at_79 = dropping(pool(85, 59, 0), 0, 1)[1]
    assert open_at_79[-1]["score"] == 80
    closed_at_80 = dropping(pool(85, 60, 0), 0, 1)[1]
    assert kinds(closed_at_80)[-1] == "deal_due"


def test_r8_2_sites_differ_by_a_point():
    match, _ = dropping(pool(85, 59, 0, rules=PRESETS["totalrummy-pool101"]), 0, 1)
    assert view(match)["phase"] == "between"


def test_r8_2_saying_no_or_nothing_is_not_coming_back():
    asked, _ = dropping(pool(85, 30, 40), 0, 1)
    declined, happened = act_events(asked, 0, "rejoin", accept=False)
    assert kinds(happened) == ["rejoin_declined", "deal_due"]
    silent, happened = expire_events(asked)
    assert kinds(happened) == ["deal_due"]
    for match in (declined, silent):
        assert standing(match, 0)["membership"] == "eliminated"
        assert view(expire(match))["order"] == [1, 2]
    assert refused(asked, 0, "rejoin", accept=True, now=NOW + 20_000) == "time_is_up"


def test_r8_2_the_window_closes_when_an_asked_player_leaves():
    asked, _ = dropping(pool(85, 30, 40), 0, 1)
    match, happened = act_events(asked, 0, "leave")
    assert kinds(happened) == ["left", "deal_due"]
    assert refused(match, 0, "rejoin", accept=True) == "not_asked"


def test_r8_2_with_one_survivor_the_match_is_over():
    asked, _ = dropping(pool(85, 30, 40), 0, 1)
    match = act(asked, 1, "leave")
    result = GAME.core.status(match).result
    assert result is not None
    assert result.winners == (2,)


def between(*scores, rules=POOL_101):
    """Four began, the last is out: a break with these scores before a deal that seat 2 wins."""
    match = pool(*scores, 85, rules=replace(rules, rejoin_score=None))
    match = act(act(match, 0, "drop"), 1, "drop")
    match = act(match, 3, "leave") if len(scores) == 2 else match
    match = act(match, 2, "draw", source="closed")
    match = act(match, 2, "discard", card=GAME.view.private(match, 2)["drawn"])
    return act(match, 3, "drop")


def test_r8_4_one_asks_and_all_others_accept():
    match = between(20, 60, 60)
    shown = view(match)["match"]
    # 40 and 80 and 60 points leave three, one and two drops: 2, 0 and 1 more than the fewest.
    assert shown["may_offer_split"] is True
    assert shown["split_parts"] == {"0": 7, "2": 4, "1": 1}
    match, happened = act_events(match, 1, "offer_split", now=NOW + 2_000)
    assert happened == [
        {
            "kind": "split_offered",
            "seat": 1,
            "parts": {"0": 7, "2": 4, "1": 1},
            "due_at": NOW + 17_000,
        }
    ]
    assert (view(match)["phase"], GAME.core.status(match).acting) == ("split", (0, 2))
    assert view(match)["match"]["split_asker"] == 1
    assert refused(match, 1, "answer_split", accept=True) == "not_asked"
    match = act(match, 0, "answer_split", accept=True)
    match, happened = act_events(match, 2, "answer_split", accept=True)
    assert kinds(happened) == ["split_answered", "split_closed", "match_over"]
    result = GAME.core.status(match).result
    assert result is not None
    assert (result.winners, dict(result.shares)) == ((0, 1, 2), {0: 7, 2: 4, 1: 1})
    assert dict(result.ranks) == {0: 1, 1: 1, 2: 1, 3: 4}


def test_r8_4_one_refusal_ends_the_offer():
    match = act(between(20, 60, 60), 1, "offer_split")
    match, happened = act_events(match, 0, "answer_split", accept=False, now=NOW + 1_000)
    assert happened[:2] == [
        {"kind": "split_answered", "seat": 0, "accept": False},
        {"kind": "split_closed", "agreed": False},
    ]
    assert (view(match)["phase"], view(match)["due_at"]) == ("between", NOW + 9_000)
    assert refused(match, 2, "offer_split") == "split_not_possible"
    assert view(expire(match))["phase"] == "turn"


def test_r8_4_silence_ends_the_offer():
    match = act(between(20, 60, 60), 1, "offer_split")
    match, happened = expire_events(act(match, 0, "answer_split", accept=True))
    assert kinds(happened) == ["split_closed", "deal_due"]
    assert GAME.core.status(match).result is None


def test_r8_4_leaving_ends_the_offer():
    match = act(between(20, 60, 60), 1, "offer_split")
    match, happened = act_events(match, 0, "leave")
    assert kinds(happened) == ["left", "split_closed", "deal_due"]


def test_r8_4_not_with_too_many_left_or_during_a_deal():
    match, _ = dropping(pool(20, 30, 40), 0, 1)
    assert refused(match, 0, "offer_split") == "split_not_possible"
    assert refused(pool(20, 30, 40), 0, "offer_split") == "split_not_possible"
    assert refused(between(20, 60, 60), 3, "offer_split") == "split_not_possible"
    assert view(match)["match"]["split_parts"] is None


def test_r8_6_those_who_have_no_drop_left_share_at_once():
    match = between(62, 65, 95)
    result = GAME.core.status(match).result
    assert result is not None
    assert (result.winners, dict(result.shares)) == ((0, 1, 2), {0: 1, 1: 1, 2: 1})
    assert list(result.shares) == [0, 1, 2]
    assert GAME.core.status(match).deadline is None


def test_r8_6_where_all_have_to_agree_nobody_shares_at_once():
    match = between(62, 65, 95, rules=replace(POOL_101, equal_split="agreed"))
    assert GAME.core.status(match).result is None
    assert view(match)["match"]["split_parts"] == {"0": 4, "1": 4, "2": 4}


def test_r5_3_who_dropped_and_leaves_is_out_of_the_match():
    match = act(act(pool(0, 0, 0), 0, "drop"), 0, "leave")
    assert standing(match, 0)["membership"] == "left"
    match = act(match, 1, "drop")
    assert view(expire(match))["order"] == [1, 2]


def test_leaving_in_a_break_until_one_is_left():
    match, _ = dropping(pool(0, 0, 0), 0, 1)
    match = act(match, 0, "leave")
    assert GAME.core.status(match).result is None
    match, happened = act_events(match, 1, "leave")
    assert kinds(happened) == ["left", "match_over"]
    result = GAME.core.status(match).result
    assert result is not None
    assert result.winners == (2,)
