"""G7 to G11, G13, G17: knocking, gin, answering, counting."""

from typing import Any

import pytest
from msgspec.structs import replace

from games.engine.base import IllegalMove
from games.gin.game import GAME
from games.gin.lab.hand_help import HELP
from games.gin.rules.deal import KnockKind
from games.gin.rules.moves import Knock
from games.gin.rules.ruleset import POINTS, PRESETS
from games.gin.rules.scoring import score
from tests.games.gin.scenes import (
    GIN_HAND,
    NOTHING,
    NOW,
    TEN,
    TWO,
    act,
    act_events,
    drawing,
    expire,
    expire_events,
    kinds,
    outcome,
    own,
    refused,
    scene,
    texts,
    view,
)

TEN_MELDS = "5H 6H 7H|KS KD KC"
TWO_MELDS = "5H 6H 7H|KS KD KC|9D TD JD"
GIN_MELDS = "5H 6H 7H 8H|KS KD KC|9D TD JD"
# Against TWO: the king and both ends of both sequences fit; 9 + 9 + 7 + 6 + 1 are left.
FITTING = "KH 4H 8H 8D QD|9C 9S 7C 6S AD"


def knocked(second=NOTHING, first=TWO, card="2H", melds=TWO_MELDS, **fields):
    match = drawing(scene(first, second, next_closed=card, **fields))
    return act(match, 0, "knock", card=card, groups=melds)


def test_g7_a_knock_shows_the_knocker_and_asks_the_other():
    match = drawing(scene(TWO, NOTHING, next_closed="2H"))
    assert own(match, 0)["may_knock"] is True
    match, happened = act_events(match, 0, "knock", card="2H", groups=TWO_MELDS)
    assert happened == [
        {
            "kind": "knocked",
            "seat": 0,
            "how": "knock",
            "groups": texts(TWO_MELDS),
            "loose": ["2C.0"],
            "points": 2,
        }
    ]
    shown = view(match)
    assert (shown["phase"], shown["turn"], shown["step"]) == ("defend", None, None)
    assert GAME.core.status(match).acting == (1,)
    assert shown["knock"]["kinds"] == ["sequence", "set", "sequence"]
    assert shown["knock"]["loose"] == ["2C.0"]
    assert shown["players"]["0"]["status"] == "knocked"


def test_g7_the_card_lies_face_down_until_the_deal_is_over():
    match = knocked()
    assert "2H.0" not in str(view(match))
    match = expire(match)
    assert view(match)["result"]["card"] == "2H.0"


def test_g7_ten_is_the_limit():
    match = drawing(scene(TEN, NOTHING, next_closed="KH"))
    act(match, 0, "knock", card="KH", groups=TEN_MELDS)
    assert refused(match, 0, "knock", card="KH", groups="KS KD KC") == "too_much_deadwood"
    assert refused(match, 0, "knock", card="AS", groups=TEN_MELDS) == "too_much_deadwood"
    nine = replace(POINTS, knock_limit=9)
    match = drawing(scene(TEN, NOTHING, next_closed="QC", rules=nine))
    assert refused(match, 0, "knock", card="QC", groups=TEN_MELDS) == "too_much_deadwood"
    assert own(match, 0)["may_knock"] is False


def test_g7_every_card_that_leaves_little_enough_may_be_put_down():
    """What open_spiel refuses: its best melds of eleven cards are not those of the best ten."""
    hand = "2S 2C 3C 4C 5C 3D 4D 5D 2H 3H"
    match = drawing(scene(hand, "QH JS TC 9C 8S 7D 6S 4H KH AD", open_pile="KS", next_closed="5H"))
    assert own(match, 0)["deadwood"] == 3
    entry: Any = next(entry for entry in GAME.core.legal_view(match, 0) if entry["kind"] == "knock")
    assert entry["groups"] is None
    assert "5H.0" in entry["card"]
    limit = replace(POINTS, knock_limit=3)
    match = replace(match, rules=limit)
    knock = next(move for move in GAME.core.legal(match, 0) if isinstance(move, Knock))
    assert str(knock.card) == "5H.0"
    match, happened = act_events(match, 0, "knock", card="5H", groups="2S 2C 2H|3C 4C 5C|3D 4D 5D")
    assert happened[0]["points"] == 3


