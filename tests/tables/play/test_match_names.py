"""The players of a match keep their names at the table, whoever sits there later."""

import pytest

from tables.play.reading import snapshot
from tests.given import require
from tests.tables.driving import leave, seat_all, start_match

pytestmark = pytest.mark.django_db


def names_at(table):
    return require(snapshot(table_id=table.pk, user_id=None)).state["table"]["names"]


def test_a_result_names_players_who_have_left_and_nobody_who_came_later(make_table, players):
    first, second, newcomer, _fourth = players
    table = make_table()
    assert names_at(table) == {}
    start_match(table, first, second)
    names = {"0": "Player 1", "1": "Player 2"}
    assert names_at(table) == names
    leave(table, first)
    leave(table, second)
    assert names_at(table) == names
    seat_all(table, newcomer)
    assert names_at(table) == names
