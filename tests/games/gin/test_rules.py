"""The rules of gin G2 to G17, one by one (docs/games/gin.md): tables of `tests/games/cases.py`."""

import pytest

from games.engine.state import replace
from games.gin.game import GAME
from games.gin.lab.hand_help import HELP
from games.gin.rules.ruleset import POINTS, PRESETS, adapt_to_event
from games.gin.rules.scoring import score
from games.gin.rules.state import GinEnding, GinLine, KnockKind, Phase
from tests.games.cases import Table
from tests.games.gin import scenes
from tests.games.gin.scenes import (
    NOTHING,
    TWO,
    act,
    act_events,
    draw_card,
    expire,
    outcome,
    result,
    scene,
    view,
    view_own,
)
from tests.games.scenes import read_refusal

RACE = PRESETS["game100"]
MELDS = "5H 6H 7H|KS KD KC|9D TD JD"
# Against TWO, the king and cards at both ends of both sequences fit; 9 + 9 + 7 + 6 + 1 are left.
FITTING = "KH 4H 8H 8D QD|9C 9S 7C 6S AD"
# Two melds, three cards that fit and an ace, which undercuts TEN.
FOUR = "QH QS QD|8C 9C TC|4H 8H 3H AD"
NAMES = {
    **vars(scenes),
    **globals(),
    "UP": Phase.UPCARD,
    "RETURNS": replace(POINTS, may_return_open_card=True),
    "NINE": replace(POINTS, knock_limit=9),
    "HIDDEN": replace(POINTS, open_discards=False),
    "ONE_TURN": replace(POINTS, max_turns=1),
    "ONE_MISS": replace(RACE, max_missed_turns=1),
    "OKLAHOMA": PRESETS["oklahoma"],
    "CLASSIC": PRESETS["classic"],
    "TEN_MELDS": "5H 6H 7H|KS KD KC",
    "GIN_MELDS": "5H 6H 7H 8H|KS KD KC|9D TD JD",
    "BIG_MELDS": "5H 6H 7H 8H|KS KD KC KH|9D TD JD",
    "LAY_OFFS": [["KH.0", 1], ["4H.0", 0], ["8H.0", 0], ["8D.0", 2], ["QD.0", 2]],
    "NOTHING_S": NOTHING.replace("9C", "9S"),
    # Variants without the cards that are elsewhere in a case.
    "OKLAHOMA_NOTHING": NOTHING.replace("4C", "3C").replace("AD", "AH"),
}
TABLE = Table(act, scene, NAMES)


