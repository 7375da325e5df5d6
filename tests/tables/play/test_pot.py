"""The pot of a match for entry fees, as players see it."""

import pytest

from games.engine.core import GameStatus
from games.indian.game import GAME as INDIAN
from games.indian.rules.ruleset import PRESETS
from tables.models import Table
from tables.play.reading import snapshot
from tables.play.stakes import NO_POT, pot_view
from tests.given import require
from tests.tables.driving import act, game_view, start_match

pytestmark = pytest.mark.django_db


def row(**fields):
    return Table(entry_fee=500, rake_bps=1000, **fields)


@pytest.fixture
def state():
    return INDIAN.core.start(
        rules=PRESETS["pool101"], seats=(0, 1, 3), toss=False, seed=bytes(32), now=0
    ).state


def status(fees, shares_offered=None):
    return GameStatus(
        seats=(0, 1, 2, 3),
        acting=(),
        deadline=None,
        deals=1,
        fees=fees,
        shares_offered=shares_offered,
        offers_split=False,
        result=None,
    )


def test_the_pot_is_all_entry_fees_less_a_service_fee_up_to_its_cap():
    playing = status({0: 1, 1: 1, 2: 2, 3: 1})
    assert pot_view(row(), playing)["pot"] == {"gross": 2500, "rake": 250, "net": 2250}
    capped = pot_view(row(rake_cap=100), playing)
    assert capped == {"pot": {"gross": 2500, "rake": 100, "net": 2400}, "split": None}


def test_the_parts_of_a_split_add_up_to_the_pot():
    offered = status({0: 1, 1: 1, 3: 1}, {3: 7, 0: 7, 1: 1})
    view = pot_view(Table(entry_fee=501, rake_bps=0), offered)
    assert view["pot"]["net"] == 1503
    assert view["split"] == [
        {"seat": 0, "amount": 701},
        {"seat": 1, "amount": 100},
        {"seat": 3, "amount": 702},
    ]


def test_a_points_table_has_no_pot(state, make_table, players):
    assert pot_view(Table(point_value=1), INDIAN.core.status(state)) == NO_POT
    table = start_match(make_table(), *players[:2])
    shown = require(snapshot(table_id=table.pk, user_id=None)).state["table"]
    assert {key: shown[key] for key in ("pot", "split")} == NO_POT
    played = act(table, game_view(table)["turn"], kind="drop")
    assert "pot" not in played.changes[-1].patch["table"]


def test_the_pot_of_a_finished_match_is_what_was_settled(state):
    settled = {"gross": 1500, "rake": 150, "net": 1350, "winners": [0]}
    view = pot_view(row(settlement=settled), INDIAN.core.status(state))
    assert view == {"pot": {"gross": 1500, "rake": 150, "net": 1350}, "split": None}
