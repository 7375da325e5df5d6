"""The rules of Rummikub K2 to K18, one by one (docs/games/rummikub.md): tables of `cases.py`.

An independent model also judges lays of all kinds (tests/games/rummikub/model).
"""

from typing import Any

import pytest

from games.cards import full_deck
from games.engine.state import replace, require
from games.rummikub.game import GAME
from games.rummikub.lab.hand_help import HELP
from games.rummikub.rules.deal import RummikubEnding
from games.rummikub.rules.match import RummikubLine
from games.rummikub.rules.ruleset import POINTS, PRESETS, adapt_to_event
from games.shuffle import shuffle
from tests.games.cases import Table
from tests.games.driving import NOW
from tests.games.rummikub.scenes import (
    LOOSE,
    act,
    act_events,
    draft,
    expire,
    melds,
    result,
    scene,
    view,
    view_own,
)
from tests.games.scenes import read_refusal

MODERN = PRESETS["modern"]
SESSION = PRESETS["session4"]
NAMES = {
    **globals(),
    "MUST": replace(POINTS, must_play=True),
    "LOW": replace(POINTS, initial_meld=45),
    "HIGH": replace(POINTS, initial_meld=46),
    "THIRTY": PRESETS["sabra30"],
    "UNTOUCHED": replace(POINTS, open_then_play=False),
    "ANYWHERE": replace(POINTS, swap_from="anywhere"),
    "BOTH": replace(POINTS, group_swap="both"),
    "FREE": replace(POINTS, overtime_tiles=0),
    "ONE_TURN": replace(POINTS, max_turns=1),
}


def build(*racks: str, new: bool = False, **fields: Any) -> Any:
    return scene(*racks, opened=not new, **fields)


TABLE = Table(act, build, NAMES, {"arrange": "rev table", "draw": ""})


