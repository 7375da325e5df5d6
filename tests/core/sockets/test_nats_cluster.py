"""Three servers of NATS, of which one is killed or stands still."""

import asyncio
import contextlib
import os
import signal
import time

import pytest

from core.sockets.nats_layer import NatsChannelLayer
from tests.core.sockets.hubs import NatsHub, needs_nats, run_nats

pytestmark = needs_nats

GROUP = "table.1"


@pytest.fixture(scope="module")
def cluster():
    with run_nats(3) as running:
        yield running


@pytest.fixture
def servers(cluster):
    yield cluster
    for server in cluster:
        server.kill()
        server.start()


def make_layer(*servers):
    """Make the channel layer of a process that knows these servers."""
    return NatsChannelLayer(hosts=[server.url for server in servers])


class Listener:
    """Is in the group at one process, and says after how long it has heard a later message of another."""

    def __init__(self, process):
        self.process = process

    async def __aenter__(self):
        self.channel = await self.process.new_channel()
        await self.process.group_add(GROUP, self.channel)
        return self

    async def __aexit__(self, *_error):
        await self.process.flush()

    async def seconds_until_heard(self, speaker):
        began = time.monotonic()
        talking = asyncio.create_task(self.talk(speaker, began))
        try:
            while True:
                async with asyncio.timeout(15):
                    message = await self.process.receive(self.channel)
                if message["began"] == began:
                    return time.monotonic() - began
        finally:
            talking.cancel()

    async def talk(self, speaker, began):
        while True:
            with contextlib.suppress(OSError):
                await speaker.group_send(GROUP, {"type": "told", "began": began})
            await asyncio.sleep(0.02)


def server_that_tells(servers):
    """The one that the listener is at."""
    [found] = [one for one in servers if f"asgi__group__{GROUP}" in one.names()]
    return found


async def test_every_server_delivers_what_one_of_them_received(servers):
    first, second, _third = servers
    speaker = make_layer(first)
    try:
        async with Listener(make_layer(second)) as listener:
            assert await listener.seconds_until_heard(speaker) < 1
    finally:
        await speaker.flush()


def stand_still(server):
    os.kill(server.pid, signal.SIGSTOP)
    # Its threads on other processors still pass messages on for a moment.
    os.waitid(os.P_PID, server.pid, os.WSTOPPED | os.WNOWAIT)


@pytest.mark.parametrize(("end", "seconds"), [(NatsHub.kill, 2), (stand_still, 8)])
async def test_subscribers_of_a_dead_or_stopped_server_receive_again(servers, end, seconds):
    speaker = make_layer(*servers)
    try:
        async with Listener(make_layer(*servers)) as listener:
            assert await listener.seconds_until_heard(speaker) < 1
            end(server_that_tells(servers))
            assert await listener.seconds_until_heard(speaker) < seconds
            assert await listener.seconds_until_heard(speaker) < 0.5
    finally:
        await speaker.flush()


async def test_a_server_that_reports_an_error_is_reconnected(servers, caplog):
    """nats-py itself gives up for good, as where a process reads too slowly."""
    first, *_others = servers
    speaker = make_layer(first)
    try:
        async with Listener(make_layer(first)) as listener:
            assert await listener.seconds_until_heard(speaker) < 1
            [connection] = listener.process._get_layer()._shards
            await connection._client._process_err("'permissions violation for subscription'")
            assert "permissions violation" in caplog.text
            assert await listener.seconds_until_heard(speaker) < 0.5
            await connection._client._process_err("'slow consumer'")
            assert await listener.seconds_until_heard(speaker) < 2
    finally:
        await speaker.flush()
