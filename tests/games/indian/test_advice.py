"""The order in which a player's hand is laid out."""

import random

import pytest

from games.indian.game import GAME
from games.indian.lab.hand_help import HELP, find_best_arrangement, sort_meld
from games.indian.rules.ruleset import POINTS
from games.indian.rules.scoring import hand_points
from games.indian.rules.solver.arrangement import arrange
from tests.games.indian.scenes import DECLARABLE, HOPELESS, act, read_saved, scene, view_own
from tests.games.scenes import read_refusal
from tests.games.vectors import cards
from tests.given import require


@pytest.mark.parametrize(
    ("group", "wild", "ordered"),
    [
        ("7H 5H 6H", None, "5H 6H 7H"),
        ("AS KS QS", None, "QS KS AS"),
        ("3D AD 2D", None, "AD 2D 3D"),
        ("8C TC PJ", None, "8C PJ TC"),
        ("8C 9C PJ", None, "8C 9C PJ"),
        ("QS AS 4H", 4, "QS 4H AS"),
        ("TH 8H 9H", 10, "8H 9H TH"),
        ("9D PJ 9S 9H", None, "9S 9H 9D PJ"),
    ],
)
def test_a_meld_is_sorted_as_players_read_it(group, wild, ordered):
    assert sort_meld(cards(group), wild, POINTS) == tuple(cards(ordered))


def test_every_hand_is_arranged_whole_and_at_its_least_count():
    for number in range(60):
        seed = random.Random(number).randbytes(32)
        match = GAME.core.start(rules=POINTS, seats=(0, 1), toss=False, seed=seed, now=0).state
        player, wild = match.deal.player(0), match.deal.wild_rank
        groups = find_best_arrangement(match, 0)
        laid = [card for group in groups for card in group]
        assert sorted(laid) == sorted(require(player).hand)
        assert (
            hand_points(groups, wild, POINTS) == arrange(require(player).hand, wild, POINTS).points
        )


ONE_SEQUENCE = "5S 6S 7S|8S 8D 8H|KS KD KC|QH QD QC QS"


def ask_help(match, seat, kind, **fields):
    return HELP.answer(match, seat, {"kind": kind, **fields})


def refuse_help(match, seat, kind, **fields):
    before = GAME.stored.dump(match)
    code = read_refusal(ask_help, match, seat, kind, **fields)
    assert GAME.stored.dump(match) == before
    return code


def test_loose_cards_lie_by_suits_and_a_suit_from_low_to_high():
    match = scene(HOPELESS, DECLARABLE)
    laid = ask_help(match, 0, "arrange")["groups"]
    assert [" ".join(card[:2] for card in group) for group in laid] == [
        *("5S 6S 7S", "3S", "KH", "3D 6D 7D 9D QD", "6C 7C 9C")
    ]


def test_loose_cards_share_a_group_when_the_suits_are_too_many():
    """At most six groups are shown: two melds leave room for four, and with fourteen cards the discard takes one."""
    match = scene("5S 6S 7S|8H 9H TH|2S KS|4H|3D 7D|6C QC", HOPELESS, next_closed="AH")
    laid = ask_help(match, 0, "arrange")["groups"]
    assert [len(group) for group in laid] == [3, 3, 2, 1, 2, 2]
    laid = ask_help(act(match, 0, "draw", source="closed"), 0, "arrange")["groups"]
    assert [len(group) for group in laid] == [3, 3, 7, 1]


def test_of_fourteen_the_card_to_discard_comes_last():
    match = act(scene(DECLARABLE, HOPELESS, next_closed="AS"), 0, "draw", source="closed")
    laid = ask_help(match, 0, "arrange")["groups"]
    assert [len(group) for group in laid] == [4, 3, 3, 3, 1]
    assert laid[-1] == ["AS.0"]


def test_r3_a_declaration_is_judged_before_it_is_made():
    match = scene(DECLARABLE, HOPELESS, ONE_SEQUENCE)
    groups = read_saved(match, 0)
    assert ask_help(match, 0, "judge", groups=groups) == {
        "valid": True,
        "kinds": ["pure_sequence", "pure_sequence", "set", "set"],
        "reason": None,
        "failed_group": None,
        "points": 0,
    }
    torn = [groups[0], [*groups[1], groups[2][0]], groups[2][1:], groups[3]]
    assert ask_help(match, 0, "judge", groups=torn) == {
        "valid": False,
        "kinds": ["pure_sequence", None, None, "set"],
        "reason": "cards_do_not_match",
        "failed_group": 1,
        "points": POINTS.wrong_declaration_points,
    }
    match = act(act(match, 0, "draw", source="closed"), 0, "discard", card=groups[0][0])
    match = act(match, 1, "drop")
    lacking = ask_help(match, 2, "judge", groups=read_saved(match, 2))
    assert (lacking["reason"], lacking["failed_group"]) == ("no_second_sequence", None)


def test_only_thirteen_cards_of_the_own_hand_are_judged():
    match = act(scene(DECLARABLE, HOPELESS, next_closed="AS"), 0, "draw", source="closed")
    groups = read_saved(match, 0)
    assert ask_help(match, 0, "judge", groups=groups[:4])["valid"] is True
    assert refuse_help(match, 0, "judge", groups=groups) == "groups_not_your_hand"
    assert refuse_help(match, 0, "judge", groups=groups[:3]) == "groups_not_your_hand"
    foreign = [*groups[:3], [*groups[3][:2], view_own(match, 1)["hand"][0]]]
    assert refuse_help(match, 0, "judge", groups=foreign) == "groups_not_your_hand"
    assert refuse_help(match, 0, "judge", groups="2H 3H") == "malformed_move"
    assert refuse_help(match, 0, "judge") == "malformed_move"
