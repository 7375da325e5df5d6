"""The rules of Contract Rummy C1 to C20, one by one (docs/rules-contract.md): tables of `cases.py`."""

import pytest

from games.cards import FACE_TEXT
from games.contract.game import GAME
from games.contract.rules.deal import Step
from games.contract.rules.match import CORE
from games.contract.rules.melds import as_meld
from games.contract.rules.ruleset import PRESETS, SEVEN, USUAL
from games.engine.base import InvalidRules
from games.engine.laid import Line, Status
from games.engine.state import Stage, replace
from games.shuffle import shuffle
from tests.games.cases import Table
from tests.games.contract.scenes import Packs, act, result, scene, view, view_own, write_laying
from tests.games.driving import NOW, SEED
from tests.games.scenes import change_player

PLAIN = PRESETS["no_buying"]
DEUCES = replace(PRESETS["deuces_wild"], buying=False)
SINGLE = replace(PRESETS["single"], buying=False)
NAMES = {
    **globals(),
    # Two sets and four other cards.
    "SETS": "7H 7S 7D QC QS QH 4C 5D 9S TS",
    "MORE": "7H 7S 7D QC QS QH 4C 5D 9S TS 7C 9D 9S",
    "FOUR": "7H 7S 7D 7C QC QS QH 4C 5D 9S",
    "WHOLE": "2C 3C 4C 5C 6H 7H 8H 9H JD QD KD AD",
    "A": "7H 7S 4C 9D", "B": "KS QH 9C", "C": "JD 8C 3S", "D": "4D 6C TH",
    "LOOSE": replace(PLAIN, exact_contract=False),
    "SAME_TURN": replace(PLAIN, lay_off_same_turn=True),
    "MUST_LAY": replace(PLAIN, must_go_out_by_laying=True),
    "MUST_SAME": replace(PLAIN, must_go_out_by_laying=True, lay_off_same_turn=True),
    "RETURNS": replace(PLAIN, may_return_open_card=True),
    "NO_BUYS": replace(USUAL, max_buys=0),
    "TWO": "8D 7D",
    "MULTIPLE": PRESETS["multiple_buys"],
    "BLOCKED": replace(SINGLE, max_restocks=0),
    "LIMIT": replace(PLAIN, max_turns=1),
    "ONE_MISS": replace(USUAL, max_missed_turns=1),
}  # fmt: skip
TABLE = Table(
    act, scene, NAMES,
    {"contract": "melds", "lay_off": "meld laid", "swap_joker": "meld card to"},
)  # fmt: skip