@pytest.mark.parametrize(
    ("melds", "code"),
    [
        ("5H 6H|KS KD KC", "not_a_meld"),
        ("5H 6H 7H 9D", "not_a_meld"),
        ("KS KD KC 2C", "not_a_meld"),
        ("5H 6H 7H|5H 6H 7H", "groups_not_your_hand"),
        ("5H 6H 7H|QS QD QC", "groups_not_your_hand"),
        # The card that is put down is no longer of the hand.
        ("2C 2H 2D", "groups_not_your_hand"),
    ],
)
def test_g6_g7_melds_are_melds_of_the_own_cards(melds, code):
    match = drawing(scene(TWO, NOTHING, next_closed="2H"))
    assert refused(match, 0, "knock", card="2H", groups=melds) == code


def test_g6_the_ace_is_low():
    hand = "QH KH AH|2S 3S 4S|8C 8D 8S|AD"
    match = drawing(
        scene(
            hand,
            TEN.replace("AS", "AC").replace("KS", "KH").replace("KH", "TH").replace("4S", "4D"),
            open_pile="9S",
            next_closed="9H",
        )
    )
    assert refused(match, 0, "knock", card="9H", groups="QH KH AH") == "not_a_meld"


def test_g7_somebody_elses_card_is_not_put_down():
    match = drawing(scene(TWO, NOTHING, next_closed="2H"))
    assert refused(match, 0, "knock", card="QH", groups=TWO_MELDS) == "card_not_held"
    assert refused(match, 1, "knock", card="QH", groups=[]) == "not_your_turn"


def test_g7_the_own_division_counts():
    match = drawing(
        scene(
            "AH 2H 3H|AS AD AC|4C 5C 6C|2S",
            NOTHING.replace("AD", "5D").replace("3H", "5S").replace("4C", "4D"),
            open_pile="9S",
            next_closed="KH",
        )
    )
    assert own(match, 0)["deadwood"] == 2
    match = act(match, 0, "knock", card="KH", groups="AS AD AC|4C 5C 6C")
    assert view(match)["knock"]["points"] == 1 + 2 + 3 + 2


def test_g8_gin_ends_the_deal_and_nothing_is_laid_off():
    match = drawing(scene(GIN_HAND, FITTING.replace("8H", "8S"), next_closed="2H"))
    match, happened = act_events(match, 0, "knock", card="2H", groups=GIN_MELDS)
    assert kinds(happened) == ["knocked", "deal_over", "match_over"]
    assert happened[0]["how"] == "gin"
    assert outcome(match) == ("gin", 0, 10 + 4 + 8 + 8 + 10 + 32 + 25)
    assert view(match)["knock"]["can_lay_off"] is False
    assert GAME.core.status(match).acting == ()


def test_g9_big_gin_melds_all_eleven():
    match = drawing(scene(GIN_HAND, NOTHING, next_closed="KH"))
    entry: Any = next(entry for entry in GAME.core.legal_view(match, 0) if entry["kind"] == "knock")
    assert None in entry["card"]
    melds = "5H 6H 7H 8H|KS KD KC KH|9D TD JD"
    match, happened = act_events(match, 0, "knock", card=None, groups=melds)
    assert (happened[0]["how"], happened[0]["loose"]) == ("big_gin", [])
    assert outcome(match) == ("big_gin", 0, 68 + 31)
    assert view(match)["result"]["card"] is None


def test_g9_not_without_all_eleven_nor_where_it_is_not_played():
    match = drawing(scene(GIN_HAND, NOTHING, next_closed="2H"))
    assert refused(match, 0, "knock", card=None, groups=GIN_MELDS) == "too_much_deadwood"
    classic = drawing(scene(GIN_HAND, NOTHING, next_closed="KH", rules=PRESETS["classic"]))
    melds = "5H 6H 7H 8H|KS KD KC KH|9D TD JD"
    assert refused(classic, 0, "knock", card=None, groups=melds) == "no_big_gin"
    knocks = [move for move in GAME.core.legal(classic, 0) if isinstance(move, Knock)]
    assert knocks
    assert all(move.card is not None for move in knocks)
    classic = act(classic, 0, "knock", card="KH", groups=GIN_MELDS)
    assert outcome(classic) == ("gin", 0, 68 + 20)