@TABLE.cases("""
k5 a drawn tile ends the turn :: 8H 2C {next_drawn=9D,9C} :: 0 draw > kinds=drawn,turn
  ev.0={"kind":"drawn","seat":0,"count":1,"why":"turn"} own0.drawn=["9D.0"] turn=1; 0 draw !not_your_turn
k5 a pass needs an empty pool :: 8H 2C :: 0 pass !pool_not_empty
k5 a draw needs a tile in the pool :: 8H 2C {pool_size=0} :: 0 draw !pool_empty; 0 pass > kinds=passed,turn; 0 pass
  !not_your_turn
k5 drawing is allowed where something could be laid :: 8H 2C {table=5H,6H,7H} :: 0 draw > kinds=drawn,turn
k5 drawing is refused where one must play :: 8H 2C {table=5H,6H,7H rules=MUST} :: 0 draw !must_play
k5 passing is refused where one must play :: 8H 2C {table=5H,6H,7H pool_size=0 rules=MUST} :: 0 pass !must_play
k5 a player with nothing to lay may pass :: 2C {pool_size=0 rules=MUST} :: 0 pass
k5 a lay is the whole table and ends the turn :: 8H 2C {table=5H,6H,7H|3S,3H,3D} :: 0 lay 5H,6H,7H,8H|3S,3H,3D >
  kinds=laid,turn table.0.cards.3=8H.0 own0.hand=["2C.0"] turn=1
k6 a lay that is not valid is refused :: 8H 2C 2D / 9H {table=5H,6H,7H|3S,3H,3D} :: 0 lay 5H,6H,7H|3S,3H,3D
  !nothing_laid; 0 lay 5H,6H,7H,8H !tiles_missing; 0 lay [] !tiles_missing; 0 lay 5H,6H,7H|3S,3H,3D|8H,2C,2D
  !table_not_valid; 0 lay 5H,6H|7H,8H|3S,3H,3D !table_not_valid; 0 lay
  [{"cards":["5H.0","6H.0","7H.0","8H.0","9H.0"],"as":["5H","6H","7H","8H","9H"]}] !card_not_held
k6 a twin of the rack takes no tile off the table :: 5H.1 2C {table=5H.0,6H,7H} :: 0 lay
  [{"cards":["5H.1","6H.0","7H.0"],"as":["5H","6H","7H"]}] !tiles_missing
k7 an initial meld takes fifty points of the rack :: 9H TH JH QH KH 5S {new=true} :: 0 lay 9H,TH,JH,QH,KH >
  kinds=laid,opened,turn ev.1.points=55 players.0.opened=true
k7 several melds are counted together :: TH JH QH 6S 6H 6D 2C {new=true} :: 0 lay TH,JH,QH !below_initial_meld; 0
  lay TH,JH,QH|6S,6H,6D > last_lay.points=51
k7 exactly the points of the rules are enough :: KS KH KD QS 2C AS 2S 3S {new=true rules=LOW} :: 0 lay
  KS,KH,KD|AS,2S,3S
k7 a point less is not enough :: KS KH KD QS 2C AS 2S 3S {new=true rules=HIGH} :: 0 lay KS,KH,KD|AS,2S,3S
  !below_initial_meld
k7 a joker counts as its tile :: KS KH PJ QS QH QD 2C {new=true} :: 0 lay QS,QH,QD !below_initial_meld; 0 lay
  KS,KH,PJ=KD|QS,QH,QD > ev.0.points=75 ev.1.points=75
k7 by the modern rules thirty are enough :: TH JH QH 2C {new=true rules=THIRTY} :: 0 lay TH,JH,QH >
  players.0.opened=true
k7 the rest of the table may be used in the same lay :: KS KH KD QS QH QD 8H 2C {table=5H,6H,7H new=true} :: 0 lay
  5H,6H,7H,8H !below_initial_meld; 0 lay 5H,6H,7H,8H|KS,KH,KD|QS,QH,QD > own0.hand=["2C.0"]
k7 by some rules the table stays as it is :: KS KH KD QS QH QD 8H 2C {table=5H,6H,7H new=true rules=UNTOUCHED} :: 0
  lay 5H,6H,7H,8H|KS,KH,KD|QS,QH,QD !table_not_yours; 0 lay 5H,6H,7H|KS,KH,KD|QS,QH,QD
k7 a meld with a tile of the table does not count :: KS KH QS QH QD 2C {table=TD,JD,QD,KD new=true} :: 0 lay
  TD,JD,QD|KS,KH,KD|QS,QH,QD !below_initial_meld
k7 a draft shows the points of its melds :: TH JH QH 6S 6H 6D 2C {new=true} :: 0 arrange 1 TH,JH,QH|6S,6H >
  own0.draft.opening_points=33 own0.draft.refusal=table_not_valid
k8 everything may be taken apart :: 4D 6D 2C {table=5S,5H,5D,5C|7D,8D,9D,TD} :: 0 lay 5S,5H,5C|4D,5D,6D,7D|8D,9D,TD
  > own0.hand=["2C.0"] last_lay.moved=5D.0,7D.0
k9 nothing is taken from a frozen meld :: 8H 9H 2C {table=4H,PJ=5H,6H,7H} :: 0 lay 4H,PJ=5H,6H|7H,8H,9H
  !joker_is_frozen
k9 tiles may be added at the ends of a frozen run :: 3H 8H 2C {table=4H,PJ=5H,6H,7H} :: 0 lay 3H,4H,PJ=5H,6H,7H,8H
k9 tiles of the table may be added to a frozen run :: JH 2C {table=4H,PJ=5H,6H|7H,8H,9H,TH} :: 0 lay
  4H,PJ=5H,6H,7H|8H,9H,TH,JH
k9 a fourth tile may be added to a frozen group :: 4C 2C {table=4H,PJ=4D,4S} :: 0 lay 4H,PJ=4D,4S,4C
k9 a joker that is added counts as its tile :: PJ 5S 5H 5C 2C {table=JD,QD,PJ=KD} :: 0 lay
  PJ=TD,JD,QD,PJ=KD|5S,5H,5C > last_lay.points=25
k9 a frozen joker stands for the same tile in a group :: 4D 2C {table=4H,PJ=4D,4S} :: 0 lay 4H,PJ=4C,4S,4D
  !joker_not_laid
k9 a frozen joker keeps its place in a run :: 7H 2C {table=PJ=4H,5H,6H} :: 0 lay 5H,6H,7H,PJ=8H !joker_is_frozen
k9 two frozen runs do not become one :: 9H 2C {table=3H,4H,PJ=5H|PJ=6H,7H,8H} :: 0 lay 3H,4H,PJ=5H,PJ=6H,7H,8H,9H
  !joker_is_frozen
k9 by the modern rules a joker moves :: 7H 2C {table=PJ=4H,5H,6H rules=MODERN} :: 0 lay 5H,6H,7H,PJ=8H >
  last_lay.moved=["PJ.0"]
k9 by the modern rules it is frozen until the initial meld :: 7H KS KH KD 2C {table=PJ=4H,5H,6H rules=MODERN
  new=true} :: 0 lay 5H,6H,7H,PJ=8H|KS,KH,KD !joker_is_frozen; 0 lay PJ=4H,5H,6H,7H|KS,KH,KD
k10 its tile frees a joker, which is laid with two more tiles :: 5H KS KD 2C {table=4H,PJ=5H,6H} :: 0 lay
  4H,5H,6H|KS,KD,PJ=KC
k10 two tiles of the rack are needed :: 5H KC.1 2C {table=4H,PJ=5H,6H|KD.0,KH.0,KC.0,KS.1} :: 0 lay
  4H,5H,6H|KH,KC.0,KD|KS.1,PJ=KH,KC.1 !joker_not_laid
k10 two tiles of the rack are enough :: 5H KC.1 KD.1 2C {table=4H,PJ=5H,6H|KD.0,KH.0,KC.0,KS.1} :: 0 lay
  4H,5H,6H|KH,KC.0,KD.0|KS.1,PJ=KH,KC.1,KD.1
k10 a freed joker is not laid on a meld of the table :: 5H 2C 3D {table=4H,PJ=5H,6H|JS,QS,KS} :: 0 lay
  4H,5H,6H|PJ=TS,JS,QS,KS !joker_not_laid
k10 the tile that frees it comes from the rack :: KS KD 2C {table=4H,PJ=5H,6H|5S,5H,5D,5C} :: 0 lay
  4H,5H,6H|5S,5D,5C|KS,KD,PJ=KC !joker_is_frozen
k10 by some rules the tile comes from anywhere :: KS KD 2C {table=4H,PJ=5H,6H|5S,5H,5D,5C rules=ANYWHERE} :: 0 lay
  4H,5H,6H|5S,5D,5C|KS,KD,PJ=KC
k10 a tile of a frozen meld frees nothing :: KS KD 2C {table=4H,PJ=5H,6H|5H,PJ=5S,5D,5C|6H.1,4H.1,5H.1
  rules=ANYWHERE} :: 0 lay 4H,5H.1,6H|5H,PJ=5S,5D,5C|KS,KD,PJ=KC !tiles_missing
k10 in a group of three a missing colour frees it :: 4D KS KH 2C {table=4S,4H,PJ=4D} :: 0 lay 4S,4H,4D|KS,KH,PJ=KD
k10 in a group of three the other missing colour frees it too :: 4C KS KH 2C {table=4S,4H,PJ=4D} :: 0 lay
  4S,4H,4C|KS,KH,PJ=KD
k10 by the tournament rule one missing colour is not enough :: 4D KS KH 2C {table=4S,4H,PJ=4D rules=BOTH} :: 0 lay
  4S,4H,4D|KS,KH,PJ=KD !joker_is_frozen
k10 by the tournament rule both missing colours free it :: 4D 4C KS KH 2C {table=4S,4H,PJ=4D rules=BOTH} :: 0 lay
  4S,4H,4D,4C|KS,KH,PJ=KD
k10 in a group of four the missing colour frees it :: 4C KS KH 2C {table=4S,4H,4D,PJ=4C} :: 0 lay
  4S,4H,4D,4C|KS,KH,PJ=KD
k10 without its joker the meld may be taken apart :: 5H KS KH 7H 8H 2C {table=4H,PJ=5H,6H|4S,4D,4C} :: 0 lay
  5H,6H,7H,8H|4S,4D,4C,4H|KS,KH,PJ=KD
k10 one of two jokers is freed :: 5H KS KH 2C {table=4H,PJ=5H,PJ=6H,7H} :: 0 lay 4H,5H,PJ=6H,7H|KS,KH,PJ=KD
k10 one of two jokers is not laid as a run of its own :: 5H 6H KS KH 8H 2C {table=4H,PJ=5H,PJ=6H,7H} :: 0 lay
  PJ=6H,7H,8H|KS,KH,PJ=KD|4H,5H,6H !joker_not_laid
k10 two jokers are freed together :: 5H 6H KS KH QD QC 2C {table=4H,PJ=5H,PJ=6H,7H} :: 0 lay
  4H,5H,6H,7H|KS,KH,PJ=KD|QD,QC,PJ=QS
k10 two freed jokers are laid in one meld :: 5H 6H KS KH 2C {table=4H,PJ=5H,PJ=6H,7H} :: 0 lay
  4H,5H,6H,7H|KS,KH,PJ=KD,PJ=KC
k10 two freed jokers need two tiles of the rack each :: 5H 6H KS.1 KH.1 2C
  {table=4H,PJ=5H,PJ=6H,7H|KS,KH,KD,KC|9D,9C,9H,9S} :: 0 lay 4H,5H,6H,7H|KS,KH,PJ=KD,KC|KS,KH,PJ=KC,KD|9D,9C,9H,9S
  !joker_not_laid
k10 a joker of the rack is one of the two :: 5H KS PJ 2C {table=4H,PJ=5H,6H} :: 0 lay 4H,5H,6H|KS,PJ=KH,PJ=KD
k11 no joker is freed with the initial meld :: 5H KS KH KD QS QH 2C {table=4H,PJ=5H,6H new=true rules=THIRTY} :: 0
  lay 4H,5H,6H|KS,KH,KD|QS,QH,PJ=QD !joker_is_frozen
k11 a joker never comes onto a rack :: 5H 2C {table=4H,PJ=5H,6H} :: 0 lay 4H,5H,6H !tiles_missing
k18 all see what the last lay moved :: 4S 2C {table=4H,4D,4C|AC,2C,3C,4C.1} :: 0 lay 4H,4D,4C.1,4S|AC,2C,3C,4C.0 >
  ev.0.from_rack=["4S.0"] ev.0.moved=4C.0,4C.1 last_lay.points=4
k12 a draft is kept and judged :: 8H 9H 2C {table=5H,6H,7H} :: 0 arrange 4 5H,6H,7H,8H > kinds=[]
  own0.draft.refusal=- own0.draft.tiles=1 own0.draft.points=8 own0.draft.missing=[] own0.rev=4 own1.draft=-
  table.0.cards~7H.0; 0 arrange 4 5H,6H,7H,9H > own0.draft.points=8; 0 arrange 5 6H,7H,8H >
  own0.draft.missing=["5H.0"] own0.draft.refusal=tiles_missing; 1 arrange 1 [] !not_your_turn; 0 arrange 6
  [{"cards":["KC.0"],"as":null}] !card_not_held; 0 draw > own0.draft=-
k12 a without a draft one tile is drawn :: 8H 2C {table=5H,6H,7H next_drawn=9D} :: wait >
  kinds=missed_turn,drawn,turn ev.1.why=overtime ev.1.count=1 players.0.missed=1
k12 a with an unchanged table one tile is drawn :: 8H 2C {table=5H,6H,7H|9S,9H,9D} :: 0 arrange 1
  9S,9H,9D|5H,6H,7H; wait > ev.1.count=1
k12 b a valid table stands and one tile is drawn :: 8H 2C {table=5H,6H,7H next_drawn=9D} :: 0 arrange 1
  5H,6H,7H,8H; wait > kinds=laid,drawn,turn ev.1.why=overtime players.0.missed=0 table.0.cards~8H.0
k12 b the last tile wins and none is drawn :: 8H {table=5H,6H,7H} :: 0 arrange 1 5H,6H,7H,8H; wait >
  kinds=laid,deal_over,match_over result.winners=[0]
k12 b a draft can be the initial meld :: QS QH QD KS KH KD 2C {new=true} :: 0 arrange 1 QS,QH,QD|KS,KH,KD; wait >
  kinds=laid,opened,drawn,turn
k12 c a table that is not valid goes back and three are drawn :: 8H 2C {table=5H,6H,7H|9S,9H,9D
  next_drawn=KC,KD,KH} :: 0 arrange 1 5H,6H|7H,8H|9S,9H,9D; wait > kinds=missed_turn,drawn,turn ev.1.count=3
  ev.1.why=invalid own0.drawn=KC.0,KD.0,KH.0 table.0.cards=5H.0,6H.0,7H.0
k12 c a pool of two gives only two :: 8H 2C {table=5H,6H,7H next_drawn=KC,KD pool_size=2} :: 0 arrange 1
  5H,6H|7H,8H; wait > ev.1.count=2 pool_count=0
k12 there is no extra time :: 8H 2C {table=5H,6H,7H} :: 0 lay 5H,6H,7H,8H @120 !time_is_up; 0 arrange 1 - @120
  !time_is_up > st.deadline=1700000120000
k12 nothing is drawn where the rules say so :: 8H 2C {table=5H,6H,7H rules=FREE} :: wait > kinds=missed_turn,turn
k13 the third silent turn is short, and then the player is out :: 8H 2C / LOOSE / KC KD :: wait >
  players.0.missed=1; 1 draw; 2 draw; wait; 1 draw; 2 draw > due_at=1700000015000; wait >
  kinds=missed_turn,out,turn players.0.status=out turn=1 legal0=["leave"]; 0 draw !not_in_deal; 1 draw; 2 draw >
  turn=1; 0 leave > kinds=["left"] legal0=[]
k13 a move in time ends the row of silent turns :: 8H 2C / LOOSE :: wait; 1 draw; 0 draw > players.0.missed=0
k13 a player who leaves is out at once :: 8H 2C / LOOSE / KC KD :: 0 leave > kinds=left,out,turn
  players.0.status=left; 0 leave !not_in_deal; 2 leave > kinds=left,out,deal_over,match_over ev.2.how=last_player
  res.winners=[1] res.points={"0":10,"1":0,"2":26} res.ranks={"0":3,"1":1,"2":2} res.next_order=[1]
k13 a player may leave out of turn :: 8H 2C / LOOSE / KC KD :: 2 leave > kinds=left,out turn=0
k14 the last tile wins :: 8H / KC PJ / AS 2S {table=5H,6H,7H} :: 0 lay 5H,6H,7H,8H >
  ev.1.points={"0":0,"1":43,"2":3} res.points={"0":0,"1":43,"2":3} res.ranks={"0":1,"1":3,"2":2}
  match.scores={"0":46,"1":-43,"2":-3} result.racks.1.count=43; 1 draw !match_over; 1 leave !match_over
k14 when all have passed the lowest count wins :: 8H 2C / KC PJ / AS 2S {pool_size=0} :: 0 pass; 1 pass; 2 pass >
  kinds=passed,deal_over,match_over ev.1.how=blocked ev.1.winners=[2] ev.1.points={"0":7,"1":40,"2":0}
k14 equal lowest counts share the win :: 8H 2C / KC PJ / TS {pool_size=0} :: 0 pass; 1 pass; 2 pass >
  result.winners=[0,2] match.scores={"0":17,"1":-33,"2":16}
k14 a lay begins the passes anew :: 8H 2C / 9H PJ {pool_size=0 table=5H,6H,7H} :: 0 pass; 1 lay 5H,6H,7H,PJ=8H; 0
  pass > phase=turn
k14 leaving begins the passes anew :: 8H 2C / KC PJ / TS {pool_size=0} :: 0 pass; 1 leave; 2 pass > phase=turn; 0
  pass > result.how=blocked
k14 a deal is blocked also in the last turn of all :: 8H 2C / KC PJ {pool_size=0 rules=ONE_TURN} :: 0 pass; 1 pass
  > ev.1.how=blocked
k14 silence counts as a pass :: 8H 2C / 9H PJ {pool_size=0} :: wait; 1 pass > ev.1.how=blocked
k16 a session goes on after a deal :: 8H / KC / AS 2S {table=5H,6H,7H rules=SESSION} :: 0 lay 5H,6H,7H,8H >
  kinds=laid,deal_over,deal_due phase=between st.deadline=1700000012000 st.acting=[]
  match.scores={"0":16,"1":-13,"2":-3} legal1=["leave"]; 0 draw !deal_over; 0 leave > kinds=["left"]; wait >
  order=1,2 players.0.status=left players.0.score=16 players.1.tiles=14; 1 leave >
  kinds=left,out,deal_over,match_over res.winners=[2] res.ranks={"0":3,"1":2,"2":1}
k2 the next player begins the next deal :: 8H / KC / AS 2S {table=5H,6H,7H rules=SESSION} :: 0 lay 5H,6H,7H,8H;
  wait > deal=2 order=1,2,0 toss=-
k13 the last one takes the pot :: 8H / KC {table=5H,6H,7H rules=SESSION} :: 0 lay 5H,6H,7H,8H; 0 leave >
  kinds=left,match_over res.winners=[1] legal1=[]
""")
def test_a_rule(case):
    TABLE.run(case)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("4H 5H 6H", "run"), ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", "run"), ("4H 4C 4S", "group"),
        ("4H 4C 4S 4D", "group"), ("4H PJ=4C 4S", "group"), ("PJ=3H PJ=4H 5H", "run"), ("4H 5H", None),
        ("4H 5H 6C", None), ("4H 6H 7H", None), ("QH KH AH", None), ("4D 4D 4H", None),
        ("4D 4D 4H 4S", None), ("4H 5H 6H 6H", None), ("4H=5H 5H=6H 6H=7H", None), ("PJ PJ", None),
    ],
)  # fmt: skip
def test_k4_runs_and_groups(text, kind):
    [meld] = melds(text)
    assert (meld.kind and meld.kind.value) == kind


