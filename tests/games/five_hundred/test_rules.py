"""The rules of 500 Rum F1 to F16, one by one (docs/rules-five_hundred.md)."""

from typing import Any

import pytest

from games.engine.base import InvalidRules
from games.engine.laid import as_meld
from games.five_hundred.game import GAME
from games.five_hundred.rules.laying import find_best_laying
from games.five_hundred.rules.ruleset import POINTS
from tests.games.cases import Table
from tests.games.driving import NOW, SEED
from tests.games.five_hundred.scenes import act, names, scene
from tests.games.scenes import faces
from tests.games.values import replace

TABLE = Table(act, scene, names())
FIVES, SUITS = names()["FIVES"], names()["SUITS"]


def deal(count: int, rules: Any = POINTS) -> Any:
    seats = tuple(range(count))
    return GAME.core.start(rules=rules, seats=seats, toss=False, seed=SEED, now=NOW)


def test_f1_f2_two_to_eight_with_one_pack_or_two() -> None:
    for count, size, packs in [(2, 13, 1), (3, 7, 1), (4, 7, 1), (5, 7, 2), (8, 7, 2)]:
        outcome = deal(count)
        assert sorted(outcome.state.deal.cards()) == sorted(POINTS.deck(count))
        assert len({*outcome.state.deal.cards()}) == 52 * packs
        event = outcome.events[0].json()
        assert (event["hand_size"], event["packs"]) == (size, packs)
        assert {len(player.hand) for player in outcome.state.deal.players} == {size}
        assert len(outcome.state.deal.open_pile) == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"hand_sizes": [13] * 7}, "too few for 4 players"),
        ({"deals": 2}, "one deal"),
        ({"qualifiers": 1}, "one deal"),
        ({"packs": [3] * 7}, "no value for packs"),
    ],
)
def test_invalid_rule_sets_are_refused(changes: Any, words: str) -> None:
    with pytest.raises(InvalidRules, match=words):
        GAME.rules.parse(changes)


@pytest.mark.parametrize(
    ("cards", "points"),
    [("7S 7H 7D", 21), ("AS AH AD", 45), ("AS 2S 3S", 6), ("QS KS AS", 35), ("TH JH QH", 30),
     ("KS AS 2S", None), ("7S 7H", None), ("7S 8S TS", None), ("7S 8S 9H", None)],
)  # fmt: skip
def test_f4_f10_melds_and_what_their_cards_count(cards: str, points: int | None) -> None:
    meld = as_meld(faces(cards), POINTS.shape)
    assert (None if meld is None else sum(POINTS.count_points_laid(meld))) == points


def test_f4_f10_the_choices_of_rule_sets() -> None:
    twice = [*faces("7S 7H"), GAME.rules.usual.deck(8)[52 + 6]]
    assert as_meld(twice, POINTS.shape) is None
    assert as_meld(twice, SUITS.shape) is not None
    assert [FIVES.points_of(card) for card in faces("2S 9S TS KS AS")] == [5, 5, 10, 10, 15]


