"""Presence at a table: reconnecting players, a second tab, watchers."""

import asyncio
from dataclasses import dataclass

import pytest
from asgiref.sync import async_to_sync
from websockets.exceptions import ConnectionClosed

from accounts.models import PageShownTo, User
from core.threads import in_thread
from tables.live import presence
from tables.live.heartbeat import SECONDS_BETWEEN_LOOKS
from tables.models import Change, Table
from tests.given import require
from tests.tables.driving import play_a_turn, player_at, start_match
from tests.tables.socket_client import TableSocket, session_of
from tests.workers import wait_until


@dataclass
class Scene:
    address: str
    table: Table
    sessions: dict[int | None, str]  # by seat; None: somebody who watches

    def socket(self, seat):
        return TableSocket(self.address, self.table.pk, self.sessions[seat])


@pytest.fixture
def scene(live_site, transactional_db, make_player, make_table, monkeypatch):
    monkeypatch.setattr(presence, "AWAY_AFTER_MS", 600_000)  # these sockets do not ping
    table = start_match(make_table(), make_player(), make_player())
    sessions: dict[int | None, str] = {None: session_of(make_player())}
    sessions |= {seat: session_of(player_at(table, seat)) for seat in (0, 1)}
    return Scene(live_site, table, sessions)


async def await_here(socket, seats):
    while (await socket.receive(seconds=30)) != {"type": "here", "seats": seats}:
        pass


async def test_the_others_learn_who_is_connected_and_who_is_not(scene):
    async with scene.socket(0) as first, scene.socket(None) as watcher:
        await first.hello()
        await await_here(first, [0])
        async with scene.socket(1) as second:
            await second.hello()
            await await_here(first, [0, 1])
            await await_here(second, [0, 1])
        await await_here(first, [0])
        await watcher.hello()
        await await_here(watcher, [0])


async def await_told(socket, **fields):
    while (await socket.receive(seconds=30)) != {"type": "here", **fields}:
        pass


async def test_a_player_on_another_page_is_shown_as_such_and_not_as_gone(scene):
    user = (await in_thread(player_at, scene.table, 1)).pk
    async with scene.socket(0) as first:
        await first.hello()
        await await_here(first, [0])
        await presence.note_page(user)
        await await_told(first, seats=[0], elsewhere=[1])
        # The page of this table is no other page: whoever loses its connection is away.
        await presence.note_page(user, table_id=scene.table.pk)
        await await_here(first, [0])
        await presence.note_page(user, table_id=scene.table.pk + 1)
        await await_told(first, seats=[0], elsewhere=[1])
        async with scene.socket(1) as second:
            await second.hello()
            await await_here(first, [0, 1])
        await await_told(first, seats=[0], elsewhere=[1])
        await presence.note_page(user, table_id=scene.table.pk, is_open=False)
        await first.send(type="ping", c=1)
        await first.receive_until("pong")
        assert await presence.with_page([user]) == {user: True}
        await presence.note_page(user, table_id=scene.table.pk + 1, is_open=False)
        await await_here(first, [0])
        await in_thread(hide_from_everybody, user)
        await presence.note_page(user)
        await asyncio.sleep(1.5 * SECONDS_BETWEEN_LOOKS)
        seen = len(first.received)
        await first.send(type="ping", c=2)
        await first.receive_until("pong")
        assert all(message["type"] != "here" for message in first.received[seen:])
    await presence.close()


def hide_from_everybody(user):
    User.objects.filter(pk=user).update(online_shown_to=PageShownTo.NOBODY)


async def test_who_comes_back_at_once_was_never_away(scene):
    """The new connection is there before the old one is known to be gone."""
    async with scene.socket(0) as watching:
        await watching.hello()
        async with scene.socket(1) as old:
            await old.hello()
            await await_here(watching, [0, 1])
            async with scene.socket(1) as new:
                await new.hello()
                await old.receive_until("bye")
                with pytest.raises(ConnectionClosed):
                    await old.receive(seconds=30)
                seen = len(watching.received)
                await new.send(type="ping", c=1)
                await watching.send(type="ping", c=2)
                await watching.receive_until("pong")
                assert all(message["type"] != "here" for message in watching.received[seen:])