def test_g10_lay_offs_of_every_kind():
    match = knocked(FITTING)
    lay_offs = [["KH.0", 1], ["4H.0", 0], ["8H.0", 0], ["8D.0", 2], ["QD.0", 2]]
    match, happened = act_events(match, 1, "defend", groups=[], lay_offs=lay_offs)
    assert happened[0] == {
        "kind": "defended",
        "seat": 1,
        "groups": [],
        "lay_offs": lay_offs,
        "loose": ["6S.0", "9S.0", "AD.0", "7C.0", "9C.0"],
        "points": 32,
    }
    assert outcome(match) == ("knock", 0, 32 - 2)
    assert view(match)["result"]["lay_offs"] == lay_offs


def test_g10_several_cards_in_a_row_only_in_their_order():
    match = knocked("8H 9H TH QC|3S 6S 7D 4C JS AD", open_pile="9C")
    wrong = [["9H.0", 0], ["8H.0", 0]]
    assert refused(match, 1, "defend", groups=[], lay_offs=wrong) == "does_not_fit"
    right = [["8H.0", 0], ["9H.0", 0], ["TH.0", 0]]
    match = act(match, 1, "defend", groups=[], lay_offs=right)
    assert view(match)["result"]["hands"][1]["deadwood"] == 10 + 3 + 6 + 7 + 4 + 10 + 1


@pytest.mark.parametrize(
    ("groups", "lay_offs", "code"),
    [
        ([], [["QH.0", 0]], "groups_not_your_hand"),
        ([], [["KH.0", 1], ["KH.0", 1]], "groups_not_your_hand"),
        ("KH 4H 8H", [], "not_a_meld"),
        ("5H 6H 7H", [], "groups_not_your_hand"),
        ([], [["AD.0", 0]], "does_not_fit"),
        ([], [["KH.0", 3]], "does_not_fit"),
        ([], [["KH.0", 0]], "does_not_fit"),
        # Never on deadwood: the knocker's 2C is in no meld.
        ([], [["8H.0", 1]], "does_not_fit"),
    ],
)
def test_g10_what_cannot_be_laid(groups, lay_offs, code):
    assert refused(knocked(FITTING), 1, "defend", groups=groups, lay_offs=lay_offs) == code


def test_g10_a_card_is_in_a_meld_or_laid_off():
    match = knocked("8H 8D 8C KH 4H QD 9C 7D 6S AD")
    both = {"groups": "8H 8D 8C", "lay_offs": [["8H.0", 0]]}
    assert refused(match, 1, "defend", **both) == "groups_not_your_hand"


def test_g10_only_the_other_answers_and_only_a_knock():
    assert refused(scene(TEN, NOTHING), 1, "defend", groups=[], lay_offs=[]) == "wrong_step"
    match = knocked()
    assert refused(match, 0, "defend", groups=[], lay_offs=[]) == "not_your_turn"
    assert refused(match, 1, "draw", source="closed") == "not_your_turn"
    assert refused(match, 1, "pass") == "not_your_turn"
    assert refused(match, 1, "defend", groups=[], lay_offs=[], now=NOW + 45_000) == "time_is_up"


def test_g10_who_does_not_answer_is_laid_down_as_well_as_can_be():
    match = knocked(FITTING)
    assert GAME.core.status(match).deadline == NOW + 45_000
    assert own(match, 1)["defence"]["points"] == 32
    match, happened = expire_events(match)
    assert kinds(happened) == ["defended", "deal_over", "match_over"]
    assert happened[0]["points"] == 32
    assert len(happened[0]["lay_offs"]) == 5


def test_g10_help_is_the_best_answer():
    match = knocked(FITTING)
    said: Any = HELP.answer(match, 1, {"kind": "defend"})
    assert said["points"] == 32
    act(match, 1, "defend", groups=said["groups"], lay_offs=said["lay_offs"])


def test_g11_the_difference_goes_to_the_lower():
    match = act(knocked(), 1, "defend", groups=[], lay_offs=[])
    assert outcome(match) == ("knock", 0, 68 - 2)
    result = GAME.core.status(match).result
    assert result is not None
    assert result.winners == (0,)
    assert dict(result.points) == {0: 0, 1: 66}


