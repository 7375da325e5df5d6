"""The players of a match keep their names at the table, whoever sits there later."""

import pytest

from tables.play.reading import snapshot
from tables.seating.sitting import take_seat
from tests.tables.driving import BUY_IN, leave, player_at, start_match

pytestmark = pytest.mark.django_db


def names_at(table):
    seen = snapshot(table_id=table.pk, user_id=None)
    assert seen is not None
    return seen.state["table"]["names"]


def test_a_result_names_players_who_have_left_and_nobody_who_came_later(make_table, make_player):
    table = make_table()
    assert names_at(table) == {}
    start_match(table, make_player(), make_player())
    first, second = player_at(table, 0), player_at(table, 1)
    names = {"0": "Player 1", "1": "Player 2"}
    assert names_at(table) == names
    for player in (first, second):
        leave(table, player)
    assert names_at(table) == names
    newcomer = make_player()
    take_seat(table_id=table.pk, user_id=newcomer.pk, number=0, amount=BUY_IN)
    assert names_at(table) == names
