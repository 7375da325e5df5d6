"""The rules of basic rummy B1 to B16, one by one (docs/rules-basic.md): tables of `cases.py`."""

import pytest

from games.basic.rules.ruleset import POINTS, PRESETS, adapt_to_event
from games.engine.laid import Line, as_meld
from games.engine.state import Stage, replace
from games.shuffle import shuffle
from tests.games.basic.scenes import act, draw_card, result, scene
from tests.games.cases import Table
from tests.games.driving import GAMES, NOW, SEED
from tests.games.scenes import change_player, faces

RACE = PRESETS["race100"]
NAMES = {
    **globals(),
    "NOTHING": "QH 9C 7D 5S 4H 2C AD",
    "ONE_MELD": replace(POINTS, melds_a_turn=1),
    "RETURNS": replace(POINTS, may_return_open_card=True),
    "DISCARDS": replace(POINTS, must_discard_last=True),
    "SINGLE": replace(POINTS, rummy_factor=1),
    "CAPPED": replace(POINTS, max_points=40),
    "BOTH": replace(POINTS, ace="both"),
    "TURNS": replace(POINTS, restock="turn"),
    "BLOCKS": replace(POINTS, restock="block"),
    "ONE_TURN": replace(POINTS, max_turns=1),
    "ONE_TURN_CAPPED": replace(POINTS, max_turns=1, max_points=2),
    "ONE_TURN_BLOCKS": replace(POINTS, max_turns=1, restock="block"),
    "ONE_MISS": replace(POINTS, max_missed_turns=1),
}
TABLE = Table(act, scene, NAMES)


