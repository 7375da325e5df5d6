"""The rules of a match of Indian rummy R3 to R10, one by one (docs/rules.md): tables of `cases.py`.

Whole matches by all these rules are compared with the model (tests/games/model).
"""

from typing import Any

import pytest

from games.engine.base import InvalidRules
from games.engine.state import Stage, replace
from games.indian.game import GAME
from games.indian.lab.hand_help import HELP
from games.indian.rules import ruleset
from games.indian.rules.ruleset import POINTS, PRESETS
from games.indian.rules.state import MatchStanding
from tests.games.cases import Table
from tests.games.driving import NOW, SEED
from tests.games.indian import scenes
from tests.games.indian.scenes import (
    DECLARABLE,
    FOURTH,
    HOPELESS,
    WORTHLESS,
    act,
    act_events,
    expire,
    result,
    scene,
    standings,
    view,
    win_by_declaring,
)
from tests.games.scenes import kinds, read_refusal

PLAIN = "AS 4S 5S|3H 9H TH|4D 6D TD|7C 8C QC QD"
POOL = PRESETS["pool101"]
DEALS = PRESETS["deals2"]
NAMES = {
    **vars(scenes),
    **globals(),
    "JUMBLED": DECLARABLE.replace("|", " "),
    "LOOSE": HOPELESS.replace("|", " "),
    "RETURNS": replace(POINTS, may_return_open_card=True),
    "ONE": replace(POINTS, max_turns=1),
    "TWO": replace(POINTS, max_turns=2),
    "SIXTY": replace(POINTS, wrong_declaration_points=60),
    "COUNTED": replace(POINTS, wrong_declaration_counts="hand"),
    "COUNTED_60": replace(POINTS, wrong_declaration_counts="hand", max_points=60),
    "ENDS": replace(POINTS, wrong_declaration_ends_deal=True),
    "NO_REJOIN": replace(POOL, rejoin_score=None),
    "BEYOND": replace(POOL, rejoin_score=None, elimination_inclusive=False),
    "TOTAL": PRESETS["totalrummy-pool101"],
    "SIX": PRESETS["deals6"],
    "POOL61": PRESETS["pool61"],
    "LAST_ONE": ruleset.adapt_to_event(POOL, deals=1, qualifiers=1),
    "LAST_TWO": ruleset.adapt_to_event(POOL, deals=1, qualifiers=2),
    "POOL201": PRESETS["pool201"],
}


def build(*hands: str, scores: Any = (), chips: Any = (), number: int = 1, **fields: Any) -> Any:
    """Set up deal `number` of a match, with the scores or chips before it."""
    match = replace(scene(*hands, **fields), number=number)
    changes = [{"score": one} for one in scores] + [{"chips": one} for one in chips]
    return match.with_standings(
        replace(standing, **changes[standing.seat]) for standing in match.standings if changes
    )


def read_events(match: Any) -> list[str]:
    return [f"{status}/{points}/{how}" for status, points, how in standings(match).values()]


TABLE = Table(
    act, build, NAMES,
    roots={
        "stand": read_events,
        "score": lambda match: [match.get_standing(seat).score for seat in sorted(match.seats)],
        "chips": lambda match: [match.get_standing(seat).chips for seat in sorted(match.seats)],
        "in": lambda match: [match.get_standing(s).membership.value for s in sorted(match.seats)],
    },
)  # fmt: skip


