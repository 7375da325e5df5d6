"""G2, G14, G15: matches of one scored deal and games to a target."""

import pytest
from msgspec.structs import replace

from games.engine.base import InvalidRules
from games.gin.game import GAME as GIN
from games.gin.rules import ruleset
from games.gin.rules.deal import How
from games.gin.rules.match import Match, next_order
from games.gin.rules.ruleset import POINTS, PRESETS, for_event
from games.gin.rules.scoring import Line
from tests.games.gin.scenes import (
    GIN_HAND,
    NOTHING,
    TEN,
    TWO,
    act,
    act_events,
    drawing,
    expire,
    expire_events,
    kinds,
    refused,
    scene,
    view,
)
from tests.games.values import pair

GAME = PRESETS["game100"]
MELDS = "5H 6H 7H|KS KD KC|9D TD JD"


def knocked_out(match: Match) -> Match:
    """Seat 0 knocks with two against 68; 66 points."""
    match = act(drawing(match), 0, "knock", card="2H", groups=MELDS)
    return expire(match)


def match_of(rules=POINTS, second=NOTHING, **fields):
    return scene(TWO, second, next_closed="2H", rules=rules, **fields)


def line(number, winner, points, how=How.KNOCK, dealer=1):
    return Line(number, dealer, how, winner, points, ((0, 2), (1, 68)))


def game_of(*lines, rules=GAME):
    """A game with these deals behind it."""
    return replace(match_of(rules), sheet=lines, number=len(lines) + 1)


def dead(match):
    closed = match.deal.closed[-3:]
    under = match.deal.closed[:-3]
    deal = replace(match.deal, closed=closed, open_pile=(*under, *match.deal.open_pile))
    return act(drawing(replace(match, deal=deal)), 0, "discard", card="2C")


def result(match):
    found = GIN.core.status(match).result
    assert found is not None
    return found


def test_g14_points_are_one_scored_deal():
    match = match_of()
    assert GIN.core.status(match).result is None
    match = knocked_out(match)
    found = result(match)
    assert (found.winners, dict(found.points)) == ((0,), {0: 0, 1: 66})
    assert (dict(found.ranks), dict(found.scores)) == ({0: 1, 1: 2}, {})
    assert dict(found.shares) == {0: 1}
    assert view(match)["phase"] == "over"
    assert GIN.core.status(match).deadline is None
    assert refused(match, 1, "leave") == "match_over"
    assert refused(match, 1, "draw", source="closed") == "match_over"
    assert GIN.core.legal(match, 0) == ()
    assert pair(GIN.core.expire(match, now=2**60, seed=bytes(32))) == (match, ())


def test_g14_the_score_sheet_has_a_line_for_each_deal():
    found = result(knocked_out(match_of()))
    assert found.facts == {
        "sheet": [
            {
                "deal": 1,
                "dealer": 1,
                "how": "knock",
                "winner": 0,
                "points": 66,
                "deadwoods": {"0": 2, "1": 68},
            }
        ],
        "bonuses": {},
    }


def test_g14_a_game_goes_on_below_the_target():
    match = knocked_out(match_of(GAME))
    assert (view(match)["phase"], GIN.core.status(match).result) == ("between", None)
    assert view(match)["match"]["scores"] == {"0": 66, "1": 0}
    assert view(match)["due_at"] == view(match)["deadline"] == match.due_at
    assert (GIN.core.status(match).acting, GIN.core.status(match).deals) == ((), 1)
    assert [move.kind for move in GIN.core.legal(match, 0)] == ["leave"]
    assert refused(match, 0, "draw", source="closed") == "deal_over"
    assert pair(GIN.core.expire(match, now=(match.due_at or 0) - 1, seed=bytes(32))) == (match, ())
    match, happened = expire_events(match)
    assert kinds(happened) == ["dealt", "turn"]
    assert (GIN.core.status(match).deals, view(match)["phase"]) == (2, "upcard")
    assert view(match)["players"]["0"]["score"] == 66


