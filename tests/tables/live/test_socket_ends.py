"""Refused and failing sockets, and the heartbeat of all other sockets."""

import asyncio
import contextlib
import json
import socket as network
from typing import Any, cast

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from core.threads import in_thread
from core.values.numbers import LARGEST_ID
from tables.live import consumers, frames, heartbeat, sockets
from tables.live.sockets import TOO_SLOW
from tests.tables.driving import game_view, play_a_turn, player_at
from tests.tables.live.scene import read_record, wait_for
from tests.tables.socket_client import TableSocket, session_of

pytestmark = pytest.mark.django_db(transaction=True)
SECONDS = 30


@pytest.fixture
def address(live_site, table):
    """Return the address of the table's socket."""
    return f"{live_site.replace('http', 'ws', 1)}/ws/tables/{table.pk}/"


async def read_farewell(socket):
    """Return the code of the `bye` frame and the socket's close code."""
    return (await socket.receive_until("bye"))["code"], await socket.read_close_code()


async def test_a_socket_to_an_unknown_table_is_closed_at_once(live_site, table):
    """The server closes it without waiting for a hello."""
    watched = set(heartbeat.version_watch._sockets)
    for number in (LARGEST_ID + 1, 10**30, 10**200, LARGEST_ID, 999_999):
        async with TableSocket(live_site, number, None) as stranger:
            assert await read_farewell(stranger) == ("table_not_found", 4404), number
        assert set(heartbeat.version_watch._sockets) == watched


async def test_a_socket_to_an_unknown_tournament_is_closed(live_site, transactional_db):
    for number in (LARGEST_ID + 1, 10**200, 999_999):
        url = f"{live_site.replace('http', 'ws', 1)}/ws/tournaments/{number}/"
        async with connect(url, origin=live_site, proxy=None) as stranger:
            await asyncio.wait_for(stranger.wait_closed(), SECONDS)
        assert stranger.close_code == 4404, number


async def test_a_socket_without_a_hello_is_closed(live_site, table, monkeypatch):
    monkeypatch.setattr(consumers, "SECONDS_TO_HELLO", 1)
    silent, polite = (TableSocket(live_site, table.pk, None) for _ in range(2))
    async with silent, polite:
        await polite.hello()
        await silent.send(type="ping", c=1)
        assert await read_farewell(silent) == ("no_hello", 4402)
        await polite.ping()


async def test_an_unreadable_table_does_not_stop_the_heartbeat(
    live_site, table, monkeypatch, caplog
):
    monkeypatch.setattr(heartbeat, "TABLES_AT_A_TIME", 1)

    class Stranger:
        """Watcher of a table with an impossible id."""

    heartbeat.version_watch._sockets[LARGEST_ID + 1] = {cast("Any", Stranger())}
    try:
        seat = (await in_thread(game_view, table))["turn"]
        session = await in_thread(lambda: session_of(player_at(table, 1 - seat)))
        async with TableSocket(live_site, table.pk, session) as other:
            await other.hello()
            before = other.version
            # Messages are lost.
            monkeypatch.setattr("tables.play.change.send_after_commit", lambda *_lost: None)
            await in_thread(play_a_turn, table)
            await asyncio.wait_for(other.receive_until_version(before + 2), 10)
        await wait_for(lambda: "could not be read" in caplog.text)
    finally:
        del heartbeat.version_watch._sockets[LARGEST_ID + 1]


async def test_a_client_that_does_not_read_delays_nobody(live_site, table, address, monkeypatch):
    """The client's receive buffer stays full, so the server drops the socket without a `bye`."""
    monkeypatch.setattr(sockets, "SECONDS_TO_SEND", 0.3)
    monkeypatch.setattr(sockets, "SECONDS_TO_CLOSE", 0.3)
    monkeypatch.setattr(frames.Here, "text", lambda _frame: json.dumps({"type": "x" * 30_000_000}))
    raw = network.socket()
    raw.setsockopt(network.SOL_SOCKET, network.SO_RCVBUF, 4096)
    raw.setblocking(False)
    host, port = live_site.removeprefix("http://").split(":")
    await asyncio.get_running_loop().sock_connect(raw, (host, int(port)))
    deaf = await connect(address, sock=raw, origin=live_site, proxy=None, max_queue=1)
    watched = heartbeat.version_watch._sockets
    try:
        await deaf.send(json.dumps({"type": "hello", "epoch": "", "v": 0}))
        await wait_for(lambda: table.pk in watched)
        await wait_for(lambda: table.pk not in watched)
    finally:
        deaf.transport.abort()
    assert heartbeat.version_watch._telling == {}


async def test_a_client_that_reads_too_slowly_gets_a_farewell(
    live_site, table, address, monkeypatch
):
    """The kernel's buffer is full while the client pauses. When it reads on, it receives the close code."""
    monkeypatch.setattr(sockets, "SECONDS_TO_SEND", 0.3)
    monkeypatch.setattr(sockets, "SECONDS_TO_CLOSE", SECONDS)
    # If it were compressed, even such a long frame would fit into the buffer.
    how: Any = {"compression": None, "max_queue": 1, "max_size": None}
    async with connect(address, origin=live_site, proxy=None, **how) as slow:
        await slow.send(json.dumps({"type": "hello", "epoch": "", "v": 0}))
        await wait_for(lambda: table.pk in heartbeat.version_watch._sockets)
        feed: Any
        (feed,) = heartbeat.version_watch._sockets[table.pk]
        consumer = feed._deliver.__self__
        await wait_for(lambda: feed.version is not None)
        slow.transport.pause_reading()
        long = json.dumps({"type": "x" * 30_000_000})
        loop = consumer._running.get_loop()
        # The long frame fills the buffer, and the one after it waits.
        sending = [
            asyncio.run_coroutine_threadsafe(consumer.deliver(frame), loop)
            for frame in (long, '{"type": "x"}')
        ]
        await wait_for(lambda: consumer.is_over)
        slow.transport.resume_reading()
        async with asyncio.timeout(SECONDS):
            with contextlib.suppress(ConnectionClosed):
                while True:
                    await slow.recv()
        await asyncio.gather(*map(asyncio.wrap_future, sending))
    assert slow.close_code == TOO_SLOW
    assert not consumer.is_given_up
    assert table.pk not in heartbeat.version_watch._sockets


async def test_frames_after_the_farewell_are_not_read(live_site, table, caplog):
    before = await in_thread(read_record, table)
    async with TableSocket(live_site, 999_999, None) as stranger:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(30):
                await stranger.send(type="hello", epoch="", v=0)
        assert await read_farewell(stranger) == ("table_not_found", 4404)
    async with TableSocket(live_site, table.pk, None) as flood:
        await flood.hello()
        with contextlib.suppress(ConnectionClosed):
            for _ in range(400):
                await flood.send(type="ping", c=1)
        await flood.read_close_code()
    assert [one for one in caplog.records if one.exc_info] == []
    assert await in_thread(read_record, table) == before