@TABLE.cases("""
g4 the other player is offered the upcard first :: NOTHING / TEN {phase=UP} :: > phase=upcard turn=0
  legal0=draw,pass,arrange,leave; 0 draw closed !wrong_step; 0 discard QH !wrong_step; 1 pass !not_your_turn; 0
  draw open > phase=turn step=discard own0.drawn=2S.0
g4 the dealer is offered the upcard second :: NOTHING / TEN {phase=UP} :: 0 pass > kinds=passed,turn phase=upcard
  turn=1; 1 draw open > own1.from_open=true
g4 both pass and the closed deck is drawn from :: NOTHING / TEN {phase=UP} :: 0 pass; 1 pass > phase=turn turn=0
  must_draw_closed=true; 0 draw open !must_draw_closed; 0 draw closed; 0 discard QH > must_draw_closed=false; 1
  draw open
g5 a turn is a draw and a discard :: NOTHING / TEN {next_closed=KH} :: 0 pass !wrong_step; 1 draw closed
  !not_your_turn; 0 discard QH !wrong_step; 0 knock QH - !wrong_step; 0 draw closed >
  ev=[{"kind":"drawn","seat":0,"source":"closed"}] own0.drawn=KH.0 players.0.cards=11 own0.groups.1=["KH.0"]; 0
  draw closed !wrong_step; 0 discard 5H !card_not_held; 1 discard 5H !not_your_turn; 2 discard 5H !not_in_deal; 0
  discard QH > kinds=discarded,turn open_pile=2S.0,QH.0 discards=[[0,"QH.0"]] turn=1
g5 the open card is seen and may not go back :: NOTHING / TEN :: 0 draw open > ev.0.card=2S.0 taken.0=["2S.0"]
  legal0.discard.card^2S.0; 0 discard 2S !may_not_return_open_card; 0 discard QH
g5 where the rules allow it the open card may go back :: NOTHING / TEN {rules=RETURNS} :: 0 draw open >
  legal0.discard.card~2S.0; 0 discard 2S
g5 the open card is not put face down :: TWO / NOTHING {open_pile=2H} :: 0 draw open; 0 knock 2H MELDS
  !may_not_return_open_card; 0 knock 2C MELDS
g12 at the wall the deal is dead :: NOTHING / TEN {closed_count=3} :: 0 draw closed; 0 discard QH >
  kinds=discarded,deal_over,deal_due ev.1.winners=[] ev.1.points={"0":0,"1":0} ev.1.deadwoods.1=10
  players.0.status=even phase=between
g12 the last card may be knocked with :: TWO / NOTHING {closed_count=3 next_closed=2H} :: 0 draw closed; 0 knock 2H
  MELDS > phase=defend
g12 before the wall the deal goes on :: NOTHING / TEN {closed_count=4} :: 0 draw closed; 0 discard QH > turn=1
g12 a limit of turns :: NOTHING / TEN {rules=ONE_TURN} :: 0 draw closed; 0 discard QH > turn=1; 1 draw closed; 1
  discard 5H > result.how=dead
g7 a knock shows the knocker and asks the other :: TWO / NOTHING {next_closed=2H} :: 0 draw closed >
  own0.may_knock=true; 0 knock 2H MELDS > ev.0.how=knock ev.0.loose=["2C.0"] ev.0.points=2 phase=defend turn=-
  step=- st.acting=[1] knock.kinds=sequence,set,sequence players.0.status=knocked view^2H.0
  st.deadline=1700000045000; 0 defend - [] !not_your_turn; 1 draw closed !not_your_turn; 1 pass !not_your_turn; 1
  defend - [] @45 !time_is_up; wait > result.card=2H.0
g7 ten points may be left :: TEN / NOTHING {next_closed=KH} :: 1 defend - [] !wrong_step; 0 draw closed; 0 knock KH
  KS,KD,KC !too_much_deadwood; 0 knock AS TEN_MELDS !too_much_deadwood; 0 knock QH TEN_MELDS !card_not_held; 1
  knock QH - !not_your_turn; 0 knock KH TEN_MELDS
g7 by some rules nine points may be left :: TEN / NOTHING {next_closed=QC rules=NINE} :: 0 draw closed >
  own0.may_knock=false; 0 knock QC TEN_MELDS !too_much_deadwood
g6 melds are melds of the own cards :: TWO / NOTHING {next_closed=2H} :: 0 draw closed; 0 knock 2H 5H,6H|KS,KD,KC
  !not_a_meld; 0 knock 2H 5H,6H,7H,9D !not_a_meld; 0 knock 2H KS,KD,KC,2C !not_a_meld; 0 knock 2H 5H,6H,7H|5H,6H,7H
  !groups_not_your_hand; 0 knock 2H 5H,6H,7H|QS,QD,QC !groups_not_your_hand; 0 knock 2H 2C,2H,2D
  !groups_not_your_hand
g6 the ace is low :: QH KH AH|2S 3S 4S|8C 8D 8S|AD / 5H 6H 7H|TH KD KC|AC 2C 3D 4D {open_pile=9S next_closed=9H} ::
  0 draw closed; 0 knock 9H QH,KH,AH !not_a_meld
g7 the own division counts :: AH 2H 3H|AS AD AC|4C 5C 6C|2S / QH JS TC 9C 8S 7D 6S 4D 5S 5D {open_pile=9S
  next_closed=KH} :: 0 draw closed > own0.deadwood=2; 0 knock KH AS,AD,AC|4C,5C,6C > knock.points=8
g8 gin ends the deal and nothing is laid off :: GIN_HAND / KH 4H 8S 8D QD|9C 9S 7C 6S AD {next_closed=2H} :: 0 draw
  closed; 0 knock 2H GIN_MELDS > kinds=knocked,deal_over,match_over ev.0.how=gin result.how=gin result.points=97
  knock.can_lay_off=false st.acting=[]
g9 big gin melds all eleven :: GIN_HAND / NOTHING {next_closed=KH} :: 0 draw closed > legal0.knock.card~-; 0 knock
  - GIN_MELDS !too_much_deadwood; 0 knock - BIG_MELDS > ev.0.how=big_gin ev.0.loose=[] result.how=big_gin
  result.points=99 result.card=-
g9 by some rules there is no big gin :: GIN_HAND / NOTHING {next_closed=KH rules=CLASSIC} :: 0 draw closed >
  legal0.knock.card^-; 0 knock - BIG_MELDS !no_big_gin; 0 knock KH GIN_MELDS > result.points=88
g10 cards are laid off in every way :: TWO / FITTING {next_closed=2H} :: 0 draw closed; 0 knock 2H MELDS >
  own1.defence.points=32 view^9C.0; 1 defend KH,4H,8H [] !not_a_meld; 1 defend 5H,6H,7H [] !groups_not_your_hand; 1
  defend - [["QH.0",0]] !groups_not_your_hand; 1 defend - [["KH.0",1],["KH.0",1]] !groups_not_your_hand; 1 defend -
  [["AD.0",0]] !does_not_fit; 1 defend - [["KH.0",3]] !does_not_fit; 1 defend - [["KH.0",0]] !does_not_fit; 1
  defend - [["8H.0",1]] !does_not_fit; 1 defend - LAY_OFFS > ev.0.loose=6S.0,9S.0,AD.0,7C.0,9C.0 ev.0.points=32
  result.points=30 result.how=knock result.lay_offs=LAY_OFFS view~9C.0
g10 a silent player's hand is laid as well as can be :: TWO / FITTING {next_closed=2H} :: 0 draw closed; 0 knock 2H
  MELDS; wait > kinds=defended,deal_over,match_over ev.0.points=32
g10 several cards are laid off only in their order :: TWO / 8H 9H TH QC|3S 6S 7D 4C JS AD {open_pile=9C
  next_closed=2H} :: 0 draw closed; 0 knock 2H MELDS; 1 defend - [["9H.0",0],["8H.0",0]] !does_not_fit; 1 defend -
  [["8H.0",0],["9H.0",0],["TH.0",0]] > result.hands.1.deadwood=41
g10 a card is in a meld or laid off :: TWO / 8H 8D 8C KH 4H QD 9C 7D 6S AD {next_closed=2H} :: 0 draw closed; 0
  knock 2H MELDS; 1 defend 8H,8D,8C [["8H.0",0]] !groups_not_your_hand
g11 the difference goes to the lower :: TWO / NOTHING {next_closed=2H} :: 0 draw closed; 0 knock 2H MELDS; 1 defend
  - [] > res.winners=[0] res.points={"0":0,"1":66} res.ranks={"0":1,"1":2} res.scores={} res.shares={"0":1}
  res.next_order=0,1 phase=over st.deadline=-; 1 leave !match_over; 1 draw closed !match_over
g11 an undercut wins the deal :: TEN / FOUR {next_closed=KH} :: 0 draw closed; 0 knock KH TEN_MELDS; 1 defend
  QH,QS,QD|8C,9C,TC [["4H.0",0],["8H.0",0],["3H.0",0]] > ev.1.winners=[1] result.points=34 result.how=undercut
  players.1.status=won players.0.status=lost
g13 the upcard is the limit :: TWO / OKLAHOMA_NOTHING {open_pile=4D rules=OKLAHOMA} :: > knock_limit=4
g13 a king is ten :: TWO / JH JS TC 9C 8S 7D 6S 4C 3H AD {open_pile=KH rules=OKLAHOMA} :: > knock_limit=10
g13 an ace is gin only :: TWO / NOTHING {open_pile=AC next_closed=2H rules=OKLAHOMA} :: > knock_limit=0; 0 draw
  closed > own0.may_knock=false; 0 knock 2H MELDS !too_much_deadwood
g13 spades double :: TWO / NOTHING {next_closed=2H rules=OKLAHOMA} :: 0 draw closed; 0 knock 2H MELDS; wait >
  result.points=132
g13 other suits do not double :: TWO / NOTHING {open_pile=2D next_closed=2H rules=OKLAHOMA} :: 0 draw closed; 0
  knock 2H MELDS; wait > result.points=66
g13 spades double a forfeit :: TEN / NOTHING {rules=OKLAHOMA} :: 0 leave > result.points=70 result.how=forfeit
g17 without open discards the top is seen :: NOTHING / TEN {rules=HIDDEN} :: 0 draw closed; 0 discard QH >
  open_pile=["QH.0"] discards=[[0,"QH.0"]]; 1 draw open > open_pile=["2S.0"] discards=[]
  taken={"0":[],"1":["QH.0"]}
g16 a missed upcard is a pass :: NOTHING / TEN {phase=UP} :: wait > kinds=missed_turn,passed,turn ev.0.missed=1
  phase=upcard turn=1 players.0.extra_ms=0; wait > must_draw_closed=true
g16 time for the upcard is charged :: NOTHING / TEN {phase=UP} :: 0 pass @31 > players.0.extra_ms=59000
g16 time for a knock is charged :: TWO / NOTHING {next_closed=2H} :: 0 draw closed; 0 knock 2H MELDS @32 >
  players.0.extra_ms=58000 st.deadline=1700000077000
g16 a missed turn draws and discards :: NOTHING / TEN {next_closed=KH} :: wait >
  kinds=missed_turn,drawn,discarded,turn ev.2.card=KH.0 ev.1^card own0.hand^KH.0
g16 a drawn card goes back :: NOTHING / TEN {next_closed=KH} :: 0 draw closed; wait >
  kinds=missed_turn,discarded,turn ev.1.card=KH.0
g16 a card from the open pile stays and the dearest is discarded :: TWO / NOTHING {open_pile=2H} :: 0 draw open;
  wait > ev.1.card=2C.0
g16 a card from the open pile goes back where the rules allow it :: TWO / NOTHING {open_pile=2H rules=RETURNS} :: 0
  draw open; wait > ev.1.card=2H.0
g16 three missed in a row lose the deal :: TEN / NOTHING {next_closed=2H,3C,2D,3S} :: wait; 1 draw closed; 1
  discard QH; wait; 1 draw closed; 1 discard JS > players.0.missed=2; wait > kinds=missed_turn,deal_over,match_over
  result.how=forfeit res.points={"0":35,"1":0}
g16 a turn that is played ends the row of missed turns :: TEN / NOTHING {next_closed=2H,3C,2D} :: wait >
  players.0.missed=1; 1 draw closed; 1 discard QH; 0 draw closed; 0 discard 2D > players.0.missed=0
g16 a game goes on after missed turns :: TEN / NOTHING {rules=ONE_MISS} :: 0 draw closed; wait >
  kinds=missed_turn,discarded,deal_over,deal_due match.scores={"0":0,"1":35}; wait > dealer=0
g16 a player who leaves has lost the deal :: TEN / NOTHING :: 3 leave !not_in_deal; 0 leave >
  kinds=left,deal_over,match_over result.points=35 players.0.status=left res.next_order=[1]
g16 a drawn card is discarded first :: TEN / NOTHING {next_closed=KH} :: 0 draw closed; 0 leave >
  kinds=left,discarded,deal_over,match_over result.points=35
g16 the winner keeps what they have drawn :: NOTHING / TEN {next_closed=KH} :: 0 draw closed; 1 leave >
  kinds=left,deal_over,match_over result.winner=0 players.0.cards=11
g16 a player who leaves loses the pot of a game :: TEN / NOTHING {rules=RACE} :: 0 leave > res.winners=[1]
  res.scores={"0":0,"1":35} res.shares={"1":1}
g16 leaving between two deals :: TWO / NOTHING {next_closed=2H rules=RACE} :: 0 draw closed; 0 knock 2H MELDS;
  wait; wait; 0 leave > kinds=left,deal_over,match_over res.winners=[1]
g16 leaving after a knock :: TWO / NOTHING {next_closed=2H} :: 0 draw closed; 0 knock 2H MELDS; 1 leave >
  kinds=left,defended,deal_over,match_over result.points=66 res.winners=[0]
g16 the knocker may leave :: TWO / NOTHING {next_closed=2H} :: 0 draw closed; 0 knock 2H MELDS; 0 leave >
  kinds=left,defended,deal_over,match_over result.points=66 res.winners=[0]
g14 a game goes on below the target :: TWO / NOTHING {next_closed=2H rules=RACE} :: 0 draw closed; 0 knock 2H
  MELDS; wait > phase=between match.scores={"0":66,"1":0} st.result=- st.acting=[] st.deals=1 legal0=["leave"]; 0
  draw closed !deal_over; wait > kinds=dealt,turn deal=2 phase=upcard players.0.score=66
""")
def test_a_rule(case):
    TABLE.run(case)


