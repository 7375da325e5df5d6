"""A worker that stalls in a transaction until the server ends it. It leaves the tournament in order."""

from django.db import connection
from django.utils import timezone

from tests.given import reload
from tests.tables.play.test_stalled_process import lose_patience, stall
from tests.tournaments.driving import bring_start, enter
from tests.tournaments.leagues_driving import make_league
from tournaments.leagues import ticking as leagues
from tournaments.leagues.standings import draw_standings
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running import tick


def test_a_tournament_begins_at_the_tick_after_a_stalled_worker(
    monkeypatch, transactional_db, make_tournament_of, make_player
):
    tournament = make_tournament_of()
    enter(tournament, make_player(), make_player())
    bring_start(tournament)
    stalled = {due: stall(step) for due, step in tick._STEPS.items()}
    lose_patience()
    with monkeypatch.context() as patch:
        patch.setattr(tick, "_STEPS", stalled)
        tick.tick()
    tournament.refresh_from_db()
    assert (tournament.status, tournament.broken_at) == (LifecycleStatus.REGISTERING, None)
    tick.tick()
    assert reload(tournament).status == LifecycleStatus.PLAYING
    connection.close()


def test_standings_are_updated_at_the_tick_after_a_stalled_worker(monkeypatch, transactional_db):
    league = make_league()
    lose_patience()
    with monkeypatch.context() as patch:
        patch.setattr(leagues, "draw_standings", stall(draw_standings))
        assert leagues.act_on_leagues() == 0
    league.refresh_from_db()
    assert (league.broken_at, league.drawn_at) == (None, None)
    assert leagues.act_on_leagues() == 1
    assert reload(league).drawn_at is not None
    assert league.drawn_at <= timezone.now()
    connection.close()