@TABLE.cases("""
c4 the contract is laid exactly :: SETS / B / C {next_closed=4H rules=PLAIN} :: 0 draw closed; 0 contract 7H,7S,7D
  !contract_not_met; 0 contract 7H,7S,7D|QC,QS,QH|4C,5D,9S !not_a_meld; 0 contract
  [{"cards":["7H.0","7S.0","7D.0","7H.0"],"as":["7H","7S","7D","7H"]}] !groups_not_your_hand; 0 contract
  7H,7S,4C|QC,QS,QH !not_a_meld; 0 contract - !nothing_laid; 1 contract - !not_your_turn; 0 contract
  7H,7S,7D|QC,QS,QH > kinds=["contract_laid"] players.0.cards=5 players.0.has_laid=true own0.missing=-
c4 a run in place of a set :: 7H 7S 7D 4C 5C 6C 7C 9S KD 2D / B {rules=PLAIN} :: 0 draw closed; 0 contract
  7H,7S,7D|4C,5C,6C,7C !contract_not_met
c4 a set of four is more than the contract :: FOUR / B {rules=PLAIN} :: 0 draw closed; 0 contract
  7H,7S,7D,7C|QC,QS,QH !contract_not_met
c4 a set of four where the rules allow more :: FOUR / B {rules=LOOSE} :: 0 draw closed; 0 contract
  7H,7S,7D,7C|QC,QS,QH > laid=2
c4 the last contract takes the whole hand :: WHOLE / B / C {next_closed=6C number=7 rules=PLAIN} :: 0 draw closed;
  0 contract 2C,3C,4C,5C|6H,7H,8H,9H|JD,QD,KD,AD !contract_not_met; 0 contract
  2C,3C,4C,5C,6C|6H,7H,8H,9H|JD,QD,KD,AD > kinds=contract_laid,deal_over,match_over result.how=out
c5 two runs of a suit do not touch :: 2H 3H 4H 5H 6H 7H 8H 9H TH / KS / JD {next_closed=4C number=3 rules=PLAIN} ::
  0 draw closed; 0 contract 2H,3H,4H,5H|6H,7H,8H,9H !contract_not_met; 0 contract 2H,3H,4H,5H|7H,8H,9H,TH > laid=2
c9 only once, and nothing else is laid in that turn :: MORE / B / C {rules=PLAIN} :: 0 draw closed; 0 contract
  7H,7S,7D|QC,QS,QH > legal0^lay_off; 0 lay_off 0 7C !not_in_this_turn; 0 contract 9S,9S,9D|4C,5D,7C
  !contract_already_met
c9 a card is laid off in the same turn where the rules allow it :: MORE / B / C {rules=SAME_TURN} :: 0 draw closed;
  0 contract 7H,7S,7D|QC,QS,QH; 0 lay_off 0 7C > melds.0.by=[0,0,0,0]
c10 nothing is laid off before the contract :: 3H 8H / B {table=4H,5H,6H,7H rules=PLAIN} :: 0 draw closed; 0
  lay_off 0 3H !contract_not_met; 0 swap_joker 0 3H hand !contract_not_met
c10 cards are laid off on every meld :: 3H 8H 7C 2D PJ / B {table=4H,5H,6H,7H|7S,7D,7H has_laid=[0,1] rules=PLAIN}
  :: 0 draw closed; 0 lay_off 0 3H,8H > ev.0.as=3H,8H melds.0.by=[0,1,1,1,1,0]; 0 lay_off 1 7C; 0 lay_off 0 PJ=2H >
  melds.0.as.0=2H; 0 lay_off 0 2D !does_not_fit; 0 lay_off 2 2D !no_such_meld; 0 lay_off 0 {"cards":[],"as":[]}
  !nothing_laid; 0 lay_off 0 {"cards":["KS.0"],"as":["KS"]} !groups_not_your_hand; 0 lay_off 0
  {"cards":["2D.0"],"as":["AH"]} !does_not_fit
c11 a joker of a run is taken into the hand :: 6H 2D 9D / B {table=4H,5H,PJ=6H,7H has_laid=[0] rules=PLAIN} :: 0
  draw closed; 0 swap_joker 0 6H hand > ev.0.joker=PJ.0 ev.0.to=hand melds.0.cards.2=6H.0 melds.0.by=[1,1,0,1]
  own0.hand~PJ.0
c11 a joker is moved to the front of its run :: 6H 2D 9D / B {table=4H,5H,PJ=6H,7H has_laid=[0] rules=PLAIN} :: 0
  draw closed; 0 swap_joker 0 6H front > melds.0.as=3H,4H,5H,6H,7H players.0.cards=3
c11 a joker is moved to the back of its run :: 6H 2D 9D / B {table=4H,5H,PJ=6H,7H has_laid=[0] rules=PLAIN} :: 0
  draw closed; 0 swap_joker 0 6H back > melds.0.as=4H,5H,6H,7H,8H
c11 a joker is not moved beyond the ace :: 3H QS 9D / B / C {table=AH,2H,PJ=3H,4H|JS,PJ=QS,KS,AS has_laid=[0]
  rules=PLAIN} :: 0 draw closed; 0 swap_joker 0 3H front !does_not_fit; 0 swap_joker 1 QS back !does_not_fit; 0
  swap_joker 1 QS front
c11 a joker of a set cannot be replaced :: 7H 2D 9D / B {table=7S,7D,PJ=7H|4H,5H,6H,7H has_laid=[0] rules=PLAIN} ::
  0 draw closed; 0 swap_joker 0 7H hand !joker_is_dead; 0 swap_joker 1 7H hand !no_such_joker; 0 swap_joker 5 7H
  hand !no_such_meld; 0 swap_joker 0 KS hand !groups_not_your_hand
c11 a wild deuce in its place is no joker :: 2H 9D / B {table=4H,5H,2S=6H,7H|AD,PJ=2D,3D,4D has_laid=[0]
  rules=DEUCES} :: 0 draw closed; 0 swap_joker 0 2H hand !no_such_joker
c12 the last card may be laid :: 8H / B {table=4H,5H,6H,7H next_closed=9H has_laid=[0] rules=PLAIN} :: 0 draw
  closed; 0 lay_off 0 8H,9H > result.how=out result.winners=[0]
c12 the last card may be discarded :: 8H / B {table=4H,5H,6H,7H next_closed=9H has_laid=[0] rules=PLAIN} :: 0 draw
  closed; 0 lay_off 0 8H; 0 discard 9H > result.how=out
c12 the last card has to be laid by some rules :: 8H / B {table=4H,5H,6H,7H next_closed=9H has_laid=[0]
  rules=MUST_LAY} :: 0 draw closed; 0 lay_off 0 8H; 0 discard 9H !wrong_step; wait > kinds=missed_turn,turn
  own0.hand=["9H.0"]
c12 by these rules the card that is left must fit :: 8H / B {table=4H,5H,6H,7H next_closed=KD has_laid=[0]
  rules=MUST_LAY} :: 0 draw closed; 0 lay_off 0 8H !must_keep_a_discard
c12 a card that is left after the contract must fit as well :: 7H 7S 7D QC QS QH / B {next_closed=7C
  rules=MUST_LAY} :: 0 draw closed; 0 contract 7H,7S,7D|QC,QS,QH !must_keep_a_discard
c12 it may be left where it can be laid off in the same turn :: 7H 7S 7D QC QS QH / B {next_closed=7C
  rules=MUST_SAME} :: 0 draw closed; 0 contract 7H,7S,7D|QC,QS,QH > laid=2
c12 a joker that is taken may be discarded :: 6H / B {table=4H,5H,PJ=6H,7H has_laid=[0] next_closed=KD
  rules=MUST_LAY} :: 0 draw closed; 0 swap_joker 0 6H front !must_keep_a_discard; 0 swap_joker 0 6H hand
c12 a joker that is moved makes room :: 6H / B {table=4H,5H,PJ=6H,7H has_laid=[0] next_closed=2H rules=MUST_LAY} ::
  0 draw closed; 0 swap_joker 0 6H back !must_keep_a_discard; 0 swap_joker 0 6H front
c13 a card from the open pile stays for the turn :: 8H 9D / B {open_pile=KD rules=PLAIN} :: 0 draw open; 0 discard
  KD !may_not_return_open_card
c13 it cannot be the last card that is left :: 8H / B {open_pile=KD table=4H,5H,6H,7H has_laid=[0] rules=PLAIN} ::
  0 draw open; 0 lay_off 0 8H !must_keep_a_discard
c13 a card from the open pile goes back where the rules allow it :: 8H 9D / B {open_pile=KD rules=RETURNS} :: 0
  draw open; 0 discard KD
c6 refusing the upcard opens the window :: A / B / C / D {open_pile=7D} :: 0 draw closed @5 > ev.0.seats=[1,2,3]
  ev.0.card=7D.0 phase=buy turn=0 step=- st.acting=[1,2,3] st.deadline=1700000013000 own0.drawn=- own1.asked=true;
  0 discard 7H !not_your_turn; 0 buy !not_asked; 1 buy @13 !time_is_up
c7 the first in order of play gets it :: A / B / C / D {open_pile=7D next_closed=AH,2H,3H} :: 0 draw closed; 3 buy;
  2 buy > phase=buy own3.answer=buy; 1 pass @3 > kinds=bought,drawn ev.0.seat=2 ev.0.wanted=[2,3]
  own2.bought=7D.0,AH.0 own0.drawn=2H.0 phase=turn step=discard due_at=1700000048000; 1 buy !wrong_step
c7 the window closes as soon as it is decided :: A / B / C / D {open_pile=7D} :: 0 draw closed; 1 buy > ev.0.seat=1
c7 nobody buys the card :: A / B / C {open_pile=7D} :: 0 draw closed; 1 pass; 2 pass > ev.0.kind=unsold
  ev.0.wanted=[] open_pile~7D.0
c7 when time is up the buyer gets the card :: A / B / C / D {open_pile=7D} :: 0 draw closed; 2 buy; wait >
  kinds=bought,drawn ev.0.seat=2
c7 where nothing is sold the card is drawn at once :: A / B / C {rules=PLAIN} :: 0 draw closed > kinds=["drawn"]
c7 a player who never buys is not waited for :: A / B / C {open_pile=7D} :: 1 never_buy true > kinds=[]
  own1.never_buy=true; 0 draw closed > st.acting=[2] buying.seats=[1,2]; 0 never_buy true > st.acting=[2]; 2
  never_buy true > kinds=unsold,drawn; 1 never_buy false > own1.never_buy=false
c8 nobody is asked who has no buys left :: A / B / C {open_pile=7D rules=NO_BUYS} :: 0 draw closed >
  kinds=["drawn"] players.1.buys_left=0
c7 several are sold, but not two in a row to one player :: A / B / C / D {open_pile=9H,8H,7D
  next_closed=AH,2H,3H,4H rules=MULTIPLE} :: 0 draw closed; 1 buy > kinds=bought,offered ev.1.seats=[2,3]; 2 buy >
  ev.1.seats=[1,3] buying.card=9H.0; 1 pass; 3 pass > own0.drawn=3H.0
c8 too few cards for a sale :: A / B / C {closed_count=1 open_pile=7D rules=NO_BUYS} :: 0 draw closed > buying=-
c14 the open pile becomes the closed deck :: A / B / C {closed_count=1 rules=PLAIN} :: 0 draw closed; 0 discard 7H
  > kinds=discarded,reshuffled,turn restocks=1
c14 a single deal that is blocked goes to the lowest :: 2H / 4D 6C / 2C AD {closed_count=1 rules=BLOCKED} :: 0 draw
  closed; 0 discard 2H > result.how=blocked result.winners=[1] result.points.1=0 result.points.2=7
c14 a limit of turns :: A / B {rules=LIMIT} :: 0 draw closed; 0 discard 7H; 1 draw closed; 1 discard KS >
  result.how=limit
c18 a missed turn draws and discards :: A / B / C {open_pile=7D next_closed=AH} :: wait >
  kinds=missed_turn,offered; 1 pass; 2 pass > kinds=unsold,drawn,discarded,turn ev.2.card=AH.0 turn=1
c18 a drawn card goes back :: A / B {next_closed=AH rules=PLAIN} :: 0 draw closed; wait > ev.1.card=AH.0
c18 with a card from the open pile the dearest natural card is discarded :: PJ 9D 4C / B {open_pile=KD rules=PLAIN}
  :: 0 draw open; wait > ev.1.card=9D.0
c18 a joker is discarded where nothing else is left :: PJ / B {open_pile=KD rules=PLAIN} :: 0 draw open; wait >
  ev.1.card=PJ.0
c18 for an absent player the server plays :: A / B / C {open_pile=7D rules=ONE_MISS next_closed=AH} :: wait >
  kinds=missed_turn,absent,offered players.0.status=absent; 1 pass; 2 pass; 1 draw open; 1 discard KS; 2 draw
  closed > buying.seats=[1]; 1 pass; 2 discard JD > kinds=discarded,turn,offered turn=0
c19 leaving counts the hand :: A / B / C :: 1 leave > ev=[{"kind":"left","seat":1}] players.1.points=29 legal1=[]
c19 leaving in one's turn :: A / B / C {next_closed=AH rules=PLAIN} :: 0 draw closed; 0 leave >
  kinds=left,discarded,turn
c19 leaving in one's sale :: A / B / C {open_pile=7D} :: 0 draw closed; 0 leave > kinds=left,unsold,turn buying=-
c19 leaving while asked is a pass :: A / B / C / D {open_pile=7D} :: 0 draw closed; 2 buy; 3 pass; 1 leave >
  kinds=left,bought,drawn
c19 leaving withdraws an answer :: A / B / C / D {open_pile=7D} :: 0 draw closed; 2 buy; 2 leave; 3 buy; 1 pass >
  kinds=bought,drawn ev.0.seat=3 players.2.cards=3
c19 leaving withdraws the only answer :: A / B / C / D {open_pile=7D} :: 0 draw closed; 2 buy; 2 leave; wait >
  kinds=unsold,drawn ev.0.wanted=[]
c19 the last answer that is withdrawn ends the sale :: A / B / C / D {open_pile=7D} :: 0 draw closed; 1 pass;
  3 pass; 2 leave > kinds=left,unsold,drawn
c19 several sales go on without a player who left :: A / B / C / D {open_pile=TWO rules=MULTIPLE} :: 0 draw
  closed; 2 buy; 3 buy; 2 leave; 1 pass > kinds=bought,offered ev.0.seat=3 ev.1.seats=[1]
c19 the others are still asked :: A / B / C / D {open_pile=7D} :: 0 draw closed; 3 leave > kinds=["left"]
  st.acting=[1,2]
c19 the last one left wins :: A / B :: 1 leave > result.how=last_player res.winners=[0] res.ranks={"0":1,"1":2}
""")
def test_a_rule(case):
    TABLE.run(case)