@TABLE.cases("""
r4.3 a turn is one draw and one discard :: PLAIN / HOPELESS / DECLARABLE {next_closed=TS} :: 0 discard AS
  !wrong_step; 1 draw closed !not_your_turn; 1 drop !not_your_turn; 1 declare saved !not_your_turn; 0 show saved
  !wrong_step; 0 declare saved !wrong_step; 5 draw closed !not_in_deal; 0 draw closed >
  ev=[{"kind":"drawn","seat":0,"source":"closed"}] own0.drawn=TS.0 own0.from_open=false own0.groups.4=["TS.0"]
  step=discard players.0.cards=14; 0 draw closed !wrong_step; 0 discard KS.0 !card_not_held; 0 discard AS.1
  !card_not_held; 0 finish KS.0 !card_not_held; 0 drop !wrong_step; 0 discard QC > kinds=discarded,turn turn=1
  step=draw open_pile=2S.0,QC.0 discards=[[0,"QC.0"]]
r4.3 all see which card is drawn from the open pile :: PLAIN / HOPELESS :: 0 draw open > ev.0.card=2S.0
  open_pile=[] own0.from_open=true; 0 discard 2S !may_not_return_open_card; 0 discard QC
r4.5 a card from the open pile goes back where the rules allow it :: PLAIN / HOPELESS {rules=RETURNS} :: 0 draw
  open; 0 discard 2S
r4.3 nothing is drawn from an empty pile :: PLAIN / HOPELESS {open_pile=} :: 0 draw open !open_pile_empty
r4.4 the first to move may draw a printed joker :: PLAIN / HOPELESS {open_pile=PJ} :: > open_drawable=true; 0 draw
  open > own0.drawn=PJ.0
r4.4 the first to move may draw a wild joker :: PLAIN / HOPELESS {open_pile=JH} :: 0 draw open
r4.4 nobody else may draw a joker :: PLAIN / HOPELESS / DECLARABLE {open_pile=JH} :: 0 drop > open_drawable=false;
  1 draw open !joker_not_drawable
r4.4 nobody may draw a joker after a missed turn :: PLAIN / HOPELESS {open_pile=PJ} :: wait; 1 draw open
  !joker_not_drawable
r4.4 nobody may draw a joker that was discarded :: PLAIN / HOPELESS {next_closed=JS} :: 0 turn; 1 draw open
  !joker_not_drawable; 1 draw closed
r4.4 aces when a printed joker is turned up :: PLAIN / HOPELESS {wild=PJ next_closed=AH} :: > wild_rank=A; 0 turn;
  1 draw open !joker_not_drawable
r4.6 the open pile becomes the closed deck :: PLAIN / HOPELESS / DECLARABLE {closed=TS} :: 0 draw closed >
  closed_count=0; 0 discard QC > kinds=discarded,reshuffled,turn open_pile=["QC.0"]
r4.7 the deal ends after max_turns of everybody :: PLAIN / HOPELESS {rules=TWO} :: 0 turn; 1 turn; 0 turn; 1 turn >
  result.how=limit
r4.7 hands count by their best arrangement :: PLAIN / HOPELESS / JUMBLED {rules=ONE} :: 0 turn; 1 turn; 2 turn >
  stand=lost/80/best,lost/70/best,won/0/won res.winners=[2] res.points={"0":80,"1":70,"2":0}
r4.7 equal lowest counts share the win :: HOPELESS / HOPELESS / WORTHLESS {rules=ONE} :: 0 turn; 1 turn; 2 turn >
  stand=won/0/won,won/0/won,lost/80/best result.winners=[0,1]
r4.7 a drop keeps its points :: PLAIN / HOPELESS / DECLARABLE {rules=ONE} :: 0 drop; 1 turn; 2 turn >
  result.how=limit stand.0=dropped/20/first_drop
r4.8 the last one left wins :: PLAIN / HOPELESS / DECLARABLE :: 0 drop; 1 drop > kinds=dropped,deal_over,match_over
  ev.1.points={"0":20,"1":20,"2":0} result.how=last_player stand.2=won/0/won st.deadline=- st.acting=[]; 2 draw
  closed !match_over; 0 leave !match_over
r4.9 extra time is used up over the deal :: PLAIN / HOPELESS :: > st.deadline=1700000090000; 0 draw closed @90
  !time_is_up; 0 draw closed @40 > players.0.extra_ms=60000; 0 discard QC @50 > players.0.extra_ms=40000
  due_at=1700000080000 deadline=1700000140000
r4.9 a missed turn passes on :: PLAIN / HOPELESS :: wait > kinds=missed_turn,turn players.0.missed=1
  players.0.extra_ms=0
r4.9 a drawn card is discarded again :: PLAIN / HOPELESS {next_closed=TS} :: 0 draw closed; wait >
  kinds=missed_turn,discarded,turn ev.1.card=TS.0
r4.9 three missed in a row are a middle drop :: PLAIN / HOPELESS / DECLARABLE :: wait; wait; wait; wait; wait;
  wait; wait > kinds=missed_turn,dropped,turn stand.0=dropped/40/middle_drop
r4.9 declaring uses extra time too :: DECLARABLE / HOPELESS {next_closed=TS} :: 0 draw closed; 0 finish TS @50 >
  players.0.extra_ms=40000 st.deadline=1700000135000; 0 declare saved @135 !time_is_up; 0 declare saved @125 >
  players.0.extra_ms=10000
r5.1 a first drop :: HOPELESS / HOPELESS / DECLARABLE :: > players.1.drop_points=20; 1 drop !not_your_turn; 0 turn;
  1 drop > ev.0={"kind":"dropped","seat":1,"points":20,"how":"first_drop"} turn=2 players.1.drop_points=-; 1
  arrange 1 saved !not_in_deal; 1 draw closed !not_in_deal > legal1=["leave"]
r5.1 after a missed turn it is still a first drop :: HOPELESS / HOPELESS / DECLARABLE :: wait; 1 turn; 2 turn; 0
  drop > stand.0=dropped/20/first_drop
r5.1 after a turn it is a middle drop :: HOPELESS / HOPELESS :: 0 turn; 1 turn > players.0.drop_points=40; 0 drop >
  stand.0=dropped/40/middle_drop
r5.2 no drop in best of two :: HOPELESS / HOPELESS {rules=DEALS} :: 0 drop !drop_not_allowed >
  players.0.drop_points=-
r5.3 leaving before drawing is a first drop :: HOPELESS / HOPELESS / DECLARABLE :: 2 leave > kinds=left,dropped
  stand.2=left/20/first_drop; 2 leave !already_left; 7 leave !not_in_deal; 0 turn; 1 turn > turn=0
r5.3 leaving later is a middle drop :: HOPELESS / HOPELESS / DECLARABLE {next_closed=2D,TS,3C} :: 0 turn; 1 turn; 2
  turn; 0 leave > kinds=left,dropped,turn stand.0=left/40/middle_drop
r5.3 where drops are not allowed it counts full :: HOPELESS / HOPELESS / DECLARABLE {rules=DEALS} :: 1 leave >
  stand.1=left/80/full_count
r5.3 a drawn card goes to the open pile :: HOPELESS / HOPELESS / DECLARABLE {next_closed=TS} :: 0 draw closed; 0
  leave > kinds=left,discarded,dropped,turn open_pile~TS.0 stand.0=left/40/middle_drop players.0.cards=13
r5.3 leaving one opponent ends the deal :: HOPELESS / DECLARABLE :: 1 leave >
  kinds=left,dropped,deal_over,match_over res.next_order=[0]
r5.3 leaving has no clock and keeps a drop :: HOPELESS / HOPELESS / DECLARABLE :: 0 drop; 0 leave @100000 >
  kinds=["left"] stand.0=dropped/20/first_drop
r3.2 the fourteenth card goes to the finish slot :: DECLARABLE / HOPELESS {next_closed=TS} :: 0 finish 2H
  !wrong_step; 0 draw closed; 0 finish TS @5 > ev=[{"kind":"finished","seat":0,"card":"TS.0"}] phase=declare turn=0
  step=- finish.card=TS.0 due_at=1700000050000 st.acting=[0]; 0 discard 2H !not_your_turn; 0 drop !not_your_turn; 1
  declare saved !not_your_turn; 1 show saved !wrong_step; 0 declare 2H,3H,4H,5H|2C,3C,4C|KS,KD,KC
  !groups_not_your_hand; 0 declare 2H,3H,4H,5H|2C,3C,4C|KS,KD,KC|8S,8D,QH !groups_not_your_hand
r3.6 a valid declaration opens the window :: DECLARABLE / HOPELESS / HOPELESS {next_closed=TS} :: 0 draw closed; 0
  finish TS; 0 declare saved @1 > ev=[{"kind":"declared","seat":0,"valid":true,"reason":null,"failed_group":null}]
  phase=show turn=- deadline=1700000046000 declaration.kinds=pure_sequence,pure_sequence,set,set st.acting=[1,2]
  st.result=-; 1 show saved @46 !time_is_up; 2 show saved > ev=[{"kind":"shown","seat":2,"points":70}]
  st.acting=[1]; 2 show saved !already_shown; 2 arrange 9 saved !already_shown; 1 show hand >
  kinds=shown,deal_over,match_over stand=won/0/won,lost/80/shown,lost/70/shown result.how=declared
  result.hands.0.kinds=pure_sequence,pure_sequence,set,set result.hands.1.kinds=[null]
r3.6 another valid hand counts two points :: DECLARABLE / DECLARABLE {next_closed=TS} :: 0 draw closed; 0 finish
  TS; 0 declare saved; 1 show saved > stand.1=lost/2/shown
r6.4 a silent player is counted by the groups saved :: DECLARABLE / HOPELESS / DECLARABLE {next_closed=TS} :: 0
  draw closed; 0 finish TS; 0 declare saved; wait > kinds=shown,shown,deal_over,match_over
  stand=won/0/won,lost/70/saved,lost/2/saved res.ranks={"0":1,"1":3,"2":2} res.next_order=1,2,0 res.scores={}
r6.4 the server never improves an arrangement :: DECLARABLE / LOOSE / JUMBLED {next_closed=TS} :: 0 draw closed; 0
  finish TS; 0 declare saved; wait > stand=won/0/won,lost/80/saved,lost/77/saved
r6.4 the arrangement that was saved last counts :: DECLARABLE / LOOSE {next_closed=TS} :: 0 draw closed; 0 finish
  TS; 0 declare saved; 1 arrange 7 HOPELESS > kinds=[] own1.rev=7; 1 arrange 7 hand > own1.groups.0=5S.0,6S.0,7S.0;
  1 arrange 8 KS !groups_not_your_hand; wait > stand.1=lost/70/saved
r6.4 leaving after a declaration counts the groups saved :: DECLARABLE / HOPELESS / HOPELESS {next_closed=TS} :: 0
  draw closed; 0 finish TS; 0 declare saved; 1 leave > kinds=left,shown stand.1=lost/70/saved
r6.4 the winner may leave and still wins :: DECLARABLE / HOPELESS {next_closed=TS} :: 0 draw closed; 0 finish TS; 0
  declare saved; 0 leave > kinds=["left"]; wait > res.winners=[0] res.points={"0":0,"1":70} res.next_order=[1]
r3.4 with more than two only the declarer is out :: DECLARABLE / HOPELESS / HOPELESS {next_closed=TS} :: 0 draw
  closed; 0 finish TS; 0 declare hand @1 > kinds=declared,discarded,turn ev.0.reason=cards_do_not_match
  ev.0.failed_group=0 stand.0=wrong/80/wrong phase=turn turn=1 open_pile~TS.0 discards=[[0,"TS.0"]] finish=-
  due_at=1700000031000; 0 draw closed !not_in_deal; 1 draw open > own1.drawn=TS.0
r3.4 with two players the opponent wins :: DECLARABLE / HOPELESS {next_closed=TS} :: 0 draw closed; 0 finish TS; 0
  declare hand > kinds=declared,discarded,deal_over,match_over stand=wrong/80/wrong,won/0/won
  result.how=last_player
r3.4 a wrong declaration costs what the rules say :: DECLARABLE / HOPELESS {next_closed=TS rules=SIXTY} :: 0 draw
  closed; 0 finish TS; 0 declare hand > stand.0=wrong/60/wrong
r3.4 by some rules it costs all cards of the hand :: DECLARABLE / HOPELESS {next_closed=TS rules=COUNTED} :: 0 draw
  closed; 0 finish TS; 0 declare hand > stand.0=wrong/77/wrong
r3.4 the cards of the hand cost no more than the cap :: DECLARABLE / HOPELESS {next_closed=TS rules=COUNTED_60} ::
  0 draw closed; 0 finish TS; wait > stand.0=wrong/60/wrong
r3.4 by some rules the others win the deal :: WORTHLESS / DECLARABLE / HOPELESS / HOPELESS {next_closed=TS
  rules=ENDS} :: 0 drop; 1 draw closed; 1 finish TS; 1 declare hand > ev.2.winners=[2,3] result.how=wrong
  res.shares={"2":1,"3":1} stand=dropped/20/first_drop,wrong/80/wrong,won/0/won,won/0/won
r3.5 not declaring in time is a wrong declaration :: DECLARABLE / HOPELESS / HOPELESS {next_closed=TS} :: 0 draw
  closed; 0 finish TS > st.deadline=1700000105000; wait > ev.0.reason=not_declared_in_time stand.0=wrong/80/wrong
  declaration.groups=[] players.0.extra_ms=0
r3.5 leaving before declaring is a wrong declaration :: DECLARABLE / HOPELESS / HOPELESS {next_closed=TS} :: 0 draw
  closed; 0 finish TS; 0 leave > kinds=left,declared,discarded,turn ev.1.reason=left_before_declaring
r4.8 a player who has finished wins when all others leave :: DECLARABLE / HOPELESS {next_closed=TS} :: 0 draw
  closed; 0 finish TS; 1 leave > stand=won/0/won,left/20/first_drop result.how=last_player
r8.1 scores add up and the match goes on :: HOPELESS / DECLARABLE / WORTHLESS {rules=POOL scores=[10,20,30]} :: 0
  drop; 1 drop > kinds=dropped,deal_over,deal_due score=30,40,30 phase=between deadline=1700000008000 st.acting=[];
  0 offer_split !split_not_possible > match.split_parts=-; wait > kinds=dealt,turn deal=2 order=1,2,0 dealer=0
  toss=- st.deals=2
r8.1 a player who reaches the limit is eliminated :: HOPELESS / DECLARABLE / WORTHLESS {rules=NO_REJOIN
  scores=[81,80,0]} :: 0 drop; 1 drop > ev.2={"kind":"eliminated","seats":[0]} in=eliminated,in,in; wait >
  order=1,2
r8.1 by some rules a player must go beyond the limit :: HOPELESS / DECLARABLE / WORTHLESS {rules=BEYOND
  scores=[81,82,0]} :: 0 drop; 1 drop > in=in,eliminated,in
r8.7 the last one left wins :: HOPELESS / DECLARABLE / WORTHLESS {rules=POOL scores=[85,90,0]} :: 0 drop; 1 drop >
  kinds=dropped,deal_over,eliminated,match_over res.shares={"2":1} res.points={"0":105,"1":110,"2":0}
  res.ranks={"0":2,"1":3,"2":1}; 0 rejoin true !match_over
r8.2 an eliminated player may come back :: HOPELESS / DECLARABLE / WORTHLESS {rules=POOL scores=[85,30,40]} :: 0
  drop; 1 drop > ev.3={"kind":"rejoin_open","seats":[0],"score":51,"due_at":1700000020000} phase=rejoin
  match.rejoin_score=51 st.acting=[0]; 1 rejoin true !not_asked; 0 rejoin true @20 !time_is_up; 0 rejoin true @5 >
  kinds=rejoined,deal_due score=51,50,40 st.fees={"0":2,"1":1,"2":1} in=in,in,in; wait > order=1,2,0
r8.2 an eliminated player may decline :: HOPELESS / DECLARABLE / WORTHLESS {rules=POOL scores=[85,30,40]} :: 0
  drop; 1 drop; 0 rejoin false > kinds=rejoin_declined,deal_due; wait > order=1,2
r8.2 silence is a refusal :: HOPELESS / DECLARABLE / WORTHLESS {rules=POOL scores=[85,30,40]} :: 0 drop; 1 drop;
  wait > kinds=["deal_due"] in=eliminated,in,in
r8.2 leaving is a refusal :: HOPELESS / DECLARABLE / WORTHLESS {rules=POOL scores=[85,30,40]} :: 0 drop; 1 drop; 0
  leave > kinds=left,deal_due; 0 rejoin true !not_asked
r8.2 with one survivor the match is over :: HOPELESS / DECLARABLE / WORTHLESS {rules=POOL scores=[85,30,40]} :: 0
  drop; 1 drop; 1 leave > res.winners=[2]
r8.2 several come back :: HOPELESS / DECLARABLE / WORTHLESS / FOURTH {rules=POOL scores=[85,30,90,40]} :: 0 drop; 1
  drop; 2 drop > match.waiting=[0,2]; 2 rejoin true; 0 rejoin true > score=51,50,51,40
r8.2 a player may come back while a survivor has 79 :: HOPELESS / DECLARABLE / WORTHLESS {rules=POOL
  scores=[85,59,0]} :: 0 drop; 1 drop > match.rejoin_score=80
r8.2 nobody rejoins when a survivor has 80 :: HOPELESS / DECLARABLE / WORTHLESS {rules=POOL scores=[85,60,0]} ::
  0 drop; 1 drop > ev.3.kind=deal_due
r8.2 by another site's rules 79 is too many :: HOPELESS / DECLARABLE / WORTHLESS {rules=TOTAL scores=[85,59,0]} ::
  0 drop; 1 drop > phase=between
r5.4 a player who was out leaves :: HOPELESS / DECLARABLE / WORTHLESS {rules=NO_REJOIN scores=[85,30,40]} :: 0
  drop; 1 drop; 0 leave > kinds=["left"] phase=between
r9.1 the winner takes the points of the others :: DECLARABLE / HOPELESS / WORTHLESS {rules=DEALS next_closed=TS} ::
  0 draw closed; 0 finish TS; 0 declare saved; wait > chips=310,90,80 phase=between match.standings.0.deals_won=1
r9.1 most chips win :: DECLARABLE / HOPELESS / WORTHLESS {rules=DEALS chips=[50,300,130] number=2 next_closed=TS}
  :: 0 draw closed; 0 finish TS; 0 declare saved; wait > res.winners=[1] res.scores={"0":200,"1":230,"2":50}
  res.ranks={"0":2,"1":1,"2":3} res.shares={"1":1}
r9.2 a tie is played off by those who are equal :: DECLARABLE / HOPELESS / WORTHLESS {rules=DEALS
  chips=[50,270,160] number=2 next_closed=TS} :: 0 draw closed; 0 finish TS; 0 declare saved; wait >
  chips=200,200,80 match.tie_breaker=true st.result=-; wait > deal=3 order=1,0 own2.hand=[]; 1 drop
  !drop_not_allowed; 1 leave > kinds=left,dropped,deal_over,match_over res.winners=[0] chips=280,120,80
r10.13 a pool ends when no more are in than go on :: HOPELESS / DECLARABLE / WORTHLESS / FOURTH {rules=LAST_TWO
  scores=[85,30,90,40]} :: 0 drop; 1 drop; 2 drop > kinds=dropped,deal_over,eliminated,match_over res.winners=[3]
  res.ranks={"3":1,"1":2,"0":3,"2":4} res.points={"0":105,"1":50,"2":110,"3":40} res.scores={}
r10.13 in a final nobody rejoins and nothing is split :: HOPELESS / DECLARABLE / WORTHLESS / FOURTH
  {rules=LAST_ONE scores=[85,30,90,40]} :: 0 drop; 1 drop; 2 drop > kinds=dropped,deal_over,eliminated,deal_due
  match.split_parts=-; 0 rejoin true !not_asked; 1 offer_split !split_not_possible; wait > order=1,3
r10.13 nothing is shared automatically when nobody can drop :: HOPELESS / DECLARABLE / WORTHLESS / FOURTH
  {rules=LAST_ONE scores=[85,65,90,95]} :: 0 drop; 1 drop; 2 drop > phase=between
r10.13 equal scores share a rank :: HOPELESS / DECLARABLE / WORTHLESS / FOURTH {rules=LAST_TWO
  scores=[90,20,90,40]} :: 0 drop; 1 drop; 2 drop > res.winners=1,3 res.ranks={"1":1,"3":1,"0":3,"2":3}
r10.13 all but one go out at once :: HOPELESS / DECLARABLE / WORTHLESS / FOURTH {rules=LAST_TWO
  scores=[85,81,90,99]} :: 0 drop; 1 drop; 2 drop > res.winners=[3] res.ranks={"3":1,"1":2,"0":3,"2":4}
r10.13 r5.5 when everybody leaves the last who left wins :: DECLARABLE / HOPELESS {rules=LAST_ONE next_closed=TS}
  :: 0 draw closed; 0 finish TS; 0 declare saved; 0 leave; 1 leave > phase=over res.winners=[0]
  res.ranks={"0":1,"1":2}
r9.1 the last one wins :: HOPELESS / DECLARABLE {rules=DEALS} :: 1 leave > res.winners=[0]
  res.scores={"0":240,"1":80}
""")
def test_a_rule(case):
    TABLE.run(case)