def test_g14_who_reaches_the_target_has_won():
    match = knocked_out(game_of(line(1, 1, 90), line(2, 0, 34)))
    found = result(match)
    assert found.winners == (0,)
    assert dict(found.scores) == {0: 100, 1: 90}
    assert dict(found.points) == {0: 90, 1: 100}
    assert view(match)["match"]["winners"] == [0]


def test_g14_bonuses_are_on_the_sheet_alone():
    found = result(knocked_out(game_of(line(1, 1, 90), line(2, 0, 34))))
    bonuses = found.facts["bonuses"]
    assert bonuses == {
        "0": {
            "score": 100,
            "deals_won": 2,
            "boxes": 50,
            "game": 100,
            "shutout": False,
            "total": 250,
        },
        "1": {
            "score": 90,
            "deals_won": 1,
            "boxes": 25,
            "game": 0,
            "shutout": False,
            "total": 115,
        },
    }


def test_g14_a_shutout_doubles():
    for rules, total in ((GAME, 500), (replace(GAME, shutout_doubles=False), 250)):
        found = result(knocked_out(game_of(line(1, 0, 34), rules=rules)))
        bonuses = found.facts["bonuses"]
        assert isinstance(bonuses, dict)
        assert bonuses["0"] == {
            "score": 100,
            "deals_won": 2,
            "boxes": 50,
            "game": 100,
            "shutout": True,
            "total": total,
        }


@pytest.mark.parametrize(
    ("rules", "most"),
    [
        ("points", 129),
        ("lesson", 129),
        ("classic", 118),
        ("oklahoma", 258),
        ("game100", 129),
    ],
)
def test_g14_what_a_deal_may_cost_at_most(rules, most):
    assert GIN.money.largest_loss(PRESETS[rules]) == most


def test_g14_the_costliest_deal():
    """The dearest ten cards without a meld against big gin."""
    hand = "KH KC QD QS JH JC TS TD 9H 9C"
    big = scene("AS 2S 3S 4S|AH 2H 3H|4D 5D 6D", hand, open_pile="2C", next_closed="7D")
    melds = "AS 2S 3S 4S|AH 2H 3H|4D 5D 6D 7D"
    match = act(drawing(big), 0, "knock", card=None, groups=melds)
    assert dict(result(match).points) == {0: 0, 1: 129}
    assert GIN.money.largest_loss(POINTS) == 129


@pytest.mark.parametrize(
    ("rule", "expected"), [("loser", (0, 1)), ("winner", (1, 0)), ("alternate", (1, 0))]
)
def test_g2_who_deals_next(rule, expected):
    match = knocked_out(match_of(replace(GAME, next_dealer=rule)))
    assert view(expire(match))["order"] == list(expected)
    assert view(expire(match))["dealer"] == expected[-1]


def test_g2_the_order_of_the_next_match():
    assert result(knocked_out(match_of())).next_order == (0, 1)
    winner = scene(GIN_HAND, TEN.replace("5H 6H 7H", "5S 6S 7S").replace("KS KD KC", "QS QD QC"))
    assert next_order(winner) == (0, 1)


def test_g15_a_dead_deal_is_dealt_again_by_the_same():
    match = dead(match_of())
    assert view(match)["match"]["dead_deals"] == 1
    match = expire(match)
    assert (view(match)["deal"], view(match)["dealer"]) == (2, 1)
    assert GIN.core.status(match).result is None


def test_g15_after_three_dead_deals_points_are_not_paid():
    gone = [line(number, None, 0, How.DEAD) for number in (1, 2)]
    match = replace(match_of(), sheet=tuple(gone), number=3)
    match = dead(match)
    found = result(match)
    assert found.winners == (0, 1)
    assert dict(found.points) == {0: 0, 1: 0}
    assert dict(found.ranks) == {0: 1, 1: 1}