@pytest.mark.parametrize(
    ("cards", "what"),
    [
        ("7H 7S 7D", "set"),
        ("7H 7H 7H", "set"),
        ("7H 7S", None),
        ("7H PJ=7D PJ=7C", "set"),
        ("PJ=7H PJ=7D PJ=7C", None),
        ("7H 5H 4H 6H", "run"),
        ("4H 5H 6H", None),
        ("4H 5H PJ=6H PJ=7H", "run"),
        ("4H PJ=5H PJ=6H PJ=7H", None),
        ("4H 5S 6H 7H", None),
        ("AS 2S 3S 4S", "run"),
        ("JS QS KS AS", "run"),
        ("QS KS AS 2S", None),
        ("4H 5H 6H 8H=7H", None),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", "run"),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS AS", None),
        ("4H 5H 6H PJ", None),
        ("4H 5H 6H 2S=7H", None),
    ],
)
def test_c3_c4_sets_and_runs(cards, what):
    meld = as_meld(Packs().read_laying(cards), USUAL)
    assert (meld and ("set" if meld.is_set else "run")) == what


def test_c3_deuces_may_be_wild():
    for text, is_set in (("4H 5H 6H 2S=7H", False), ("7H 2S=7S 2D=7D", True), ("2H 2S 2D", True)):
        meld = as_meld(Packs().read_laying(text), DEUCES)
        assert meld is not None
        assert meld.is_set is is_set