def knock_out(match):
    """Have seat 0 knock with two against 68, for 66 points."""
    return expire(act(draw_card(match), 0, "knock", card="2H", groups=MELDS))


def game_of(*lines, rules=RACE):
    """Set up a game after these deals, each given as its winner and points."""
    match = scene(TWO, NOTHING, next_closed="2H", rules=rules)
    sheet = tuple(
        GinLine(
            number,
            1,
            GinEnding.KNOCK if points else GinEnding.DEAD,
            winner,
            points,
            ((0, 2), (1, 68)),
        )
        for number, (winner, points) in enumerate(lines, 1)
    )
    return replace(match, sheet=sheet, number=len(lines) + 1)


def end_dead(match):
    closed = match.deal.closed
    deal = replace(match.deal, closed=closed[-3:], open_pile=(*closed[:-3], *match.deal.open_pile))
    return act(draw_card(replace(match, deal=deal)), 0, "discard", card="2C")


DEAD = (None, 0)


@pytest.mark.parametrize(
    ("match", "winners", "scores", "ranks"),
    [
        (knock_out(game_of((1, 90), (0, 34))), (0,), {0: 100, 1: 90}, {0: 1, 1: 2}),
        # G15: three dead deals in a row.
        (end_dead(game_of(DEAD, DEAD, rules=POINTS)), (0, 1), {}, {0: 1, 1: 1}),
        (end_dead(game_of((1, 20), DEAD, DEAD)), (1,), {0: 0, 1: 20}, {0: 2, 1: 1}),
        (end_dead(game_of(DEAD, DEAD, DEAD)), (0, 1), {0: 0, 1: 0}, {0: 1, 1: 1}),
        # An event lasts a fixed number of deals with a score.
        (knock_out(game_of((1, 80), DEAD, rules=adapt_to_event(RACE, deals=2, qualifiers=1))),
         (1,), {0: 66, 1: 80}, {0: 2, 1: 1}),
    ],
)  # fmt: skip
def test_g14_g15_the_end_of_a_match(match, winners, scores, ranks):
    found = result(match)
    assert (found.winners, dict(found.scores), dict(found.ranks)) == (winners, scores, ranks)
    assert dict(found.shares) == dict.fromkeys(winners, 1)


