"""The cache of decoded states: eviction and consistency."""

import pytest

from games.registry import get_game
from tables.models import Table
from tables.play import seat_view
from tables.play.seat_view import load_position
from tests.given import reload
from tests.tables.driving import act, game_view, play_a_turn, start_match, state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def tables(make_player, make_table, monkeypatch):
    """Three tables, and a cache with room for two."""
    made = [start_match(make_table(), make_player(), make_player()) for _ in range(3)]
    seat_view._positions.clear()
    monkeypatch.setattr(seat_view, "REMEMBERED", 2)
    return made


def read(table: Table) -> seat_view.Position:
    return load_position(get_game(reload(table).game), table.pk, state_of(table))


def test_the_least_recently_read_state_is_evicted(tables):
    first, second, third = tables
    of_first, of_second = read(first), read(second)
    assert read(first) is of_first  # now the second state is the oldest
    read(third)
    assert set(seat_view._positions) == {first.pk, third.pk}
    assert read(first) is of_first
    assert read(second) is not of_second
    assert read(second).public == of_second.public


def test_an_evicted_table_plays_on(tables):
    for _turn in range(2):
        for table in tables:
            play_a_turn(table)
            assert len(seat_view._positions) <= 2
    for table in tables:
        seat = game_view(table)["turn"]
        assert act(table, seat, kind="draw", source="closed").refusal is None
        assert read(table).public == game_view(table)


def test_a_state_stored_by_another_process_is_read_again(tables):
    table = tables[0]
    before = read(table)
    stored = before.stored
    play_a_turn(table)
    after = read(table)
    assert after.public != before.public
    # The cache holds an older state than the database.
    seat_view._positions[table.pk] = before
    assert read(table).public == after.public
    assert load_position(get_game(table.game), table.pk, stored).public == before.public