def begin(seats, rules=USUAL):
    return GAME.core.start(rules=rules, seats=seats, toss=False, seed=SEED, now=NOW)


def test_c1_c2_packs_jokers_cards_and_contracts():
    sizes_of_decks = {2: 104 + 1, 3: 104 + 2, 4: 104 + 3, 5: 156 + 4, 8: 156 + 7}
    for players, size in sizes_of_decks.items():
        cards = [*begin(tuple(range(players))).state.deal.cards()]
        assert len(set(cards)) == size == len(USUAL.deck(players))
        assert sum(card.face == 52 for card in cards) == players - 1
    assert len(replace(USUAL, jokers="all_printed").deck(2)) == 104 + 4
    both = replace(USUAL, jokers="two_a_pack")
    assert [len(both.deck(players)) for players in (4, 5)] == [104 + 4, 156 + 6]
    outcome = begin((2, 0, 1))
    match, told = outcome.state, outcome.events[0].json()
    assert (told["contract"], told["hand_size"]) == (["set", "set"], 10)
    deck = shuffle(USUAL.deck(3), seed=SEED, label="deal")
    assert sorted(match.deal.player(0).hand) == sorted(deck[1:30:3])
    assert match.deal.open_pile == (deck[30],)
    sizes = []
    for number in range(1, 8):
        dealt = act.expire(replace(match, number=number - 1, stage=Stage.BETWEEN, due_at=0))
        sizes.append(len(view_own(dealt, 0)["hand"]))
        assert view(dealt)["contract"] == list(SEVEN[number - 1])
    assert sizes == [10, 10, 10, 10, 12, 12, 12]
    assert PRESETS["pagat"].hand_sizes[3] == 12
    with pytest.raises(InvalidRules):
        begin((1, 1))