async def test_who_is_not_heard_of_is_away(scene, monkeypatch):
    async with scene.socket(0) as first:
        await first.hello()
        await await_here(first, [0])
        monkeypatch.setattr(presence, "AWAY_AFTER_MS", 0)
        await await_here(first, [])
        monkeypatch.setattr(presence, "AWAY_AFTER_MS", 600_000)
        await first.send(type="ping", c=1)
        await await_here(first, [0])


async def test_a_second_tab_takes_over_and_the_first_says_so(scene):
    async with scene.socket(0) as first:
        await first.hello()
        async with scene.socket(0) as second:
            await second.hello()
            bye = await first.receive_until("bye")
            assert bye["code"] == "taken_over"
            with pytest.raises(ConnectionClosed) as closed:
                await first.receive(seconds=30)
            assert require(closed.value.rcvd).code == 4410
            turn = second.state["game"]["turn"]
            answer = await second.act(kind="draw", source="closed")
            assert answer["type"] == ("ack" if turn == 0 else "rej")


async def test_who_only_watches_may_do_so_twice(scene):
    async with scene.socket(None) as first, scene.socket(None) as second:
        await first.hello()
        await second.hello()
        await first.send(type="ping", c=1)
        assert (await first.receive_until("pong"))["c"] == 1


def await_counted(expected):
    [table] = Table.objects.all()
    wait_until(lambda: presence.count_spectators_now([table.pk]) == expected)


async def test_spectators_are_counted_and_players_are_not(scene, monkeypatch):
    monkeypatch.setattr(presence, "_COUNTED_MS", 1_500)
    async with scene.socket(0) as player, scene.socket(None) as one, scene.socket(None) as other:
        for socket in (player, one, other):
            await socket.hello()
        await in_thread(await_counted, {scene.table.pk: 2})
    async with scene.socket(0) as player:
        await player.hello()
        await in_thread(await_counted, {})


async def test_who_watches_is_shown_the_game_late_and_the_chairs_at_once(scene, settings):
    settings.SPECTATOR_DELAY_SECONDS = 3600
    async with scene.socket(0) as player, scene.socket(None) as watcher:
        await player.hello()
        snap = await watcher.hello()
        assert snap["type"] == "snap"
        assert snap["state"]["game"] is None
        assert [chair["state"] for chair in snap["state"]["seats"]] == ["playing", "playing"]
        assert player.state["game"]["turn"] in {0, 1}
        began = player.state["game"]

        def let_hour_pass(until):
            changes = Change.objects.filter(table=scene.table, version__lte=until)
            for change in changes:
                Change.objects.filter(pk=change.pk).update(at_ms=change.at_ms - 3_600_000)

        version = player.version
        await in_thread(play_a_turn, scene.table)
        await player.receive_until_version(version + 2)
        await in_thread(let_hour_pass, version)
        while watcher.state["game"] is None:
            await watcher.receive(seconds=30)
        assert watcher.state["game"] == began != player.state["game"]
        assert {message["type"] for message in watcher.received} <= {"snap", "here"}
        await in_thread(let_hour_pass, version + 2)
        while watcher.state["game"] == began:
            await watcher.receive(seconds=30)
        shown = {**watcher.state["game"], "due_at": 0, "deadline": 0}
        assert shown == {**player.state["game"], "due_at": 0, "deadline": 0}


async def test_the_page_of_somebody_who_watches_is_late_too(scene, settings, async_client):
    settings.SPECTATOR_DELAY_SECONDS = 3600
    answer = await async_client.get(f"/tables/{scene.table.pk}/")
    assert answer.context["snapshot"]["state"]["game"] is None


def test_many_are_asked_for_some_at_a_time(monkeypatch):
    """One command for a million keys would stop everybody else."""
    monkeypatch.setattr(presence, "ASKED_AT_ONCE", 3)

    async def ask():
        try:
            for user_id in (1, 5, 8):
                await presence.note_page(user_id)
            for table_id in (1, 7):
                presence.note_heard(table_id, 0, "one")
            await presence.write(range(8))
            return await presence.with_page(range(10)), await presence.present(range(8))
        finally:
            await presence.close()

    pages, here = async_to_sync(ask)()
    assert {user_id for user_id, is_open in pages.items() if is_open} == {1, 5, 8}
    assert set(pages) == set(range(10))
    assert {table_id for table_id, seats in here.items() if seats} == {1, 7}
    assert set(here) == set(range(8))