@pytest.mark.parametrize(
    ("name", "first", "middle"),
    [("pool61", 15, 30), ("pool101", 20, 40), ("pool201", 25, 50), ("deals6", 20, 40)],
)
def test_r5_2_points_of_a_drop(name, first, middle):
    match = scene(HOPELESS, HOPELESS, DECLARABLE, rules=PRESETS[name])
    assert standings(act(match, 0, "drop"))[0] == ("dropped", first, "first_drop")
    match = act.turn(act.turn(act.turn(match, 0), 1), 2)
    assert standings(act(match, 0, "drop"))[0] == ("dropped", middle, "middle_drop")


# --- A split of a pool (R8.4 to R8.6).


def begin_break(*scores, rules=POOL):
    """Return the break after a deal that seat 2 wins, with these scores before it. The last seat is out."""
    hands = (HOPELESS, DECLARABLE, WORTHLESS, FOURTH)[: len(scores) + 1]
    match = build(*hands, scores=[*scores, 85], rules=replace(rules, rejoin_score=None))
    return act(act.turn(act(act(match, 0, "drop"), 1, "drop"), 2), 3, "drop")


def propose(match):
    outcome = GAME.core.offer_split(match, now=NOW + 2_000)
    assert outcome is not None
    return outcome.state, [event.json() for event in outcome.events]