@TABLE.cases("""
b5 a turn is drawing, laying and discarding :: 7H 7S 7D 4C 5C 6C QD KS 2D 3H / QH 9C 5S 4H 2C AD {next_closed=8H}
  :: 0 discard KS !wrong_step; 0 meld 7H,7S,7D !wrong_step; 1 draw closed !not_your_turn; 0 draw closed >
  own0.drawn=8H.0; 0 draw closed !wrong_step; 0 meld 7H,7S,7D|4C,5C,6C > kinds=["melded"] ev.0.first=0
  ev.0.melds.1.kind=sequence ev.0.melds.1.by=[0,0,0] players.0.cards=5; 0 discard KS > kinds=discarded,turn turn=1
  step=draw
b5 by some rules one meld is laid a turn :: 7H 7S 7D 4C 5C 6C QD / QH 9C 5S {rules=ONE_MELD} :: 0 draw closed; 0
  meld 7H,7S,7D|4C,5C,6C !too_many_melds; 0 meld 7H,7S,7D > laid=1 legal0^meld; 0 meld 4C,5C,6C !too_many_melds
b4 cards that are no meld are refused :: 7H 7S 7D KC 2D / KD KH 3S {next_closed=9C} :: 0 draw closed; 0 meld
  7H,7S,7D|KC,2D,9C !not_a_meld; 0 meld 7H,7S,7D|7D,KC,2D !groups_not_your_hand; 0 meld - !nothing_laid
b6 cards are laid off on every meld :: 3C 4C 8C KD / QH 9C {table=5C,6C,7C|8H,8S,8D next_closed=2H} :: 0 draw
  closed; 0 lay_off 0 ["KD.0"] !does_not_fit; 0 lay_off 1 ["KD.0"] !does_not_fit; 0 lay_off 2 ["KD.0"]
  !no_such_meld; 0 lay_off 0 [] !nothing_laid; 0 lay_off 0 ["9C.0"] !groups_not_your_hand; 0 lay_off 0
  ["4C.0","3C.0"] > ev.0.as=4C,3C melds.0.cards=3C.0,4C.0,5C.0,6C.0,7C.0 melds.0.by=[0,0,1,1,1]; 0 lay_off 1
  ["8C.0"] > melds.1.cards=8H.0,8S.0,8D.0,8C.0
b6 a high ace does not become a low one :: 2C 3C 4C 5C 6C KD / QH 9H {table=7C,8C,9C,TC,JC,QC,KC,AC rules=BOTH} ::
  0 draw closed; 0 lay_off 0 ["6C.0","5C.0","4C.0","3C.0","2C.0"] > melds.0.as.0=2C melds.0.as.12=AC
b7 a card from the open pile stays for the turn :: NOTHING / KD KC 3S {open_pile=9H} :: 0 draw open >
  own0.from_open=true taken.0=["9H.0"]; 0 discard 9H !may_not_return_open_card
b7 a card from the open pile goes back where the rules allow it :: NOTHING / KD KC 3S {open_pile=9H rules=RETURNS}
  :: 0 draw open; 0 discard 9H
b7 a turn must be able to end :: 7H 7S 7D / KD KC 3S {open_pile=9H} :: 0 draw open; 0 meld 7H,7S,7D
  !must_keep_a_discard
b7 the last card has to fit where it may not go back :: 7H 7S 7D / KD KC 3S {open_pile=9H table=3H,4H,5H} :: 0 draw
  open; 0 meld 7H,7S,7D !must_keep_a_discard
b7 a bound card that fits is laid :: 7H 7S 7D / KD KC 3S {open_pile=9H table=TH,JH,QH} :: 0 draw open; 0 meld
  7H,7S,7D > legal0=lay_off,arrange,leave; 0 lay_off 0 ["9H.0"] > result.how=rummy
b14 a bound card that fits stays when the time is up :: 7H 7S 7D / KD KC 3S {open_pile=9H table=TH,JH,QH} :: 0 draw
  open; 0 meld 7H,7S,7D; wait > kinds=missed_turn,turn own0.hand=["9H.0"]
b8 by some rules the last card has to be discarded :: 7H 7S 7D / KD KC 3S {next_closed=7C rules=DISCARDS} :: 0 draw
  closed; 0 meld 7H,7S,7D,7C !must_keep_a_discard; 0 meld 7H,7S,7D; 0 discard 7C > result.how=rummy
b8 by these rules it is not laid though it fits :: 7H 7S 7D / KD KC 3S {open_pile=9H table=TH,JH,QH rules=DISCARDS}
  :: 0 draw open; 0 meld 7H,7S,7D !must_keep_a_discard
b9 going rummy counts double :: 7H 7S 7D / KD KC 3S {next_closed=7C} :: 0 draw closed; 0 meld 7H,7S,7D,7C >
  kinds=melded,deal_over,match_over result.how=rummy result.points={"0":0,"1":46} res.winners=[0]
b9 by some rules going rummy counts single :: 7H 7S 7D / KD KC 3S {next_closed=7C rules=SINGLE} :: 0 draw closed; 0
  meld 7H,7S,7D,7C > result.how=out result.points={"0":0,"1":23}
b9 laying twice in one turn is one turn :: 7H 7S 7D 9S / KD KC 3S {table=TS,JS,QS next_closed=8S} :: 0 draw closed;
  0 meld 7H,7S,7D; 0 lay_off 0 ["9S.0","8S.0"] > result.how=rummy
b12 a count is capped :: 7H 7S 7D / KS KD KC AS TD 4C {next_closed=7C rules=CAPPED} :: 0 draw closed; 0 meld
  7H,7S,7D,7C > result.points={"0":0,"1":40} result.hands.1.count=45
b10 a deal is blocked :: QH 2C / KD KC 3S {closed_count=1 rules=BLOCKS} :: 0 draw closed; 0 discard QH >
  result.how=blocked
b10 the pile is turned over :: NOTHING / KD KC 3S {closed_count=1 rules=TURNS} :: 0 draw closed; 0 discard QH >
  kinds=discarded,turned_over,turn restocks=1
b11 a limit of turns and the lowest count :: 9C 3D / KD 5C / 9H AS AC 2D {next_closed=KH rules=ONE_TURN} :: 0 draw
  closed; 0 discard KH; 1 draw closed; 1 discard KD; 2 draw closed; 2 discard 9H > result.how=limit
b12 a difference is capped :: 9C 3D / KD 5C {next_closed=KH,QS rules=ONE_TURN_CAPPED} :: 0 draw closed; 0 discard
  KH; 1 draw closed; 1 discard KD > result.how=limit result.points={"0":0,"1":2}
b11 the limit comes before a blocked deal :: 9C 3D / KD 5C {closed_count=2 rules=ONE_TURN_BLOCKS} :: 0 draw closed;
  0 discard 9C; 1 draw closed; 1 discard KD > result.how=limit
b14 a clock and a stock of extra time :: 9C 3D / KD 5C :: 0 draw closed @90 !time_is_up >
  st.deadline=1700000090000; 0 draw closed; 0 discard 9C @50 > players.0.extra_ms=40000
b14 a missed turn draws and discards :: 9C 3D / KD 5C {next_closed=KH} :: wait >
  kinds=missed_turn,drawn,discarded,turn ev.2.card=KH.0 players.0.missed=1 players.0.extra_ms=0
b14 a drawn card goes back :: 9C 3D / KD 5C {next_closed=KH} :: 0 draw closed; wait >
  kinds=missed_turn,discarded,turn ev.1.card=KH.0
b14 with a card from the open pile the dearest loose card is discarded :: KS KC KD 5C 9D / 2H {open_pile=3S} :: 0
  draw open; wait > ev.1.card=9D.0
b14 without a loose card the dearest of the melds is discarded :: KS KC KD 4S 5S / 2H {open_pile=3S} :: 0 draw
  open; wait > ev.1.card=KS.0
b14 after the drawn card was laid another card is discarded :: 4S 5S 9D 2C / 2H {next_closed=3S} :: 0 draw closed;
  0 meld 3S,4S,5S; wait > ev.1.card=9D.0
b14 the last card that goes back wins :: 7H 7S 7D / KD KC 3S {next_closed=9H} :: 0 draw closed; 0 meld 7H,7S,7D;
  wait > result.winners=[0]
b14 it wins even when that turn would put the player out :: 7H 7S 7D / KD KC 3S {next_closed=9H rules=ONE_MISS} ::
  0 draw closed; 0 meld 7H,7S,7D; wait > result.winners=[0]
b14 three in a row put a player out :: 9C 3D / KD 5C / 9H AS {next_closed=KH,KS,QH,QS,JH,JS,TH} :: wait; wait;
  wait; wait; wait; wait; wait > ev.1={"kind":"dropped","seat":0,"points":12} players.0.status=dropped
  legal0=["leave"]; 0 draw closed !not_in_deal; wait > kinds=missed_turn,dropped,deal_over,match_over
  result.how=last_player result.winners=[2]
b15 leaving costs thirty at least :: 9C 3D / KD 5C / 9H AS :: 1 leave > ev=[{"kind":"left","seat":1}]
  players.1.status=left players.1.points=30; 1 leave !not_in_deal; 5 leave !not_in_deal
b15 leaving costs what is held when that is more :: 9C 3D / KS KD KC QS / 2H :: 1 leave > players.1.points=40
b15 the drawn card is returned :: 9C 3D / KD 5C / 9H AS {next_closed=KH} :: 0 draw closed; 0 leave >
  kinds=left,discarded,turn ev.1.card=KH.0 turn=1
b15 a drawn card that was laid stays :: 4S 5S 9D 2C / KD 5C / 9H AS {next_closed=3S} :: 0 draw closed; 0 meld
  3S,4S,5S; 0 leave > kinds=left,turn
b15 b12 what leaving costs is capped :: 9C 3D / KS KD KC QS QD / 2H {rules=CAPPED} :: 1 leave > players.1.points=40
b15 a player who leaves later ranks higher :: 9C 3D / KD 5C / 9H AS :: 0 leave; 1 leave >
  res.ranks={"0":3,"1":2,"2":1}
b15 the last one left wins :: 9C 3D / KD 5C :: 1 leave > result.how=last_player result.points={"0":0,"1":30}
  res.winners=[0] res.ranks={"0":1,"1":2} res.next_order=[0]
b13 below the target a break follows :: 7H 7S 7D / KS KD / 2H {next_closed=7C rules=RACE} :: 0 draw closed; 0 meld
  7H,7S,7D,7C > ev.2.kind=deal_due phase=between st.acting=[] st.deadline=1700000008000; 0 draw open !deal_over; 0
  leave > phase=between; wait > kinds=dealt,turn deal=2 order=1,2
b13 the target wins the pot :: 7H 7S 7D / KS KD KC QS QD JC / 2H {next_closed=7C rules=RACE} :: 0 draw closed; 0
  meld 7H,7S,7D,7C > res.winners=[0] res.shares={"0":1} res.scores.0=124 res.points={"0":0,"1":120,"2":4}
b16 hands are hidden :: 9C 3D / KD 5C {next_closed=KH table=5S,6S,7S} :: 0 draw closed > melds.0.by=[1,1,1]
  view^KH.0 own0.drawn=KH.0 own1.drawn=- own0.count=22 result=-; 0 discard 9C > discards=[[0,"9C.0"]]
""")
def test_a_rule(case):
    TABLE.run(case)