def test_c8_a_hand_of_nearly_all_cards_can_be_arranged():
    """C1, C8: with three packs for two players, unlimited buying does not end at 110 cards."""
    rules = replace(USUAL, packs=(3, 3, 3, 3), jokers="two_a_pack", max_buys=None)
    cards = " ".join(FACE_TEXT[card.face] for card in rules.deck(2)[:150])
    match = scene(cards, "KC", open_pile="QC", rules=rules)
    hand = view_own(match, 0)["hand"]
    assert len(hand) == 150
    arranged = act(match, 0, "arrange", rev=1, groups=[hand[:-1], hand[-1:]])
    assert view_own(arranged, 0)["groups"] == [hand[:-1], hand[-1:]]


def test_c10_cards_are_laid_off_on_the_last_meld_of_eight_players():
    ranks = "23456789TJQKA23456789TJQ"
    melds = "|".join(f"{rank}H {rank}D {rank}C" for rank in ranks)
    match = scene(
        "QS 2S",
        "KS",
        "KS",
        "KS",
        "JS",
        "JS",
        "JS",
        "9S",
        table=melds,
        number=4,
        rules=PLAIN,
        has_laid=(0,),
    )
    match = act(match, 0, "draw", source="closed")
    done = act(match, 0, "lay_off", meld=23, laid=write_laying(match, 0, "QS"))
    assert [len(meld.cards) for meld in done.deal.melds] == [*23 * [3], 4]