def test_g14_bonuses_are_on_the_sheet_only():
    found = result(knock_out(game_of((1, 90), (0, 34)))).facts
    own = {"score": 100, "deals_won": 2, "boxes": 50, "game": 100, "shutout": False, "total": 250}
    other = {"score": 90, "deals_won": 1, "boxes": 25, "game": 0, "shutout": False, "total": 115}
    assert found["bonuses"] == {"0": own, "1": other}
    assert found["sheet"][2] == {
        "deal": 3, "dealer": 1, "how": "knock", "winner": 0, "points": 66,
        "deadwoods": {"0": 2, "1": 68},
    }  # fmt: skip
    for rules, total in ((RACE, 500), (replace(RACE, shutout_doubles=False), 250)):
        bonuses = result(knock_out(game_of((0, 34), rules=rules))).facts["bonuses"]["0"]
        assert bonuses == {**own, "shutout": True, "total": total}


def test_g15_dead_deals_are_counted_and_dealt_again_by_the_same():
    match = end_dead(game_of(rules=POINTS))
    assert view(match)["match"]["dead_deals"] == 1
    assert (view(expire(match))["deal"], view(expire(match))["dealer"]) == (2, 1)
    assert view(knock_out(game_of(DEAD, DEAD)))["match"]["dead_deals"] == 0
    tied = knock_out(game_of((1, 66), rules=adapt_to_event(RACE, deals=2, qualifiers=1)))
    assert view(tied)["phase"] == "between"