@pytest.mark.parametrize("number", range(12))
def test_k2_k3_the_highest_tile_begins_and_fourteen_are_dealt(number):
    seed = bytes([number] * 32)
    outcome = GAME.core.start(rules=POINTS, seats=(0, 2, 3), toss=True, seed=seed, now=NOW)
    cards: Any = outcome.events[0].json()["cards"]
    drawn = {one["seat"]: one["card"] for one in cards}
    first = max(
        drawn,
        key=lambda seat: ("A23456789TJQK".index(drawn[seat][0]), -"SHDC".index(drawn[seat][1])),
    )
    place = (0, 2, 3).index(first)
    order = ((0, 2, 3) * 2)[place : place + 3]
    assert tuple(view(outcome.state)["order"]) == order == tuple(one["seat"] for one in cards)
    deck = shuffle(full_deck(2), seed=seed, label="deal")
    for at, seat in enumerate(order):
        assert view_own(outcome.state, seat)["hand"] == [
            str(tile) for tile in sorted(deck[at:42:3])
        ]
    assert outcome.state.deal.pool[::-1] == deck[42:]


def test_k12_a_draft_lists_the_readings_of_its_jokers():
    match = draft(scene("8H PJ TH 4S 4H PJ 2C"), 0, "8H PJ TH|4S 4H PJ")
    first, second = view_own(match, 0)["draft"]["table"]
    assert (first["as"], first["readings"]) == (["8H", "9H", "TH"], [])
    assert second["readings"] == [["4S", "4H", "4D"], ["4S", "4H", "4C"]]


