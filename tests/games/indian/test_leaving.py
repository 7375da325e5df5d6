"""R5.4, R5.5: what leaving between two deals changes for those who stay, and what it does not."""

import pytest

from games.indian.game import GAME
from games.indian.rules.match import Membership, Standing
from games.indian.rules.ruleset import PRESETS
from tests.games.indian.scenes import (
    DECLARABLE,
    HOPELESS,
    NOW,
    act,
    act_events,
    expire,
    kinds,
    scene,
    view,
)
from tests.games.indian.test_deals import WORTHLESS, won_by_declaring
from tests.games.indian.test_pool import FOURTH, between, dropping, pool, standing
from tests.games.values import replace
from tests.given import the

DEALS = PRESETS["deals2"]
HANDS = (DECLARABLE, HOPELESS, WORTHLESS, FOURTH)
# What the last deal changes: seat 0 declares and takes 70, 80 and 80.
GAINS = {3: (150, -70, -80), 4: (230, -70, -80, -80)}


def after_last_deal(*chips, qualifiers=None):
    """In the break after the second of two deals; `chips` are those after it."""
    rules = replace(DEALS, qualifiers=qualifiers)
    match = replace(scene(*HANDS[: len(chips)], rules=rules), number=2)
    before = [
        # Equal in deals won and in points, once the count of this deal is added.
        Standing(seat, chips=after - gain, deals_won=1 - (seat == 0), score=100 + min(gain, 0))
        for seat, (after, gain) in enumerate(zip(chips, GAINS[len(chips)], strict=True))
    ]
    return expire(won_by_declaring(match.with_standings(before)))


def result_of(match):
    result = GAME.core.status(match).result
    assert result is not None
    return result


def test_r9_2_one_of_two_leaders_leaves_in_the_break_and_the_other_has_won():
    match = after_last_deal(200, 200, 80)
    assert (view(match)["phase"], view(match)["match"]["tie_breaker"]) == ("between", True)
    match, happened = act_events(match, 1, "leave")
    assert kinds(happened) == ["left", "match_over"]
    assert GAME.core.status(match).deadline is None
    assert (result_of(match).winners, dict(result_of(match).ranks)) == ((0,), {0: 1, 2: 2, 1: 3})


def test_r9_2_both_leaders_leave_and_who_leads_then_has_won():
    match = act(after_last_deal(200, 200, 160, 80), 1, "leave")
    assert result_of(match).winners == (0,)
    match = after_last_deal(200, 200, 160, 80)
    match = replace(match, standings=tuple(replace(s, deals_won=0) for s in match.standings))
    match = match.with_standings([replace(match.standing(0), membership=Membership.LEFT)])
    assert result_of(act(match, 1, "leave")).winners == (2,)


def test_r9_2_a_third_player_leaving_changes_nothing_for_the_two_who_are_tied():
    match = after_last_deal(200, 200, 80)
    due_at = GAME.core.status(match).deadline
    match, happened = act_events(match, 2, "leave")
    assert kinds(happened) == ["left"]
    assert GAME.core.status(match).deadline == due_at
    match = expire(match)
    assert sorted(view(match)["order"]) == [0, 1]


def test_r9_2_three_are_tied_and_two_stay():
    match, happened = act_events(after_last_deal(160, 160, 160), 2, "leave")
    assert kinds(happened) == ["left"]
    assert sorted(view(expire(match))["order"]) == [0, 1]


@pytest.mark.parametrize("leaver", [1, 2])
def test_r10_4_one_of_two_who_are_tied_for_a_place_leaves(leaver):
    match = after_last_deal(280, 100, 100, qualifiers=2)
    assert view(match)["match"]["tie_breaker"] is True
    match, happened = act_events(match, leaver, "leave")
    assert kinds(happened) == ["left", "match_over"]
    stays = 3 - leaver
    assert dict(result_of(match).ranks) == {0: 1, stays: 2, leaver: 3}


def test_r10_4_the_place_is_settled_because_somebody_else_leaves():
    match, happened = act_events(after_last_deal(280, 100, 100, qualifiers=2), 0, "leave")
    assert kinds(happened) == ["left", "match_over"]
    assert result_of(match).winners == (1, 2)
    assert dict(result_of(match).ranks) == {1: 1, 2: 1, 0: 3}


