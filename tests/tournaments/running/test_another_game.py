"""A knock-out tournament of a game that the platform's own code does not know."""

import pytest

from games.engine.game import guard_game
from games.registry import GAMES
from tests.games.highest_card import GAME as HIGHEST
from tests.tables.driving import act, game_view, let_time_pass
from tests.tournaments.driving import end_break, open_tables, tick_and_reload
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running.tick import tick
from wallet.ledger.checks import reconcile

pytestmark = pytest.mark.django_db


def test_an_unknown_game_is_played_until_one_player_is_left(
    start_tournament, monkeypatch, settings
):
    settings.GAMES_OFFERED = ["indian", "highest"]
    monkeypatch.setitem(GAMES, "highest", guard_game(HIGHEST))
    tournament = start_tournament(
        4, game="highest", preset="pot", seats=2, qualifiers=1, payout_table=[[1, 10_000]]
    )
    rounds = 0
    while tournament.status != LifecycleStatus.FINISHED:
        rounds += 1
        assert rounds <= 2
        for table in open_tables(tournament):
            assert table.game == "highest"
            table.refresh_from_db()
            let_time_pass(table)
            for seat in game_view(table)["order"]:
                assert act(table, seat, kind="turn_up").refusal is None
        tick()
        end_break(tournament)
        tick_and_reload(tournament)
    assert rounds == 2
    prizes = sorted(tournament.entrants.values_list("prize", flat=True))
    assert prizes == [0, 0, 0, 360]  # four entry fees of 100 less a tenth
    assert reconcile().findings == ()