RULES = """
f5 a turn is drawing, laying and discarding :: 7H 7S 7D QD 4C / 9C 5S {next_closed=KH} :: 0 discard QD !wrong_step;
  0 meld 7H,7S,7D !wrong_step; 1 draw closed !not_your_turn; 0 draw closed > own0.drawn=KH.0; 0 draw closed
  !wrong_step; 0 take 2S !wrong_step; 0 meld 7H,7S,7D > kinds~melded melds.0.by=[0,0,0] players.0.laid_points=21; 0
  discard QD > turn=1 step=draw open_pile=["2S.0","QD.0"]
f6 the open pile is not drawn from :: 7H QD / 9C 5S :: 0 draw open !malformed_move
f6 a card that cannot be laid is not taken :: 7H QD / 9C 5S {open_pile=7S,2S} :: 0 take 7S !not_usable; 0 take 2S
  !not_usable; 0 take 9C !not_in_pile > legal0^take
f6 a card with all above it, laid at once :: 7H 7D QD / 9C 5S {open_pile=3C,7S,2S} :: > legal0.take.card=["7S.0"];
  0 take 7S.0 > ev.0.cards=["7S.0","2S.0"] must_use=7S.0 open_pile=["3C.0"] legal0^discard taken.0=["7S.0","2S.0"];
  0 discard QD !use_taken_card; 0 meld 7H,7D,7S > must_use=- ; 0 discard 2S > turn=1
f6 a card is laid with cards that were taken with it :: 7H QD / 9C 5S {open_pile=7S,7D,2S} :: >
  legal0.take.card=["7S.0"]; 0 take 7S.0; 0 meld 7H,7S,7D > players.0.cards=2
f6 a card is laid off on a meld of another player :: QD JC 3D / 9C 5S {open_pile=8H,2S table=5H,6H,7H} :: 0 take
  8H.0; 0 meld QD,JC,3D !use_taken_card; 0 lay_off 0 ["QD.0"] !use_taken_card; 0 lay_off 0 ["8H.0"] >
  melds.0.by=[1,1,1,0] players.0.laid_points=8 players.1.laid_points=18
f6 an ace is laid below a two :: 2C 3C QD / 9C 5S {open_pile=AC,2S} :: 0 take AC.0; 0 meld AC,2C,3C >
  players.0.laid_points=6
f6 by some rules the top card may be kept :: 7H QD / 9C 5S {open_pile=7S,2S rules=FREE} :: >
  legal0.take.card=["2S.0"]; 0 take 2S.0 > must_use=-; 0 discard 2S !may_not_return_open_card; 0 discard QD >
  turn=1
f8 the last card may be laid :: 7H 7S 7D 8H / 9C 5S {next_closed=7C} :: 0 draw closed; 0 meld 7H,7S,7D,7C >
  phase=turn; 0 discard 8H > result.how=out phase=over
f8 laying all ends the deal :: 7H 7S / 9C 5S {next_closed=7C} :: 0 draw closed; 0 meld 7H,7S,7C > result.how=out
  result.winners=[0]
f9 a deal is blocked when the closed deck is used up :: 7H QD / 9C 5S {next_closed=KH closed_count=1} :: 0 draw
  closed; 0 discard KH > result.how=blocked result.winners=[1]
f11 f12 the best result wins though another player is out :: 7H 7S / 9C {next_closed=7C table=QH,QS,QD|TH,TS,TD} ::
  0 draw closed; 0 meld 7H,7S,7C > result.how=out result.winners=[1] result.points={"0":30,"1":0}
f12 two hundred points at most :: 7H 7S / 2C {next_closed=7C
  table=QH,QS,QD,QC|KH,KS,KD,KC|AH,AS,AD,AC|TH,TS,TD,TC|JH,JS,JD,JC|9H,9S,9D} :: 0 draw closed; 0 meld 7H,7S,7C >
  result.points={"0":200,"1":0} players.1.laid_points=247
f13 a race goes on below its target :: 7H 7S / 9C 5S {next_closed=7C rules=RACE} :: 0 draw closed; 0 meld 7H,7S,7C
  > phase=between match.scores={"0":21,"1":-14} match.sheet.0.scores={"0":21,"1":-14}; wait > deal=2 phase=turn
f15 a missed turn draws and discards :: 7H QD / 9C 5S {next_closed=KH} :: wait > kinds~missed_turn
  open_pile=["2S.0","KH.0"] turn=1 players.0.missed=1
f15 a card that was taken is laid :: 7H 7D QD 3C / 9C 5S {open_pile=7S,2S} :: 0 take 7S.0; wait >
  melds.0.cards=["7S.0","7H.0","7D.0"] open_pile=["QD.0"] turn=1
f15 a player is out of the deal after three in a row :: 7H QD 8C / 9C 5S 3D / 4C TS 2D :: wait; 1 draw closed;
  wait; wait; wait; wait; wait; wait > players.0.status=dropped kinds~dropped turn=1
f16 leaving costs fifty at least :: 7H QD / 9C 5S :: 0 leave > players.0.points=50 result.how=last_player
  result.winners=[1]
"""


@TABLE.cases(RULES)
def test_rules(case):
    TABLE.run(case)


def test_f7_layings_that_do_not_fit_are_refused() -> None:
    match = act(scene("7H QD 8C", "9C 4S", table="5S 6S 7S"), 0, "draw", source="closed")
    assert act.refuse(match, 0, "lay_off", meld=0, cards=["QD.0"]) == "does_not_fit"
    assert act.refuse(match, 0, "lay_off", meld=1, cards=["QD.0"]) == "no_such_meld"
    assert act.refuse(match, 0, "meld", groups="QD 8C 7H") == "not_a_meld"
    assert act.refuse(match, 0, "meld", groups="9C 4S 7H") == "groups_not_your_hand"


def test_f9_a_limit_of_turns() -> None:
    match = scene("7H QD", "9C 5S", rules=replace(POINTS, max_turns=1))
    match = act.turn(act.turn(match, 0), 1)
    assert act.view(match)["result"]["how"] == "limit"


def test_f13_the_target_is_reached() -> None:
    rules = replace(names()["RACE"], target=20)
    match = act.draw_card(scene("7H 7S", "9C 5S", next_closed="7C", rules=rules))
    match = act(match, 0, "meld", groups="7H 7S 7C")
    result = act.result(match)
    assert (result.winners, result.scores, result.ranks) == ((0,), {0: 21, 1: -14}, {0: 1, 1: 2})


def test_f13_equal_scores_at_the_target_are_decided_by_another_deal() -> None:
    rules = replace(names()["RACE"], target=20)
    match = act.draw_card(scene("7H 7S", "9C", table="QH QS QD", next_closed="7C", rules=rules))
    match = act(match, 0, "meld", groups="7H 7S 7C")
    view = act.view(match)
    assert (view["match"]["scores"], view["phase"]) == ({"0": 21, "1": 21}, "between")
    assert GAME.core.status(match).result is None


def test_f16_a_leaver_pays_what_they_are_behind() -> None:
    match = scene("7H 4D", "9C 5S", table="QH QS QC|TH TS TD")
    match = act(match, 0, "leave")
    assert act.view(match)["players"]["0"]["points"] == 71


def test_a_laying_takes_melds_and_lay_offs() -> None:
    table = [as_meld(faces("5H 6H 7H"), POINTS.shape)]
    laying = find_best_laying(faces("8H 9H KS KD KC QC JC TC 3D"), table, POINTS)  # type: ignore[arg-type]
    assert laying.points == 30 + 30 + 17
    assert laying.loose == faces("3D")
