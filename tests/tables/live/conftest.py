"""Fixtures: a match at a live site, and a push service whose messages tests can read."""

from typing import Any

import pytest

from accounts.push.web_push import make_private_key
from tables.live import heartbeat
from tests.accounts.push_service import push_service
from tests.tables.driving import player_at, start_match
from tests.tables.live.scene import Scene
from tests.tables.socket_client import session_of
from tests.workers import empty_redis

SECONDS_BETWEEN_CHECKS = 0.2


@pytest.fixture(autouse=True)
def _quick_heartbeat(monkeypatch):
    """Check versions and sessions ten times as often as in production."""
    for watch in (heartbeat.version_watch, heartbeat.session_watch):
        monkeypatch.setattr(watch, "seconds_between_checks", SECONDS_BETWEEN_CHECKS)


@pytest.fixture
def service(settings):
    """Run a push service. Its jobs wait for `do_waiting_jobs` (tests/accounts/push has workers)."""
    with push_service() as running:
        settings.VAPID_PRIVATE_KEY = make_private_key()
        settings.PUSH_SERVICES = [running.address]
        yield running
    empty_redis()


@pytest.fixture
def open_scene(live_site, transactional_db, make_table, make_player):
    """Start a match at the live site. It has two players unless `players` says otherwise."""

    def start(*, players=2, **terms):
        table = start_match(make_table(**terms), *(make_player() for _ in range(players)))
        people: dict[Any, Any] = {seat: player_at(table, seat) for seat in range(players)}
        people["watcher"] = make_player()
        sessions = {who: session_of(person) for who, person in people.items()}
        return Scene(live_site, table, people, sessions)

    return start


@pytest.fixture
def scene(open_scene):
    return open_scene()