PARTS = {"0": 7, "2": 4, "1": 1}


@pytest.mark.parametrize("is_asked_by_table", [False, True])
def test_r8_4_all_have_to_accept(is_asked_by_table):
    match = begin_break(20, 60, 60)
    # At 40, 80 and 60 points they have three, one and two drops left: 2, 0 and 1 more than the fewest.
    assert view(match)["match"]["split_parts"] == PARTS
    assert GAME.core.status(match).shares_offered == {0: 7, 2: 4, 1: 1}
    asked, told = act_events(match, 1, "offer_split", now=NOW + 2_000)
    kind, asker = ("split_offered", {"seat": 1})
    if is_asked_by_table:
        asked, told = propose(match)
        kind, asker = "split_open", {}
    assert told == [{"kind": kind, **asker, "parts": PARTS, "due_at": NOW + 17_000}]
    waiting = (0, 1, 2) if is_asked_by_table else (0, 2)
    assert (view(asked)["phase"], GAME.core.status(asked).acting) == ("split", waiting)
    assert view(asked)["match"]["split_asker"] == (None if is_asked_by_table else 1)
    assert act.refuse(asked, 3, "answer_split", accept=True) == "not_asked"
    assert GAME.core.offer_split(asked, now=NOW) is None
    agreed = asked
    for seat in waiting:
        assert GAME.core.status(agreed).result is None
        agreed, told = act_events(agreed, seat, "answer_split", accept=True)
    assert kinds(told) == ["split_answered", "split_closed", "match_over"]
    assert dict(result(agreed).shares) == {0: 7, 2: 4, 1: 1}
    assert dict(result(agreed).ranks) == {0: 1, 1: 1, 2: 1, 3: 4}
    for ended, told in (
        act_events(asked, 0, "answer_split", accept=False, now=NOW + 1_000),
        act_events(asked, 2, "leave"),
        act.expire_events(act(asked, 0, "answer_split", accept=True)),
    ):
        assert kinds(told)[-2:] == ["split_closed", "deal_due"]
        assert view(ended)["phase"] == "between"
        assert act.refuse(ended, 1, "offer_split") == "split_not_possible"
        assert GAME.core.offer_split(ended, now=NOW) is None
    # R5.4: the split offer stays open when a player who is out leaves.
    gone, told = act_events(asked, 3, "leave", now=NOW + 1_000)
    assert (kinds(told), view(gone)["phase"]) == (["left"], "split")
    assert GAME.core.status(gone).deadline == GAME.core.status(asked).deadline


