"""The solver of basic rummy compared with the exhaustive search, and its plans played at a table."""

import random

import pytest
from msgspec.structs import replace

from games.basic.lab.hand import HELP
from games.basic.rules.laying import count, find_best_laying, find_best_turn, list_groups
from games.basic.rules.ruleset import POINTS
from games.cards import CARDS, FACE_TEXT
from games.engine.laid import add_to_meld, as_meld
from tests.games.basic.exhaustive import search_least
from tests.games.basic.scenes import act, draw_card, scene, view
from tests.games.scenes import faces, groups, wire


def positions(rng, shape):
    """Return a small hand from a few neighbouring cards, and melds on the table."""
    suits = rng.sample(range(4), 3)
    low = rng.choice([0, 0, 4, 7]) if not shape.ace_high else rng.choice([0, 7, 9])
    ranks = [(low + step) % 13 for step in range(6)]
    cards = [CARDS[suit * 13 + rank] for suit in suits for rank in ranks]
    table = []
    for _ in range(rng.randrange(3)):
        found = [group for group in list_groups(cards, shape) if len(group) == 3]
        if found:
            table.append(rng.choice(found))
            cards = [card for card in cards if card not in table[-1]]
    return tuple(rng.sample(cards, rng.randrange(1, 8))), table


@pytest.mark.parametrize("rules", [POINTS, replace(POINTS, ace="both")], ids=lambda r: r.ace)
def test_a_hand_counts_as_little_as_an_exhaustive_search_finds(rules):
    shape, rng = rules.shape, random.Random(rules.ace)
    laid = offs = 0
    for _ in range(250):
        hand, table = positions(rng, shape)
        melds = [meld for group in table if (meld := as_meld(group, shape)) is not None]
        best = find_best_laying(hand, melds, shape)
        held, *lying = ([FACE_TEXT[card] for card in group] for group in (hand, *table))
        least = search_least(frozenset(held), lying, rules)
        assert best.points == least == count(best.loose), (hand, table)
        shown = sorted([*sum(best.groups, ()), *(c for c, _ in best.lay_offs), *best.loose])
        assert shown == sorted(hand)
        laid += bool(best.groups)
        offs += bool(best.lay_offs)
        assert all(as_meld(group, shape) is not None for group in best.groups)
        for number, meld in enumerate(melds):
            cards = tuple(card for card, to in best.lay_offs if to == number)
            assert not cards or add_to_meld(meld, cards, shape) is not None
    assert laid > 40
    assert offs > 30


def test_a_turn_is_laying_and_the_best_discard():
    rng = random.Random(5)
    shape = POINTS.shape
    for _ in range(60):
        hand, table = positions(rng, shape)
        melds = [meld for group in table if (meld := as_meld(group, shape)) is not None]
        kept = rng.choice([None, hand[0]])
        best, discard = find_best_turn(hand, melds, shape, kept=kept)
        if not find_best_laying(hand, melds, shape).points:
            assert (best.points, discard) == (0, None)
            continue
        rests = [tuple(c for c in hand if c != card) for card in hand if card != kept]
        least = min((find_best_laying(rest, melds, shape).points for rest in rests), default=None)
        if least is None:
            assert (discard, best.points) == (None, count(hand))
        else:
            assert best.points == least
            assert discard not in {None, kept}


def test_a_plan_can_be_played():
    match = draw_card(scene("7H 7S 7D 8C KD", "2H", table="5C 6C 7C", next_closed="9C"))
    assert HELP.answer(match, 0, {"kind": "arrange"}) == {
        "points": 0,
        "groups": [wire("7S 7H 7D"), wire("8C 9C"), wire("KD")],
        "melds": [wire("7S 7H 7D")],
        "lay_offs": [["8C.0", 0], ["9C.0", 0]],
        "loose": [],
        "discard": "KD.0",
    }
    match = act(match, 0, "meld", groups=[wire("7S 7H 7D")])
    match = act(match, 0, "lay_off", meld=0, cards=wire("8C 9C"))
    assert view(act(match, 0, "discard", card="KD"))["result"]["how"] == "rummy"


def test_help_counts_a_hand_outside_its_turn():
    match = scene("7H 7S 7D 8C KD", "2H 3H", table="5C 6C 7C")
    said = HELP.answer(match, 1, {"kind": "arrange"})
    assert (said["points"], said["discard"]) == (5, None)
    waiting = HELP.answer(match, 0, {"kind": "arrange"})
    assert (waiting["points"], waiting["discard"], waiting["lay_offs"]) == (10, None, [["8C.0", 0]])


def test_an_ace_is_laid_off_at_one_end_only():
    shape = replace(POINTS, ace="both").shape
    melds = [
        meld
        for group in groups("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH")
        if (meld := as_meld(group, shape))
    ]
    best = find_best_laying(faces("AH"), melds, shape)
    assert (best.points, best.lay_offs) == (0, ((CARDS[13], 0),))
