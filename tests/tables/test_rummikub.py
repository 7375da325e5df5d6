"""Rummikub at tables: drafts. test_every_game.py has the rest."""

from typing import Any

import pytest

from tables.models import Table
from tables.play.move import DraftMove, MoveRequest, play_move
from tables.play.reading import snapshot
from tests.given import require
from tests.tables.driving import expire_turn, game_view, hand_of, player_at, start_match
from tests.tables.shown_cards import list_cards

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(make_table, make_player):
    opened = make_table(game="rummikub", point_value=2, max_seats=3)
    return start_match(opened, make_player(), make_player(), make_player())


def draft(table: Table, seat: int, rev: int, draft: Any) -> Any:
    user = player_at(table, seat)
    return play_move(MoveRequest(table.pk, user.pk, DraftMove(rev=rev, draft=draft)))


def test_k12_a_draft_is_shown_to_its_player_alone(table):
    seat = game_view(table)["turn"]
    tiles = hand_of(table, seat)["hand"][:3]
    before = game_view(table)
    played = draft(table, seat, 1, [{"cards": tiles, "as": None}])
    assert played.refusal is None
    [step] = played.changes
    assert (step.version, step.events, step.patch) == (None, [], {})
    assert set(step.private) == {str(seat)}
    assert step.private[str(seat)]["draft"]["table"][0]["cards"]
    assert game_view(table) == before
    for other in {0, 1, 2} - {seat}:
        seen = require(snapshot(table_id=table.pk, user_id=player_at(table, other).pk))
        assert not set(tiles) & list_cards(seen.state)


def test_k12_a_table_that_is_not_valid_when_time_runs_out_costs_three_tiles(table):
    seat = game_view(table)["turn"]
    tiles = hand_of(table, seat)["hand"][:2]
    draft(table, seat, 1, [{"cards": tiles, "as": None}])
    expire_turn(table)
    view = game_view(table)
    assert view["players"][str(seat)]["tiles"] == 17
    assert view["table"] == []
    assert view["turn"] != seat
