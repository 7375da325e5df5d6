"""Pages, the API and sockets during outages of Redis or NATS."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
import requests
from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer
from django.conf import settings as given
from django.core.cache import cache

from accounts.sessions.revocation import revocation_group
from config.run.embedded.valkey import Valkey
from config.settings import env
from config.sockets.websocket import websocket_application
from core.threads import in_thread
from tables.live import heartbeat, presence
from tables.live.consumers import group_of_player
from tables.play.change import name_table_group
from tests.core.sockets.hubs import KINDS, Hub, RedisHub, run_hub, tell_by
from tests.core.stores.valkeys import run_valkey
from tests.given import require
from tests.separate_processes import separate_processes
from tests.tables.driving import player_at
from tests.tables.socket_client import TableSocket
from tests.workers import wait_until

CALLS_A_MINUTE = 5
PAGES = ["/", "/rules/", "/accounts/login/", "/matches/", "/wallet/", "/tournaments/"]


@pytest.fixture
def valkey() -> Iterator[Valkey]:
    with run_valkey() as server:
        yield server


@pytest.fixture
def site(valkey, processes):
    """Start a web process. Return its address."""
    processes.environment |= {"REDIS_URL": valkey.url, "API_RATE_PLAYER": f"{CALLS_A_MINUTE}/min"}
    address, _process = processes.web()
    return address


@pytest.fixture(params=KINDS)
def hub(request) -> Iterator[Hub]:
    with run_hub(request.param) as running:
        yield running


@pytest.fixture(scope="module", params=KINDS)
def site_on_hub(request, django_db_setup, django_db_blocker) -> Iterator[tuple[str, Hub]]:
    """The address of a web process, and the hub through which it sends messages."""
    with (
        run_hub(request.param) as running,
        django_db_blocker.unblock(),
        separate_processes(**running.environment) as processes,
    ):
        yield processes.web()[0], running


@pytest.fixture
def here(hub, settings) -> Iterator[None]:
    """Connect this process to the hub. With a Redis hub, the cache and presence use its server too."""
    if isinstance(hub, RedisHub):
        url, shared = hub.valkey.url, given.CACHES["default"]
        settings.CACHES = {"default": {**shared, "LOCATION": env.redis_database(url, 2)}}
        settings.PRESENCE_REDIS_URL = env.redis_database(url, 0)
    with tell_by(hub.layers, settings):
        yield


def test_pages_the_api_and_rate_limits_work_without_redis(site, valkey, table_and_sessions):
    table, sessions = table_and_sessions
    valkey.stop()
    with requests.Session() as browser:
        browser.cookies.set("sessionid", sessions[0])
        began = time.monotonic()
        for page in [*PAGES, f"/tables/{table.pk}/", "/api/v1/account/", "/api/v1/lobby/"]:
            answer = browser.get(f"{site}{page}", timeout=20)
            assert (page, answer.status_code) == (page, 200)
        assert time.monotonic() - began < 10
        account = f"{site}/api/v1/account/"
        codes = [browser.get(account, timeout=20).status_code for _ in range(CALLS_A_MINUTE - 1)]
        assert codes == [200] * (CALLS_A_MINUTE - 2) + [429]
    with requests.Session() as stranger:
        form_page = stranger.get(f"{site}/accounts/login/", timeout=20)
        token = form_page.text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
        form = {"login": "player1@example.com", "password": "wrong", "csrfmiddlewaretoken": token}
        answer = stranger.post(f"{site}/accounts/login/", data=form, timeout=20)
    assert answer.status_code == 200  # an answer of the form, not an error page


async def hear_at_once(mine, other):
    """Play three turns. Assert that each arrives sooner than a heartbeat would show it."""
    longest = 0.0
    for _ in range(3):
        answer = await mine.act(kind="discard", card=mine.state["you"]["drawn"])
        told = time.monotonic()
        await other.receive_until_version(answer["v"])
        longest = max(longest, time.monotonic() - told)
        mine, other = other, mine
        answer = await mine.act(kind="draw", source="closed")
        assert answer["type"] == "ack"
        await other.receive_until_version(answer["v"])
    assert longest < 0.5


@asynccontextmanager
async def connect_both(site, table, sessions):
    async with (
        TableSocket(site, table.pk, sessions[0]) as first,
        TableSocket(site, table.pk, sessions[1]) as second,
    ):
        for player in (first, second):
            await player.hello()
        yield first, second


async def test_players_connect_and_play_by_the_heartbeat_without_the_hub(
    site_on_hub, table_and_sessions
):
    (site, hub), (table, sessions) = site_on_hub, table_and_sessions
    async with connect_both(site, table, sessions) as players:
        await asyncio.to_thread(hub.stop)
        turn = players[0].state["game"]["turn"]
        mine, other = players[turn], players[1 - turn]
        answer = await mine.act(kind="draw", source="closed")
        assert answer["type"] == "ack"
        await asyncio.wait_for(other.receive_until_version(answer["v"]), 5)
        assert other.state["game"]["step"] == "discard"
    began = time.monotonic()
    async with connect_both(site, table, sessions) as players:
        assert time.monotonic() - began < 3
        mine, other = players[turn], players[1 - turn]
        answer = await mine.act(kind="discard", card=mine.state["you"]["drawn"])
        assert answer["type"] == "ack"
        await other.receive_until_version(answer["v"])  # by the heartbeat
        await asyncio.to_thread(hub.start)
        await asyncio.sleep(1.5)  # failed joins are retried every half second
        answer = await other.act(kind="draw", source="closed")
        await mine.receive_until_version(answer["v"])
        await hear_at_once(other, mine)


async def test_a_frozen_hub_delays_nobody(site_on_hub, table_and_sessions):
    (site, hub), (table, sessions) = site_on_hub, table_and_sessions
    os.kill(hub.pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        page = f"{site}/api/v1/account/"
        cookies = {"sessionid": sessions[0]}
        answer = await asyncio.to_thread(requests.get, page, cookies=cookies, timeout=20)
        assert answer.status_code == 200
        async with TableSocket(site, table.pk, sessions[0]) as player:
            await player.hello()
            assert time.monotonic() - began < 8
    finally:
        os.kill(hub.pid, signal.SIGCONT)


async def open_here(table_id: int, session: str) -> ApplicationCommunicator:
    """Open a socket to the application in this process. Return it after its snapshot."""
    scope = {
        "type": "websocket",
        "path": f"/ws/tables/{table_id}/",
        "headers": [
            (b"cookie", f"sessionid={session}".encode()),
            (b"origin", b"http://testserver"),
        ],
        "query_string": b"",
        "subprotocols": [],
    }
    socket = ApplicationCommunicator(websocket_application, scope)
    await socket.send_input({"type": "websocket.connect"})
    assert (await socket.receive_output(5))["type"] == "websocket.accept"
    hello = json.dumps({"type": "hello", "epoch": "", "v": 0})
    await socket.send_input({"type": "websocket.receive", "text": hello})
    assert json.loads((await socket.receive_output(5))["text"])["type"] == "snap"
    return socket


@pytest.mark.usefixtures("here")
async def test_a_message_while_a_socket_ends_keeps_nothing_of_it(table_and_sessions):
    table, sessions = table_and_sessions
    layer = cast("Any", get_channel_layer())
    message = {"type": "session.revoked", "signs": []}
    try:
        for steps in range(12):  # rounds of the event loop between the two
            socket = await open_here(table.pk, sessions[0])
            [(_channel, queue)] = layer.here.channels.items()
            socket.input_queue.put_nowait({"type": "websocket.disconnect", "code": 1001})
            for _step in range(steps):
                await asyncio.sleep(0)
            queue.put_nowait(message)
            await socket.wait(5)
            assert (layer.here.members, layer.here.channels) == ({}, {}), steps
    finally:
        await require(get_channel_layer()).flush()
        await presence.close()


@pytest.mark.usefixtures("here")
async def test_a_socket_that_fails_keeps_nothing(table_and_sessions):
    """The consumer fails, and no disconnect message follows."""
    table, sessions = table_and_sessions
    layer = cast("Any", get_channel_layer())
    try:
        socket = await open_here(table.pk, sessions[0])
        [(_channel, queue)] = layer.here.channels.items()
        queue.put_nowait({"type": "nobody.knows"})
        with pytest.raises(AttributeError):
            await socket.wait(5)
        assert (layer.here.members, layer.here.channels) == ({}, {})
    finally:
        await layer.flush()
        await presence.close()


async def test_a_socket_closed_during_an_outage_leaves_nothing_behind(
    hub, here, table_and_sessions
):
    table, sessions = table_and_sessions
    user = await in_thread(lambda: player_at(table, 0).pk)
    layer = cast("Any", get_channel_layer())
    try:
        socket = await open_here(table.pk, sessions[0])
        assert table.pk in heartbeat.version_watch._sockets
        assert {who for who, _key in heartbeat.session_watch._sockets} == {user}
        names = (
            name_table_group(table.pk),
            group_of_player(table.pk, user),
            revocation_group(user),
        )
        assert set(layer.here.members) == {f"group.{name}" for name in names}
        await asyncio.to_thread(hub.stop)
        await socket.send_input({"type": "websocket.disconnect", "code": 1001})
        await socket.wait(5)
        assert table.pk not in heartbeat.version_watch._sockets
        assert heartbeat.session_watch._sockets == {}
        assert (layer.here.members, layer.here.channels) == ({}, {})
        assert table.pk not in presence._heard
        # The missed message arrives after the outage.
        await asyncio.to_thread(hub.start)
        await asyncio.sleep(1.5)
        assert await asyncio.to_thread(hub.names) == set()
    finally:
        await require(get_channel_layer()).flush()
        await presence.close()


@pytest.mark.parametrize("hub", ["redis"], indirect=True)
async def test_a_group_left_on_a_lost_connection_stays_left(hub, here):
    layer = cast("Any", get_channel_layer())
    channel = await layer.new_channel()
    try:
        await layer.group_add("kept", channel)
        await layer.group_add("given_back", channel)
        os.kill(hub.pid, signal.SIGSTOP)
        await layer.group_discard("given_back", channel)
        await asyncio.sleep(0.1)  # the command is sent, but nothing answers it
        os.kill(hub.pid, signal.SIGKILL)
        await asyncio.to_thread(wait_until, hub.valkey.is_gone, seconds=5)
        await asyncio.to_thread(hub.start)
        kept = {"group.kept"}
        await asyncio.to_thread(wait_until, lambda: hub.names() == kept, seconds=5)
    finally:
        await layer.flush()


@pytest.mark.parametrize("hub", ["redis"], indirect=True)
def test_the_cache_counts_in_this_process_until_redis_is_back(hub, here):
    assert cache.add("limit", 1, 60)
    assert not cache.add("limit", 1, 60)
    hub.stop()
    assert cache.add("limit", 1, 60)
    assert not cache.add("limit", 1, 60)
    assert cache.get("limit") == 1
    assert cache.get("none", 7) == 7
    hub.start()
    wait_until(lambda: cache.get("limit") is None, seconds=5)  # Redis came back empty