def test_r8_4_r8_6_no_split_is_offered_when_it_is_not_possible():
    running = build(HOPELESS, DECLARABLE, WORTHLESS, scores=(20, 30, 40), rules=POOL)
    of_all = act(act(running, 0, "drop"), 1, "drop")
    for match in (running, of_all):  # first during a deal, then with every player still in
        assert act.refuse(match, 0, "offer_split") == "split_not_possible"
        assert GAME.core.offer_split(match, now=NOW) is None
        assert GAME.core.status(match).shares_offered is None
    # R8.6: nobody has a drop left.
    assert dict(result(begin_break(62, 65, 95)).shares) == {0: 1, 1: 1, 2: 1}
    asked = begin_break(62, 65, 95, rules=replace(POOL, equal_split="agreed"))
    assert view(asked)["match"]["split_parts"] == {"0": 4, "1": 4, "2": 4}
    left = act(begin_break(65, 70, 20), 2, "leave")
    assert dict(result(left).shares) == {0: 1, 1: 1}


# --- Ties (R9.2, R10.4) and leaving in a break (R5.4, R5.5).

# The chips won and lost in the last deal: seat 0 declares and gets 70, 80 and 80.
GAINS = {3: (150, -70, -80), 4: (230, -70, -80, -80)}


def begin_last_deal(*chips, qualifiers=None, changes=()):
    """Return the match after the second of two deals, with these chips after it."""
    hands = (DECLARABLE, HOPELESS, WORTHLESS, FOURTH)[: len(chips)]
    rules = replace(DEALS, qualifiers=qualifiers)
    gains = GAINS[len(chips)]
    before = [
        # Once this deal is added, all are level in deals won and in points.
        MatchStanding(seat, chips=after - gain, deals_won=1 - (seat == 0), score=100 + min(gain, 0))
        for seat, (after, gain) in enumerate(zip(chips, gains, strict=True))
    ]
    before = [replace(one, **dict(changes).get(one.seat, {})) for one in before]
    match = replace(scene(*hands, rules=rules), number=2)
    return expire(win_by_declaring(match.with_standings(before)))