def test_r5_5_a_tie_breaker_that_has_begun_is_played_to_its_end():
    match = expire(after_last_deal(280, 100, 100, qualifiers=2))
    match, happened = act_events(match, 0, "leave")
    assert kinds(happened) == ["left"]
    assert GAME.core.status(match).result is None
    match = act(match, 2, "leave")
    assert result_of(match).winners == (1,)


def test_r5_4_who_is_out_cannot_end_the_offer_of_the_others():
    match = act(between(20, 60, 60), 0, "offer_split")
    due_at = GAME.core.status(match).deadline
    match, happened = act_events(match, 3, "leave", now=NOW + 1_000)
    assert kinds(happened) == ["left"]
    assert (view(match)["phase"], GAME.core.status(match).deadline) == ("split", due_at)
    assert view(match)["match"]["split_parts"] == {"0": 7, "2": 4, "1": 1}
    match = act(match, 1, "answer_split", accept=True)
    match = act(match, 2, "answer_split", accept=True)
    assert result_of(match).winners == (0, 1, 2)


def test_r5_4_nor_the_question_of_the_table():
    proposed = GAME.core.propose(between(20, 60, 60), now=NOW)
    assert proposed is not None
    match, happened = act_events(proposed.state, 3, "leave")
    assert (kinds(happened), view(match)["phase"]) == (["left"], "split")
    assert GAME.core.status(match).acting == (0, 1, 2)


def test_r5_4_who_is_left_in_and_leaves_ends_the_offer():
    match = act(between(20, 60, 60), 0, "offer_split")
    match, happened = act_events(match, 2, "leave")
    assert kinds(happened) == ["left", "split_closed", "deal_due"]
    assert view(match)["phase"] == "between"


def test_r5_4_who_was_out_before_leaves_while_another_is_asked_to_come_back():
    match = pool(85, 30, 40, 50)
    match = match.with_standings([match.standing(2).out(Membership.ELIMINATED, 0)])
    match, _ = dropping(match, 0, 1, 2)
    assert (view(match)["phase"], GAME.core.status(match).acting) == ("rejoin", (0,))
    match, happened = act_events(match, 2, "leave")
    assert kinds(happened) == ["left"]
    assert (view(match)["phase"], GAME.core.status(match).acting) == ("rejoin", (0,))


def test_r8_6_nobody_left_has_a_drop_once_the_one_with_drops_has_left():
    match = between(65, 70, 20)
    assert view(match)["phase"] == "between"
    match, happened = act_events(match, 2, "leave")
    assert kinds(happened) == ["left", "match_over"]
    assert dict(result_of(match).shares) == {0: 1, 1: 1}


def test_r8_8_leaving_later_does_not_better_the_rank_of_who_went_out_before():
    """Seat 3 goes out in the first deal, seat 2 in the second; then seat 3 leaves for good."""
    match = expire(between(20, 60, 60))
    match = match.with_standings([replace(the(match.standing(2)), score=85)])
    assert view(match)["order"] == [1, 2, 0]
    match = act(act(match, 1, "drop"), 2, "drop")
    assert [standing(match, seat)["membership"] for seat in (2, 3)] == ["eliminated"] * 2
    match = act(match, 3, "leave")
    match = act(match, 1, "leave")
    assert dict(result_of(match).ranks) == {0: 1, 1: 2, 2: 3, 3: 4}


def test_r4_1_who_moved_first_in_the_last_deal_deals_the_next_match():
    """Seat 1 stands first, but does not play the tie-breaker of 0 and 2."""
    match = expire(after_last_deal(190, 100, 190))
    assert ([s.seat for s in match.standings], view(match)["order"]) == ([1, 2, 0], [2, 0])
    match = act(match, 0, "leave")
    assert result_of(match).next_order == (1, 2)


def test_r4_1_who_is_out_of_the_match_does_not_shift_the_order_of_the_next_one():
    rules = replace(PRESETS["pool101"], rejoin_score=None)
    match, _ = dropping(pool(40, 85, 30, rules=rules), 0, 1)
    match = expire(match)
    assert view(match)["order"] == [2, 0]
    match = match.with_standings([replace(the(match.standing(2)), score=95)])
    match = act(match, 2, "drop")
    # Seat 2 moved first and deals the next match; seat 1, out since the first deal, plays in it.
    assert result_of(match).next_order == (0, 1, 2)