def test_g15_and_a_game_goes_to_the_higher_score():
    gone = [line(number, None, 0, How.DEAD) for number in (2, 3)]
    assert result(dead(game_of(line(1, 1, 20), *gone))).winners == (1,)
    level = result(dead(game_of(line(1, None, 0, How.DEAD), *gone)))
    assert (level.winners, dict(level.shares)) == ((0, 1), {0: 1, 1: 1})


def test_g15_a_scored_deal_ends_the_row():
    gone = [line(number, None, 0, How.DEAD) for number in (1, 2)]
    match = knocked_out(game_of(*gone))
    assert view(match)["match"]["dead_deals"] == 0


def test_an_event_is_a_number_of_scored_deals():
    rules = for_event(GAME, deals=2, qualifiers=1)
    assert (rules.deals, rules.qualifiers, rules.target) == (2, 1, 100)
    assert ruleset.for_event(GAME, deals=2, qualifiers=1) == rules
    match = knocked_out(game_of(line(1, 1, 80), line(2, None, 0, How.DEAD), rules=rules))
    assert result(match).winners == (1,)
    assert dict(result(match).ranks) == {0: 2, 1: 1}


def test_an_event_with_equal_scores_has_one_more_deal():
    rules = for_event(GAME, deals=2, qualifiers=1)
    match = knocked_out(game_of(line(1, 1, 66), rules=rules))
    assert view(match)["phase"] == "between"
    assert GIN.core.status(match).result is None


@pytest.mark.parametrize(("deals", "qualifiers"), [(2, 2), (0, 1)])
def test_an_event_has_one_who_goes_on(deals, qualifiers):
    with pytest.raises(InvalidRules):
        for_event(GAME, deals=deals, qualifiers=qualifiers)


def test_an_event_is_not_played_for_points():
    with pytest.raises(InvalidRules):
        for_event(POINTS, deals=1, qualifiers=1)


def test_a_match_that_waits_can_be_concluded():
    assert GIN.core.conclude(match_of()) is None
    match = knocked_out(match_of(GAME))
    over, happened = pair(GIN.core.conclude(match))
    assert [event.json() for event in happened] == [{"kind": "match_over", "winners": [0]}]
    assert result(over).winners == (0,)


def test_equal_scores_are_concluded_by_deals_won_then_by_order():
    event = for_event(GAME, deals=9, qualifiers=1)
    match = knocked_out(game_of(line(1, 1, 30), line(2, 1, 36), rules=event))
    assert result(pair(GIN.core.conclude(match))[0]).winners == (1,)
    match = knocked_out(game_of(line(1, 1, 66), rules=event))
    assert result(pair(GIN.core.conclude(match))[0]).winners == (0,)
    shared = knocked_out(game_of(line(1, 1, 66)))
    assert result(pair(GIN.core.conclude(shared))[0]).winners == (0, 1)


def test_what_a_match_says_of_itself():
    match = match_of(GAME)
    assert match.seats == (0, 1)
    assert GIN.core.status(match).fees == {0: 1, 1: 1}
    assert GIN.core.deferrable(match, 0) == ()
    assert GIN.core.propose(match, now=0) is None
    assert GIN.core.status(match).shares_offered is None
    later = GIN.core.postpone(match, by_ms=500)
    assert (GIN.core.status(later).deadline or 0) - (GIN.core.status(match).deadline or 0) == 500
    between = knocked_out(match)
    later = GIN.core.postpone(between, by_ms=500)
    assert (GIN.core.status(later).deadline or 0) - (GIN.core.status(between).deadline or 0) == 500


def test_the_dead_deal_says_when_the_next_one_is():
    match = match_of()
    closed = match.deal.closed[-3:]
    match = replace(match, deal=replace(match.deal, closed=closed))
    match, happened = act_events(drawing(match), 0, "discard", card="2C")
    assert happened[-1] == {"kind": "deal_due", "due_at": match.due_at}
