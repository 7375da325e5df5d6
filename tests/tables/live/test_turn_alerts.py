"""Turn alerts for absent players."""

import json

import pytest

from config.settings.schedule import MAIL
from core.database.leases import Job, lease
from core.threads import in_thread
from tables.live import alerts, presence
from tables.live.alerts import call_players
from tables.models import Table
from tests.accounts.push_service import subscribe_device
from tests.tables.driving import game_view, play_a_turn, player_at, start_match
from tests.tables.live.scene import await_here
from tests.tables.socket_client import TableSocket, session_of
from tests.workers import do_waiting_jobs, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("service")]


def test_an_absent_player_at_turn_gets_a_push(service, table):
    device = subscribe_device(service, player_at(table, game_view(table)["turn"]))
    assert call_players() == 1
    do_waiting_jobs(MAIL)
    read = json.loads(device.read(service.received[0]))
    assert (read["title"], read["body"]) == (
        "Your turn",
        f"The other players are waiting for you at {table.name}.",
    )
    assert (read["url"], read["tag"]) == (f"/tables/{table.pk}/", f"table-{table.pk}")
    # The push message expires with the turn: after 30 seconds and a minute of extra time.
    assert 60 < int(service.received[0].headers["ttl"]) <= 90


def test_each_turn_alerts_its_player_once(service, table):
    first = game_view(table)["turn"]
    subscribe_device(service, player_at(table, first))
    assert [call_players() for _ in range(3)] == [1, 0, 0]
    play_a_turn(table)
    assert game_view(table)["turn"] != first
    assert call_players() == 0
    play_a_turn(table)
    assert [call_players() for _ in range(2)] == [1, 0]


@pytest.fixture
def subscribed(service, table):
    """Subscribe a device of the current player."""
    subscribe_device(service, player_at(table, game_view(table)["turn"]))


def test_only_the_process_with_the_lease_alerts_players(subscribed):
    with lease(Job.CALLING_PLAYERS):
        assert call_players() == 0
    assert call_players() == 1


def test_every_absent_player_is_alerted(service, table, make_table, make_player, monkeypatch):
    monkeypatch.setattr(alerts, "AT_ONCE", 1)
    second = start_match(make_table(), make_player(), make_player())
    for one in (table, second):
        for seat in (0, 1):
            subscribe_device(service, player_at(one, seat))
    assert [call_players() for _ in range(2)] == [2, 0]


def test_a_player_without_a_device_is_not_alerted(table):
    assert call_players() == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [("VAPID_PRIVATE_KEY", ""), ("PRESENCE_REDIS_URL", "redis://127.0.0.1:9/0")],
)
def test_without_a_key_or_redis_nobody_is_alerted(subscribed, settings, name, value):
    setattr(settings, name, value)
    assert call_players() == 0


async def test_a_player_with_the_table_open_is_not_alerted(service, table, live_site, monkeypatch):
    monkeypatch.setattr(presence, "AWAY_AFTER_MS", 600_000)  # this socket does not ping
    seat = (await in_thread(game_view, table))["turn"]
    user = await in_thread(player_at, table, seat)
    await in_thread(subscribe_device, service, user)
    session = await in_thread(session_of, user)
    async with TableSocket(live_site, table.pk, session) as socket:
        await socket.hello()
        await await_here(socket, [seat])
        assert await in_thread(call_players) == 0
    await in_thread(wait_until, call_players)


def test_a_table_that_cannot_be_read_silences_no_other(service, table, make_table, make_player):
    broken = start_match(make_table(), make_player(), make_player())
    for one in (broken, table):
        subscribe_device(service, player_at(one, game_view(one)["turn"]))
    Table.objects.filter(pk=broken.pk).update(state=b"not a position")
    assert call_players() == 1