def test_c15_the_points_of_cards():
    cards = Packs().cards("PJ AS KD TH 9C 2D")
    assert [USUAL.points_of(card) for card in cards] == [25, 15, 10, 10, 9, 2]
    assert DEUCES.points_of(cards[-1]) == 25
    fives = replace(USUAL, number_points="five", joker_points=15)
    assert [fives.points_of(card) for card in cards] == [15, 15, 10, 5, 5, 5]


def test_c4_the_private_view_counts_the_cards_missing_to_the_contract():
    match = scene(NAMES["SETS"], NAMES["B"], NAMES["C"])
    assert [view_own(match, seat)["missing"] for seat in (0, 1, 2)] == [0, 4, 4]
    whole = scene("2H 3H 4H 5H 2S 3S 4S 5S 8D 9D TD JD", "KS", number=7)
    assert view_own(whole, 0)["missing"] == 1


def go_out(rows, number=7, **fields):
    """Have seat 0 go out in deal `number`, with these points in earlier lines of the score sheet."""
    rules = replace(USUAL, buying=False, whole_hand_last=False, **fields)
    match = scene("8H", "4D 6C", "AC", table="4H 5H 6H 7H", next_closed="9H", number=number,
                  rules=rules, has_laid=(0,))  # fmt: skip
    lines = tuple(
        Line(place, 2, "out", (row.index(0),), tuple(enumerate(row)))
        for place, row in enumerate(rows, 1)
    )
    match = act(replace(match, sheet=lines), 0, "draw", source="closed")
    return act(match, 0, "lay_off", meld=0, laid=write_laying(match, 0, "8H 9H"))


