"""The order in which a hand is laid out for a player."""

import random

import pytest

from tables.games.indian.advice import best_arrangement, in_order
from tables.games.indian.arrangement import arrange
from tables.games.indian.game import INDIAN
from tables.games.indian.rulesets import POINTS
from tables.games.indian.scoring import hand_points
from tests.games.vectors import cards
from tests.given import the


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
def test_a_meld_is_laid_as_it_is_read(group, wild, ordered):
    assert in_order(cards(group), wild, POINTS) == tuple(cards(ordered))


def test_every_hand_is_laid_out_whole_and_at_its_least():
    for number in range(60):
        seed = random.Random(number).randbytes(32)
        match, _ = INDIAN.start(rules=POINTS, seats=(0, 1), toss=False, seed=seed, now=0)
        player, wild = match.deal.player(0), match.deal.wild_rank
        groups = best_arrangement(match.deal, POINTS, 0)
        laid = [card for group in groups for card in group]
        assert sorted(laid) == sorted(the(player).hand)
        assert hand_points(groups, wild, POINTS) == arrange(the(player).hand, wild, POINTS).points
