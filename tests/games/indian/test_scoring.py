import pytest

from games.indian.rules.ruleset import POINTS, PRESETS
from games.indian.rules.scoring import card_points, hand_points
from tests.games.vectors import cards, groups, wild


def test_r6_1_the_points_of_cards():
    points = [card_points(card, wild("4C")) for card in cards("AS 2S 3H 4H 9D TC JC QD KD PJ")]
    assert points == [10, 2, 3, 0, 9, 10, 10, 10, 10, 0]


def test_r6_1_aces_count_nothing_when_a_printed_joker_is_turned_up():
    assert card_points(cards("AS")[0], wild("PJ")) == 0


NO_PURE = ("2H 3H PJ", "5C 6C PJ", "4S 4D 4C", "9S 9D 2D 2C")
LONE_PURE = ("2H 3H 4H", "4S 4D 4C", "9S 9D 2D 2C 3C 3D 8H")
TWO = ("2H 3H 4H", "5C 6C PJ", "4S 4D 4C", "9S 9D 2D 2C")


@pytest.mark.parametrize(
    ("laid", "points"),
    [
        (NO_PURE, 5 + 11 + 12 + 22),
        (LONE_PURE, 12 + 36),
        (TWO, 22),
        (("2H 3H 4H", "AH 2H 3H", "9C"), 9),
    ],
)
def test_r6_3_melds_are_free_beside_a_pure_and_a_second_sequence(laid, points):
    assert hand_points(groups(*laid), None, POINTS) == points


def test_r6_3_a_lone_pure_sequence_may_count():
    junglee = PRESETS["junglee-points"]
    assert hand_points(groups(*LONE_PURE), None, junglee) == 9 + 12 + 36
    assert hand_points(groups(*TWO), None, junglee) == 22


def test_r6_2_the_cap_belongs_to_the_rules():
    kings = groups("KS KD QC QH JS JD TS TC 9S 9D 8S 8D 7H")
    assert hand_points(kings, None, POINTS) == 80
    assert hand_points(kings, None, PRESETS["pool61"]) == 60
