"""Fixtures: a match at a live site, and a table with two seated players."""

import pytest

from tests.tables.driving import seat_all
from tests.tables.live.conftest import open_scene, scene

__all__ = ["open_scene", "scene"]  # fixtures


@pytest.fixture
def table(db, make_table, make_player):
    table = make_table()
    seat_all(table, make_player(), make_player())
    return table
