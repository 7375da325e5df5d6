"""Presence at a table: reconnects, second tabs and watchers."""

import asyncio

import pytest
from asgiref.sync import async_to_sync
from django.db.models import F

from accounts.models import PageShownTo, User
from core.threads import in_thread
from tables.live import presence
from tables.models import Change, Table
from tests.tables.driving import play_a_turn
from tests.tables.live.conftest import SECONDS_BETWEEN_CHECKS
from tests.tables.live.scene import await_here
from tests.workers import wait_until


@pytest.fixture
def scene(open_scene, monkeypatch):
    monkeypatch.setattr(presence, "AWAY_AFTER_MS", 600_000)  # these sockets do not ping
    return open_scene()


async def test_players_and_watchers_learn_which_seats_are_connected(scene):
    async with scene.connect(0) as (first,), scene.socket("watcher") as watcher:
        await await_here(first, [0])
        async with scene.connect(1) as (second,):
            await await_here(first, [0, 1])
            await await_here(second, [0, 1])
        await await_here(first, [0])
        await watcher.hello()
        await await_here(watcher, [0])


async def test_a_player_on_another_page_is_shown_as_elsewhere(scene):
    user, table_id = scene.people[1].pk, scene.table.pk
    async with scene.connect(0) as (first,):
        await await_here(first, [0])
        await presence.record_page(user)
        await await_here(first, [0], elsewhere=[1])
        # A player who loses the connection of this table's page is away.
        await presence.record_page(user, table_id=table_id)
        await await_here(first, [0])
        await presence.record_page(user, table_id=table_id + 1)
        await await_here(first, [0], elsewhere=[1])
        async with scene.connect(1):
            await await_here(first, [0, 1])
        await await_here(first, [0], elsewhere=[1])
        await presence.record_page(user, table_id=table_id, is_open=False)
        await first.ping()
        assert await presence.with_page([user]) == {user: True}
        await presence.record_page(user, table_id=table_id + 1, is_open=False)
        await await_here(first, [0])
        await in_thread(User.objects.filter(pk=user).update, online_shown_to=PageShownTo.NOBODY)
        await presence.record_page(user)
        await asyncio.sleep(3 * SECONDS_BETWEEN_CHECKS)
        seen = len(first.received)
        await first.ping()
        assert all(message["type"] != "here" for message in first.received[seen:])
    await presence.close()


async def test_a_quick_reconnect_is_never_shown_as_away(scene):
    """The new connection opens before the server notices that the old one is closed."""
    async with scene.connect(0) as (watching,), scene.connect(1) as (old,):
        await await_here(watching, [0, 1])
        async with scene.connect(1) as (new,):
            assert (await old.receive_until("bye"))["code"] == "taken_over"
            assert await old.read_close_code() == 4410
            seen = len(watching.received)
            await new.ping()
            await watching.ping()
            assert all(message["type"] != "here" for message in watching.received[seen:])


async def test_a_silent_connection_counts_as_away(scene, monkeypatch):
    async with scene.connect(0) as (first,):
        await await_here(first, [0])
        monkeypatch.setattr(presence, "AWAY_AFTER_MS", 0)
        await await_here(first, [])
        monkeypatch.setattr(presence, "AWAY_AFTER_MS", 600_000)
        await first.send(type="ping", c=1)
        await await_here(first, [0])


def await_counted(expected):
    [table] = Table.objects.all()
    wait_until(lambda: presence.count_spectators_now([table.pk]) == expected)


async def test_watchers_are_counted_and_players_are_not(scene, monkeypatch):
    monkeypatch.setattr(presence, "_COUNTED_MS", 1_500)
    async with scene.connect(0, "watcher", "watcher"):
        await in_thread(await_counted, {scene.table.pk: 2})
    async with scene.connect(0):
        await in_thread(await_counted, {})


async def test_watchers_see_the_chairs_at_once_and_the_game_late(scene, settings):
    settings.SPECTATOR_DELAY_SECONDS = 3600

    def let_hour_pass(until):
        changes = Change.objects.filter(table=scene.table, version__lte=until)
        changes.update(at_ms=F("at_ms") - 3_600_000)

    async with scene.connect(0) as (player,), scene.socket("watcher") as watcher:
        snap = await watcher.hello()
        assert (snap["type"], snap["state"]["game"]) == ("snap", None)
        assert [chair["state"] for chair in snap["state"]["seats"]] == ["playing", "playing"]
        began, version = player.state["game"], player.version
        assert began["turn"] in {0, 1}
        await in_thread(play_a_turn, scene.table)
        await player.receive_until_version(version + 2)
        await in_thread(let_hour_pass, version)
        while watcher.state["game"] is None:
            await watcher.receive()
        assert watcher.state["game"] == began != player.state["game"]
        assert {message["type"] for message in watcher.received} <= {"snap", "here"}
        await in_thread(let_hour_pass, version + 2)
        while watcher.state["game"] == began:
            await watcher.receive()
        shown = {**watcher.state["game"], "due_at": 0, "deadline": 0}
        assert shown == {**player.state["game"], "due_at": 0, "deadline": 0}


async def test_the_page_of_a_watcher_shows_the_game_late(scene, settings, async_client):
    settings.SPECTATOR_DELAY_SECONDS = 3600
    answer = await async_client.get(f"/tables/{scene.table.pk}/")
    assert answer.context["snapshot"]["state"]["game"] is None


def test_many_presence_keys_are_read_in_batches(monkeypatch):
    """A single command for a million keys would block the Redis server."""
    monkeypatch.setattr(presence, "ASKED_AT_ONCE", 3)

    async def ask():
        try:
            for user_id in (1, 5, 8):
                await presence.record_page(user_id)
            for table_id in (1, 7):
                presence.record_heard(table_id, 0, "one")
            await presence.write(range(8))
            return await presence.with_page(range(10)), await presence.present(range(8))
        finally:
            await presence.close()

    pages, here = async_to_sync(ask)()
    assert {user_id for user_id, is_open in pages.items() if is_open} == {1, 5, 8}
    assert set(pages) == set(range(10))
    assert {table_id for table_id, seats in here.items() if seats} == {1, 7}
    assert set(here) == set(range(8))