def deal_again(match, *racks):
    """Play the next deal with these racks, in which the first player goes out at once."""
    match = expire(match)
    fresh = scene(*racks, table="5H 6H 7H", rules=match.rules).deal
    seats = zip(fresh.players, match.deal.order, strict=True)
    players = tuple(replace(player, seat=seat) for player, seat in seats)
    match = replace(match, deal=replace(match.deal, players=players, table=fresh.table))
    return act(match, match.deal.order[0], "lay", table="5H 6H 7H 8H")


def begin_first_deal(*racks, rules):
    match = scene("8H", *racks, table="5H 6H 7H", rules=rules)
    return act(match, 0, "lay", table="5H 6H 7H 8H")


def test_k16_the_highest_total_takes_the_pot():
    rules = replace(SESSION, deals=2)
    found = result(deal_again(begin_first_deal("KC", "AS 2S", rules=rules), "8H", "9C 9D", "AS 2S"))
    # 16 - 3 = 13, -13 + 21 = 8, -3 - 18 = -21
    assert (found.winners, dict(found.ranks)) == ((0,), {0: 1, 1: 2, 2: 3})
    assert (dict(found.points), dict(found.shares)) == ({0: 3, 1: 13, 2: 21}, {0: 1})
    assert dict(found.scores) == {0: 413, 1: 408, 2: 379}
    assert (found.facts["totals"], found.next_order) == ({"0": 13, "1": 8, "2": -21}, (2, 0, 1))
    left = act(begin_first_deal("KC", "AS 2S", rules=rules), 0, "leave")
    assert result(deal_again(left, "8H", "AS")).winners == (2,)  # seat 0 was ahead
    equal = result(deal_again(begin_first_deal("KC", rules=rules), "8H", "KC"))
    assert (equal.winners, dict(equal.shares)) == ((0, 1), {0: 1, 1: 1})
    event = adapt_to_event(SESSION, deals=2, qualifiers=1)
    # Each has won one deal, and seat 1 has won the last one.
    assert dict(result(deal_again(begin_first_deal("KC", rules=event), "8H", "KC")).ranks) == {
        1: 1,
        0: 2,
    }