@pytest.mark.parametrize(
    ("match", "ranks"),
    [
        # With qualifiers, equal chips are decided by deals won, then by fewer points.
        (begin_last_deal(200, 200, 80, qualifiers=2, changes=((0, {"score": 0}),)), {0: 1, 1: 2, 2: 3}),
        (begin_last_deal(280, 100, 100, qualifiers=2, changes=((2, {"deals_won": 0}),)), {0: 1, 1: 2, 2: 3}),
        (act(begin_last_deal(200, 200, 80), 1, "leave"), {0: 1, 2: 2, 1: 3}),
        (act(begin_last_deal(280, 100, 100, qualifiers=2), 1, "leave"), {0: 1, 2: 2, 1: 3}),
        (act(begin_last_deal(280, 100, 100, qualifiers=2), 2, "leave"), {0: 1, 1: 2, 2: 3}),
        (act(begin_last_deal(280, 100, 100, qualifiers=2), 0, "leave"), {1: 1, 2: 1, 0: 3}),
        # R5.5: a tie-breaker that has begun is played to its end, even if players leave.
        (act(act(expire(begin_last_deal(280, 100, 100, qualifiers=2)), 0, "leave"), 2, "leave"),
         {1: 1, 0: 2, 2: 3}),
    ],
)  # fmt: skip
def test_r10_4_ranks(match, ranks):
    assert dict(result(match).ranks) == ranks


