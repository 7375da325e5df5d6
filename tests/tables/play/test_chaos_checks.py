"""The checks of bin/chaos, which must find planted faults."""

import random
import re
from uuid import uuid4

import pytest

from bench.chaos.checks import check
from bench.chaos.players import Player
from games.registry import get_game
from tables.models import Doing, Table
from tables.play.faults import report_fault
from tests.given import reload
from tests.tables.driving import act, game_view, hand_of, player_at, state_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def player(table):
    """A player of bin/chaos at the seat to move, after two acknowledged moves."""
    seat = game_view(table)["turn"]
    user = player_at(table, seat)
    player = Player("http://127.0.0.1", table.pk, user.pk, "", random.Random(1))
    for kind in ("draw", "discard"):
        move = {"source": "closed"} if kind == "draw" else {"card": hand_of(table, seat)["drawn"]}
        move_id = uuid4()
        played = act(table, seat, move_id=move_id, kind=kind, **move)
        player.acked.append((str(move_id), played.version))
    return player


def list_findings(player):
    return [re.sub(r"[0-9a-f-]{36}", "<id>", sentence) for sentence in check([player])]


def test_lost_doubled_and_disordered_moves_are_found(player):
    assert list_findings(player) == []
    first, (last_id, version) = player.acked
    for acked, finding in (
        (
            [first, (last_id, version), (str(uuid4()), version + 1)],
            f"lost: move <id>, acknowledged as version {version + 1}",
        ),
        (
            [first, (last_id, version + 1)],
            f"doubled: move <id> of version {version + 1} is stored as [{version}]",
        ),
        (
            [(last_id, version), first],
            f"table {player.table_id}: moves acknowledged out of order",
        ),
    ):
        player.acked = acked
        assert list_findings(player) == [finding]


def test_a_state_that_does_not_follow_from_the_moves_is_found(player, table):
    game = get_game(reload(table).game)
    other = game.stored.dump(game.core.postpone(game.stored.load(state_of(table)), by_ms=1))
    Table.objects.filter(pk=table.pk).update(state=other)
    assert list_findings(player) == [
        f"table {table.pk}: match {table.match_id} replays to another state"
    ]


def test_a_table_out_of_order_is_found(player, table):
    report_fault(table_id=table.pk, doing=Doing.MOVE, error=ValueError("a card too many"))
    assert list_findings(player) == [
        f"table {table.pk} is out of order: ValueError: a card too many"
    ]


@pytest.mark.parametrize("part", [{"seats": [{"hand": ["7H.0"]}]}, {"game": {"closed": ["7H.0"]}}])
def test_a_leaked_card_is_found(player, part):
    player._take({"type": "ev", "changes": [{"v": 1, "patch": part}]})
    assert list_findings(player) == [f"secret: table {player.table_id}, version 1: ['7H.0']"]