@pytest.mark.parametrize(
    ("won_by_first", "ranks"), [((3, 10, -13), {0: 1, 1: 2}), ((5, -5), {1: 1, 0: 2})]
)
def test_k16_equal_totals_are_decided_by_deals_won_then_by_the_last_count(won_by_first, ranks):
    match = begin_first_deal("KC", rules=adapt_to_event(SESSION, deals=9, qualifiers=1))
    lines = tuple(
        RummikubLine(
            deal=number,
            how=RummikubEnding.LAID_OUT,
            winners=(int(won < 0),),
            counts=((0, max(0, -won)), (1, max(0, won))),
            scores=((0, won), (1, -won)),
        )
        for number, won in enumerate(won_by_first, 1)
    )
    over = require(GAME.core.conclude(replace(match, sheet=lines))).state
    assert dict(result(over).ranks) == ranks


def test_only_the_player_at_turn_is_shown_the_best_lay():
    match = scene("8H 9H 2C", table="5H 6H 7H")
    told = HELP.answer(match, 0, {"kind": "lay"})
    assert (told["tiles"], told["points"]) == (2, 17)
    assert act(match, 0, "lay", table=told["table"])
    assert HELP.answer(scene("2C"), 0, {"kind": "lay"}) == {"tiles": 0, "points": 0, "table": None}
    assert read_refusal(HELP.answer, match, 1, {"kind": "lay"}) == "no_such_help"


def test_k13_k14_k17_states_that_take_long_to_come_to():
    match = scene("8H 2C PJ", LOOSE)
    away = replace(match, deal=match.deal.with_player(replace(match.deal.players[0], missed=2)))
    over, events = act.expire_events(away)
    assert view(over)["players"]["0"]["status"] == "out"
    assert events[2]["counts"] == {"0": 40, "1": 25}
    assert (events[2]["how"], events[2]["points"]) == ("last_player", {"0": 40, "1": 0})
    late = replace(match, deal=replace(match.deal, started_at=NOW - 10**8))
    _, events = act_events(late, 0, "draw")
    assert events[1]["how"] == "limit"