def test_c16_the_lowest_total_wins():
    found = result(go_out([[20, 0, 5]] * 6))
    assert (found.winners, found.points) == ((1,), {0: 120, 1: 10, 2: 45})
    assert (found.ranks, found.scores) == ({1: 1, 2: 2, 0: 3}, {0: -120, 1: -10, 2: -45})
    equal = [[10, 0, 0], *[[0, 0, 0]] * 5]
    assert result(go_out(equal)).shares == {0: 1, 1: 1}
    assert result(go_out(equal, qualifiers=1)).ranks == {0: 1, 1: 2, 2: 3}
    between = go_out([], number=1)
    following, happened = act.expire_events(between)
    assert (following.deal.order, happened[0]["contract"]) == ((1, 2, 0), ["set", "run"])


def test_c17_a_single_deal_is_capped():
    rich = replace(PRESETS["single"], jokers="all_printed", max_points=100)
    match = act(scene("PJ PJ AS AH AD AC KS KD", "8H", rules=rich), 0, "leave")
    assert match.deal.player(0).points == 100


def conclude(match):
    step = Step(match, now=NOW)
    CORE.conclude_deal(step)
    return step.match, [event.json() for event in step.events]


def test_c18_a_player_who_is_away_for_a_whole_deal_is_out_of_the_match():
    match = go_out([], number=1)
    before = replace(match, sheet=(), stage=Stage.DEAL, due_at=None)
    players = tuple(
        replace(p, was_absent=p.seat != 0, has_played=p.seat == 2) for p in match.deal.players
    )
    after, happened = conclude(replace(before, deal=replace(match.deal, players=players)))
    assert happened[0] == {"kind": "left", "seat": 1, "absent": True}
    assert (after.left, act.expire(after).deal.order) == ((1,), (2, 0))
    nobody = tuple(replace(p, was_absent=True) for p in match.deal.players)
    assert result(conclude(replace(before, deal=replace(match.deal, players=nobody)))[0])
    # C19: leaving costs a hundred points for each later deal.
    following = act.expire(act(go_out([[0, 0, 0]], number=2), 1, "leave"))
    over = replace(following, deal=replace(match.deal, players=match.deal.players[::2]))
    assert dict(conclude(over)[0].sheet[-1].points)[1] == 100


def test_c18_the_deal_ends_when_all_players_are_absent():
    match = change_player(scene("7H", "KS", "JD", rules=PLAIN), 1, status=Status.ABSENT)
    absent = act(change_player(match, 2, status=Status.ABSENT), 0, "leave")
    assert view(absent)["result"]["how"] == "limit"


@pytest.mark.parametrize(
    ("closed", "restocks", "under", "is_asked"),
    [(2, 3, 0, True), (1, 3, 5, False), (1, 0, 1, False), (1, 0, 2, True)],
)
def test_c8_enough_cards_for_a_sale(closed, restocks, under, is_asked):
    match = scene("7H 7S 4C 9D", "KS QH 9C", "JD 8C 3S", closed_count=closed, open_pile="7D")
    pile = match.deal.open_pile[-1 - under :] if under else match.deal.open_pile[-1:]
    match = replace(match, deal=replace(match.deal, open_pile=pile, restocks=restocks))
    asked = act(match, 0, "draw", source="closed")
    assert (asked.deal.window is not None) is is_asked
    assert not is_asked or view_own(act(asked, 1, "buy"), 0)["drawn"]
    bare = replace(match, deal=replace(match.deal, open_pile=()))
    assert act(bare, 0, "draw", source="closed").deal.window is None