@pytest.mark.parametrize(
    ("cards", "low", "both"),
    [
        ("AS 2S 3S", "sequence", "sequence"),
        ("QS KS AS", None, "sequence"),
        ("KS AS 2S", None, None),
        ("7S 7H 7D 7C", "set", "set"),
        ("7S 7H", None, None),
        ("7S 7H 8D", None, None),
        ("9D 7D 8D", "sequence", "sequence"),
        ("7D 8D TD", None, None),
        ("7D 8D 9C", None, None),
    ],
)
def test_b1_b4_sets_and_sequences(cards, low, both):
    for rules, kind in ((POINTS, low), (NAMES["BOTH"], both)):
        meld = as_meld(faces(cards), rules.shape)
        assert (meld and ("set" if meld.is_set else "sequence")) == kind


def test_b3_the_cards_of_a_deal():
    core = GAMES["basic"].core
    for count, size in {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}.items():
        seats = tuple(range(count))
        match = core.start(rules=POINTS, seats=seats, toss=False, seed=SEED, now=NOW).state
        deck = shuffle(tuple(range(52)), seed=SEED, label="deal")
        for place in seats:
            assert sorted(match.deal.player(place).hand) == sorted(
                deck[place : size * count : count]
            )
        assert match.deal.open_pile == (deck[size * count],)
        assert match.deal.closed[::-1] == deck[size * count + 1 :]