@pytest.mark.parametrize(
    ("rule", "order"), [("loser", [0, 1]), ("winner", [1, 0]), ("alternate", [1, 0])]
)
def test_g2_the_next_dealer(rule, order):
    following = expire(knock_out(game_of(rules=replace(RACE, next_dealer=rule))))
    assert (view(following)["order"], view(following)["dealer"]) == (order, order[-1])


@pytest.mark.parametrize(
    ("lines", "qualifiers", "winners"),
    [([(1, 30), (1, 36)], 1, (1,)), ([(1, 66)], 1, (0,)), ([(1, 66)], None, (0, 1))],
)
def test_equal_scores_are_concluded_by_deals_won_then_by_order(lines, qualifiers, winners):
    rules = adapt_to_event(RACE, deals=9, qualifiers=1) if qualifiers else RACE
    over = GAME.core.conclude(knock_out(game_of(*lines, rules=rules)))
    assert over is not None
    assert result(over.state).winners == winners


@pytest.mark.parametrize(
    ("kind", "knocker", "defender", "expected"),
    [
        ("knock", 10, 11, (True, "knock", 1)),
        ("knock", 10, 10, (False, "undercut", 25)),
        ("knock", 10, 0, (False, "undercut", 35)),
        ("gin", 0, 0, (True, "gin", 25)),
        ("gin", 0, 40, (True, "gin", 65)),
        ("big_gin", 0, 98, (True, "big_gin", 129)),
        ("knock", 5, 100, (True, "knock", 93)),
    ],
)
def test_g11_counting(kind, knocker, defender, expected):
    assert score(KnockKind(kind), knocker, defender, POINTS) == expected


