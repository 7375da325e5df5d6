"""R10.4: where a number of players go on from a match, ties are broken for such places alone."""

import pytest

from games.engine.base import InvalidRules
from games.engine.state import Stage
from games.engine.step import Step
from games.indian.game import GAME
from games.indian.rules.core import CORE
from games.indian.rules.deal import How, Player, Status
from games.indian.rules.match import Standing
from games.indian.rules.ruleset import POINTS, PRESETS, parse_rules
from tests.games.indian.scenes import DECLARABLE, HOPELESS, NOW, act, expire, own, scene, view
from tests.games.indian.test_deals import WORTHLESS, won_by_declaring
from tests.games.values import pair, replace

TWO_GO_ON = replace(PRESETS["deals2"], qualifiers=2)
# What seat 0 wins with these hands: 70 and 80 of the others.
HANDS = (DECLARABLE, HOPELESS, WORTHLESS)


def last_deal(*chips, rules=TWO_GO_ON):
    """The second of two deals, won by seat 0; `chips` are those after it."""
    match = replace(scene(*HANDS, rules=rules), number=2)
    change = (150, -70, -80)
    before = [
        Standing(seat, chips=after - gain, deals_won=int(seat == 1))
        for seat, (after, gain) in enumerate(zip(chips, change, strict=True))
    ]
    return expire(won_by_declaring(match.with_standings(before)))


def result_of(match):
    result = GAME.core.status(match).result
    assert result is not None
    return result


def test_the_best_go_on_without_a_tie_breaker_however_equal_the_top_is():
    result = result_of(last_deal(200, 200, 80))
    # Both have won a deal; seat 0 has fewer points.
    assert dict(result.ranks) == {0: 1, 1: 2, 2: 3}
    assert dict(result.scores) == {0: 200, 1: 200, 2: 80}


def test_equal_chips_are_told_apart_by_deals_won():
    result = result_of(last_deal(280, 100, 100))
    assert dict(result.ranks) == {0: 1, 1: 2, 2: 3}


def tied_for_the_second_place():
    match = scene(*HANDS, rules=TWO_GO_ON)
    match = replace(match, number=2)
    before = [
        Standing(0, chips=130),
        Standing(1, chips=170, score=30),
        Standing(2, chips=180, score=20),
    ]
    return expire(won_by_declaring(match.with_standings(before)))


def test_a_tie_for_a_place_is_played_off_by_those_who_are_equal():
    match = tied_for_the_second_place()
    assert GAME.core.status(match).result is None
    assert view(match)["match"]["tie_breaker"] is True
    match = expire(match)
    assert sorted(view(match)["order"]) == [1, 2]
    match = act(match, 2, "leave")
    result = result_of(match)
    assert dict(result.ranks) == {0: 1, 1: 2, 2: 3}
    # The tie-breaker moves no chips.
    assert dict(result.scores) == {0: 280, 1: 100, 2: 100}


def test_a_tie_breaker_decides_by_its_points_alone():
    match = expire(tied_for_the_second_place())
    deal = scene(DECLARABLE, HOPELESS, rules=TWO_GO_ON).deal
    seats = (2, 1)
    players = tuple(replace(p, seat=seats[p.seat]) for p in deal.players)
    match = expire(won_by_declaring(replace(match, deal=replace(deal, players=players)), seat=2))
    result = result_of(match)
    assert dict(result.ranks) == {0: 1, 2: 2, 1: 3}
    assert dict(result.scores) == {0: 280, 1: 100, 2: 100}
    assert GAME.stored.load(GAME.stored.dump(match)) == match


def test_again_until_it_is_decided():
    rules = replace(TWO_GO_ON, max_turns=1)
    match = replace(expire(tied_for_the_second_place()), rules=rules)
    both = scene(HOPELESS, HOPELESS, rules=rules).deal
    players = tuple(replace(p, seat=p.seat + 1) for p in both.players)
    match = replace(match, deal=replace(both, players=players))
    for seat in (1, 2):
        match = act(match, seat, "draw", source="closed")
        match = act(match, seat, "discard", card=own(match, seat)["drawn"])
    assert (view(match)["phase"], view(match)["match"]["tie_breaker"]) == ("between", True)
    assert sorted(view(expire(match))["order"]) == [1, 2]


def test_one_deal_of_a_round_counts_chips_too():
    rules = replace(TWO_GO_ON, deals=1, qualifiers=1)
    match = expire(won_by_declaring(scene(*HANDS, rules=rules)))
    result = result_of(match)
    assert dict(result.scores) == {0: 80 + 150, 1: 10, 2: 0}
    assert dict(result.ranks) == {0: 1, 1: 2, 2: 3}


def test_a_match_may_be_concluded_between_two_deals_only():
    match = scene(*HANDS, rules=TWO_GO_ON)
    assert GAME.core.conclude(match) is None
    match = expire(won_by_declaring(match))
    assert view(match)["phase"] == "between"
    concluded = GAME.core.conclude(match)
    assert concluded is not None
    over, happened = pair(concluded)
    assert [event.kind for event in happened] == ["match_over"]
    assert dict(result_of(over).ranks) == {0: 1, 1: 2, 2: 3}
    assert GAME.core.conclude(over) is None


def test_what_nobody_has_decided_stays_equal():
    match = tied_for_the_second_place()
    concluded = GAME.core.conclude(match)
    assert concluded is not None
    assert dict(result_of(concluded.state).ranks) == {0: 1, 1: 2, 2: 2}


@pytest.mark.parametrize("qualifiers", [0, -1, "2"])
def test_a_number_of_qualifiers_is_at_least_one(qualifiers):
    with pytest.raises(InvalidRules):
        parse_rules({"name": "deals2", "qualifiers": qualifiers})


def test_players_qualify_where_chips_count():
    with pytest.raises(InvalidRules):
        parse_rules({"name": POINTS.name, "qualifiers": 1})


def test_r10_4_who_has_lost_a_tie_breaker_stays_behind_those_who_play_another():
    """Four are equal for two places; seat 3 loses the first tie-breaker, the others stay equal."""
    base = replace(PRESETS["deals2"], deals=1, qualifiers=2, max_turns=1)
    match = scene(HOPELESS, HOPELESS, rules=base)
    standings = tuple(Standing(seat, chips=80, deals_won=0, score=20) for seat in range(4))
    match = replace(match, standings=standings, tie_breaker=True, number=2)
    for points in ({0: 0, 1: 0, 2: 0, 3: 20}, {0: 0, 1: 0, 2: 0}, {0: 0, 1: 5, 2: 30}):
        deal = replace(
            match.deal,
            players=tuple(
                Player(seat=seat, groups=(), extra_ms=0).out(
                    Status.LOST if count else Status.WON, count, How.SHOWN
                )
                for seat, count in points.items()
            ),
        )
        step = Step(replace(match, deal=deal, stage=Stage.DEAL), now=NOW)
        CORE.conclude_deal(step)
        match = step.match
    result = result_of(match)
    assert dict(result.ranks) == {0: 1, 1: 2, 2: 3, 3: 4}