def test_r10_4_tie_breakers_may_follow_one_another_for_long():
    """Two players miss a tie-breaker and are level in ten more, which all reach their limit of turns."""
    short = replace(ruleset.POINTS, max_points=1, max_turns=1, max_missed_turns=1)
    rules = ruleset.adapt_to_event(short, deals=1, qualifiers=2)
    match = scene(HOPELESS, WORTHLESS, FOURTH, rules=rules)
    for number in range(12):
        players = [player.seat for player in match.deal.players]
        assert len(players) == (3 if number < 2 else 2)
        while match.stage is Stage.DEAL:
            seat = match.deal.at_turn.seat
            match = expire(match) if number == 1 else act.turn(match, seat)
        assert GAME.stored.load(GAME.stored.dump(match)) == match
        assert match.stage is Stage.BETWEEN
        match = expire(match)
    ended = act(match, match.deal.at_turn.seat, "leave")
    assert sorted(result(ended).ranks.values()) == [1, 2, 3]


# --- Chips (R9.1, R10.11), deferred drops, help.

EVENT = ruleset.adapt_to_event(DEALS, deals=2, qualifiers=3)


def test_r10_4_points_are_played_as_deals_that_chips_decide():
    rules = ruleset.adapt_to_event(ruleset.POINTS, deals=2, qualifiers=1)
    assert (ruleset.get_format_code(rules), ruleset.event_start(rules)) == ("DEALS", 160)
    assert (rules.first_drop, rules.middle_drop) == (20, 40)
    dear = ruleset.adapt_to_event(replace(ruleset.POINTS, max_points=100), deals=3, qualifiers=1)
    assert ruleset.event_start(dear) == 300
    assert ruleset.adapt_to_event(DEALS, deals=3, qualifiers=1).chips_per_deal == 80
    assert ruleset.find_exit_score(rules) is None