def test_g7_every_card_that_leaves_little_enough_may_be_put_down():
    """open_spiel refuses this knock, because it melds all eleven cards before it chooses the discard."""
    hand = "2S 2C 3C 4C 5C 3D 4D 5D 2H 3H"
    match = scene(hand, "QH JS TC 9C 8S 7D 6S 4H KH AD", open_pile="KS", next_closed="5H")
    match = draw_card(replace(match, rules=replace(POINTS, knock_limit=3)))
    assert view_own(match, 0)["deadwood"] == 3
    _, happened = act_events(match, 0, "knock", card="5H", groups="2S 2C 2H|3C 4C 5C|3D 4D 5D")
    assert happened[0]["points"] == 3


def test_g14_the_costliest_deal():
    """The ten cards with the most points and no meld, against big gin."""
    hand = "KH KC QD QS JH JC TS TD 9H 9C"
    big = scene("AS 2S 3S 4S|AH 2H 3H|4D 5D 6D", hand, open_pile="2C", next_closed="7D")
    match = act(draw_card(big), 0, "knock", card=None, groups="AS 2S 3S 4S|AH 2H 3H|4D 5D 6D 7D")
    assert dict(result(match).points) == {0: 0, 1: 129}
    assert outcome(match) == ("big_gin", 0, 129)


def test_help_is_the_best_answer_and_the_best_arrangement():
    match = draw_card(scene(TWO, FITTING, next_closed="2H"))
    said = HELP.answer(match, 0, {"kind": "arrange"})
    assert (said["points"], len(said["melds"])) == (2, 3)  # type: ignore[arg-type] # a list
    act(match, 0, "arrange", rev=1, groups=said["groups"])
    assert HELP.answer(match, 1, {"kind": "arrange"})["discard"] is None
    assert read_refusal(HELP.answer, match, 0, {"kind": "defend"}) == "no_such_help"
    match = act(match, 0, "knock", card="2H", groups=MELDS)
    said = HELP.answer(match, 1, {"kind": "defend"})
    assert said["points"] == 32
    over = act(match, 1, "defend", groups=said["groups"], lay_offs=said["lay_offs"])
    assert read_refusal(HELP.answer, over, 1, {"kind": "defend"}) == "deal_over"