def end_by_count(*hands, rules=RACE, sheet=()):
    """End a deal by its time limit, after these lines of the score sheet; hands are counted (B11)."""
    match = draw_card(scene(*hands, next_closed="KH", rules=rules))
    lines = tuple(
        Line(number, 2, "out", (lost.index(0),), tuple(enumerate(lost)))
        for number, lost in enumerate(sheet, 1)
    )
    deal = replace(match.deal, started_at=NOW - 20 * 60_000)
    return act(replace(match, deal=deal, sheet=lines), 0, "discard", card="KH")


@pytest.mark.parametrize(
    ("hands", "winners", "points", "order"),
    [
        (("9C 3D", "KD 5C", "9H AS AC 2D"), [0], {"0": 0, "1": 3, "2": 1}, (1, 2, 0)),
        (("9C 3D", "2H KD", "QH QS"), [0, 1], {"0": 0, "1": 0, "2": 8}, (1, 2, 0)),
        # B2: with two players, the winner deals next.
        (("9C 3D", "KD 5C"), [0], {"0": 0, "1": 3}, (1, 0)),
        (("9C 8D", "2D 5C"), [1], {"0": 10, "1": 0}, (0, 1)),
        (("9C 3D", "2H KD"), [0, 1], {"0": 0, "1": 0}, (1, 0)),
    ],
)
def test_b11_b2_the_lowest_count_wins_and_the_deal_passes_on(hands, winners, points, order):
    match = end_by_count(*hands)
    found = act.view(match)["result"]
    assert (found["how"], found["winners"], found["points"]) == ("limit", winners, points)
    assert act.expire(match).deal.order == order


def test_b13_the_winner_is_credited_with_the_points_of_the_losers():
    shared = ("9C 3D", "2H KD", "QH QS")
    match = end_by_count(*shared, sheet=[(0, 60, 36), (60, 0, 36)])
    # Two players are level at the target, so play goes on. Each of the two winners gets four of the eight points.
    assert match.scores == {0: 100, 1: 100, 2: 0}
    assert match.stage is Stage.BETWEEN
    deals = replace(RACE, deals=1)
    assert end_by_count(*shared, rules=deals).stage is Stage.BETWEEN
    event = end_by_count(*shared, rules=adapt_to_event(RACE, deals=1, qualifiers=2))
    assert result(event).ranks == {0: 1, 1: 2, 2: 3}
    # In an event, equal scores are decided by deals won.
    event = adapt_to_event(RACE, deals=4, qualifiers=2)
    lines = [(5, 0, 5), (5, 0, 5), (0, 10, 10)]
    assert result(end_by_count(*shared, rules=event, sheet=lines)).ranks == {0: 2, 1: 1, 2: 3}
    ranks = result(end_by_count("9C 3D", "KD 5C", "9H AS AC 2D", rules=deals)).ranks
    assert ranks == {0: 1, 1: 2, 2: 2}


def test_b8_b10_states_that_take_long_to_come_to():
    laid_before = change_player(scene("7H 7S 7D", "KD KC 3S", next_closed="7C"), 0, laid_in=0)
    match = act(draw_card(laid_before), 0, "meld", groups="7H 7S 7D 7C")
    assert act.view(match)["result"]["how"] == "out"
    match = draw_card(scene("QH 2C", "KD KC 3S", closed_count=1))
    shuffles = act(match, 0, "discard", card="QH")
    assert shuffles.deal.closed == shuffle(match.deal.open_pile, seed=SEED, label="reshuffle:1")
    for changes in ({"restocks": 2}, {"open_pile": ()}):
        blocked = act(replace(match, deal=replace(match.deal, **changes)), 0, "discard", card="QH")
        assert act.view(blocked)["result"]["how"] == "blocked"