@pytest.mark.parametrize(("name", "limit"), [("pool61", 61), ("pool101", 101), ("pool201", 201)])
def test_r10_13_a_pool_is_played_to_its_limit(name, limit):
    rules = ruleset.adapt_to_event(ruleset.PRESETS[name], deals=6, qualifiers=2)
    assert (ruleset.get_format_code(rules), ruleset.find_exit_score(rules), rules.deals) == (
        "POOL",
        limit,
        None,
    )
    assert (rules.rejoin_score, rules.split, rules.qualifiers) == (None, False, 2)
    assert ruleset.find_exit_score(replace(rules, elimination_inclusive=False)) == limit + 1
    assert GAME.rules.parse(GAME.rules.json(rules)) == rules
    for refused in ({"rejoin_score": 44}, {"split": True}):
        with pytest.raises(InvalidRules):
            GAME.rules.change(rules, **refused)
    with pytest.raises(InvalidRules):  # a pool has no chips to stake
        ruleset.adapt_to_stakes(rules, point_chips=1, stacks=())


def test_r10_11_stacks_are_rules():
    rules = ruleset.adapt_to_stakes(EVENT, point_chips=3, stacks=(500, 40))
    assert GAME.rules.parse(GAME.rules.json(rules)) == rules
    assert GAME.rules.json(rules)["stacks"] == [500, 40]
    assert GAME.money.format_title(rules).values == {"deals": 2, "stake": 3}
    with pytest.raises(InvalidRules):  # seat 2 has no stack
        GAME.core.start(rules=rules, seats=(0, 1, 2), toss=False, seed=SEED, now=NOW)


def test_r5_1_a_drop_may_be_asked_for_at_the_next_turn():
    def deferred(match: Any, seat: int) -> list[str]:
        return [move.kind for move in GAME.core.list_deferrable(match, seat)]

    match = scene(HOPELESS, DECLARABLE, HOPELESS)
    assert [deferred(match, seat) for seat in (0, 1, 2, 5)] == [["drop"]] * 3 + [[]]
    dropped = act(match, 0, "drop")
    assert (deferred(dropped, 0), deferred(dropped, 1)) == ([], ["drop"])
    assert deferred(act(dropped, 1, "drop"), 2) == []
    assert deferred(scene(HOPELESS, DECLARABLE, rules=DEALS), 0) == []
    for rules in (replace(DEALS, first_drop=20), replace(DEALS, middle_drop=40)):
        assert deferred(scene(HOPELESS, DECLARABLE, rules=rules), 0) == ["drop"]


def test_a_legal_drop_is_described_with_its_points():
    told = {one["kind"]: one for one in GAME.core.describe_legal(scene(HOPELESS, DECLARABLE), 0)}
    assert told["drop"] == {"kind": "drop", "points": POINTS.first_drop}
    over = expire(win_by_declaring(scene(DECLARABLE, HOPELESS, rules=DEALS)))
    assert read_refusal(HELP.answer, over, 0, {"kind": "arrange"}) == "deal_over"
    assert GAME.rules.preset("lesson").turn_seconds == 6 * POINTS.turn_seconds