# Two melds, three cards that fit and an ace: one, which beats the ten of TEN.
FOUR = "QH QS QD|8C 9C TC|4H 8H 3H AD"


def test_g11_an_undercut():
    match = knocked(FOUR, first=TEN, card="KH", melds=TEN_MELDS)
    lay_offs = [["4H.0", 0], ["8H.0", 0], ["3H.0", 0]]
    match, happened = act_events(match, 1, "defend", groups="QH QS QD|8C 9C TC", lay_offs=lay_offs)
    assert happened[1]["winners"] == [1]
    assert outcome(match) == ("undercut", 1, 10 - 1 + 25)
    assert view(match)["players"]["1"]["status"] == "won"
    assert view(match)["players"]["0"]["status"] == "lost"


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


def test_g13_the_upcard_is_the_limit():
    oklahoma = PRESETS["oklahoma"]
    for card, limit in (("4D", 4), ("KH", 10), ("AC", 0)):
        match = scene(
            TWO,
            NOTHING.replace("4C", "3C").replace("AD", "AH").replace("KH", "QS"),
            open_pile=card,
            rules=oklahoma,
        )
        assert view(match)["knock_limit"] == limit


def test_g13_an_ace_is_gin_only():
    match = drawing(
        scene(TWO, NOTHING, open_pile="AC", next_closed="2H", rules=PRESETS["oklahoma"])
    )
    assert own(match, 0)["may_knock"] is False
    assert refused(match, 0, "knock", card="2H", groups=TWO_MELDS) == "too_much_deadwood"
    match = drawing(
        scene(TWO, NOTHING, open_pile="AC", next_closed="8H", rules=PRESETS["oklahoma"])
    )
    assert outcome(act(match, 0, "knock", card="2C", groups=GIN_MELDS)) == ("gin", 0, 93)


def test_g13_spades_double():
    match = knocked(open_pile="2S", rules=PRESETS["oklahoma"])
    assert outcome(expire(match)) == ("knock", 0, 2 * 66)
    match = knocked(open_pile="2D", rules=PRESETS["oklahoma"])
    assert outcome(expire(match)) == ("knock", 0, 66)


def test_g17_the_defender_is_not_seen_before_the_answer():
    match = knocked(FITTING)
    shown = str(view(match))
    assert not any(card in shown for card in own(match, 1)["hand"])
    match = expire(match)
    shown = str(view(match))
    assert all(card in shown for card in own(match, 1)["hand"])


def test_g17_where_discards_are_not_open_only_the_top_is_seen():
    closed = replace(POINTS, open_discards=False)
    match = act(drawing(scene(NOTHING, TEN, rules=closed)), 0, "discard", card="QH")
    assert view(match)["open_pile"] == ["QH.0"]
    assert view(match)["discards"] == [[0, "QH.0"]]
    match = act(match, 1, "draw", source="open")
    assert view(match)["open_pile"] == ["2S.0"]
    assert view(match)["discards"] == []
    assert view(match)["taken"] == {"0": [], "1": ["QH.0"]}


def test_help_arranges_the_hand():
    match = drawing(scene(TWO, NOTHING, next_closed="2H"))
    said: Any = HELP.answer(match, 0, {"kind": "arrange"})
    assert (said["points"], len(said["melds"])) == (2, 3)
    assert sorted(card for group in said["groups"] for card in group) == sorted(
        own(match, 0)["hand"]
    )
    kept = act(match, 0, "arrange", rev=1, groups=said["groups"])
    assert (
        kept
        == GAME.core.play(
            match,
            0,
            GAME.wire.read({"kind": "arrange", "rev": 1, "groups": said["groups"]}),
            now=NOW,
            seed=bytes(32),
        ).state
    )
    assert HELP.answer(match, 1, {"kind": "arrange"})["discard"] is None


@pytest.mark.parametrize("seat", [0, 1])
def test_there_is_not_always_help(seat):
    before = scene(TWO, NOTHING)
    after = expire(knocked())
    for match, code in ((before, "no_such_help"), (after, "deal_over")):
        with pytest.raises(IllegalMove) as refusal:
            HELP.answer(match, seat, {"kind": "defend"})
        assert refusal.value.code == code
    with pytest.raises(IllegalMove, match="not in this deal"):
        HELP.answer(before, 5, {"kind": "arrange"})
