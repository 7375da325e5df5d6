"""R10.11: a fixed number of rounds, rising stakes, kept chips, and a final of the players with most chips."""

import pytest

from tournaments.rules.bracket import Finisher, Structure, TableEnded
from tournaments.rules.formats import SHOOT_OUT
from tournaments.rules.shoot_out import InvalidStakes, parse_stakes, stakes_text

# Two deals a round at 1, 2 and 4 chips a point.
THREE = Structure(6, 2, (160, 320, 640))


def test_all_players_play_every_round_and_the_richest_play_the_final():
    assert SHOOT_OUT.rounds(20, THREE) == (20, 20, 6)
    assert SHOOT_OUT.rounds(4, THREE) == (4, 4, 4)
    assert SHOOT_OUT.rounds(1, THREE) == ()


def test_only_the_last_round_is_the_final():
    for number, is_final in ((1, False), (2, False), (3, True)):
        assert SHOOT_OUT.will_be_final(2, number=number, structure=THREE) is is_final
        assert SHOOT_OUT.was_final(number=number, tables=1, byes=0, structure=THREE) is is_final


def test_the_draw_decides_between_equal_chips_for_the_final():
    table = TableEnded(3, tuple(Finisher(seeding, 1, 80) for seeding in range(3)))
    structure = Structure(2, 1, (80, 80))
    assert SHOOT_OUT.list_left_after([table], (), number=1, structure=structure) == (0, 1)


def test_a_shoot_out_has_no_tree():
    assert SHOOT_OUT.count_going_on(5, THREE) == 5
    assert not SHOOT_OUT.has_tree(THREE, early=True)


@pytest.mark.parametrize(
    ("text", "stakes"),
    [("1,2,4", (1, 2, 4)), (" 5 , 5", (5, 5)), ("1, 2, 3, 9999", (1, 2, 3, 9_999))],
)
def test_stakes_are_written_with_commas(text, stakes):
    assert parse_stakes(text) == stakes
    assert parse_stakes(stakes_text(stakes)) == stakes


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "1, 0",
        "1; 2",
        "1, -2",
        "1, 2.5",
        "2, 1",
        "1, 10000",
        "\u0661, \u0662",
        ", ".join("1" * 13),
    ],
)
def test_invalid_stakes_are_refused(text):
    with pytest.raises(InvalidStakes):
        parse_stakes(text)
