"""A cluster of three NATS servers, one of which is killed or frozen."""

import asyncio
import contextlib
import os
import signal
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from core.sockets.nats_layer import NatsChannelLayer
from tests.core.sockets.hubs import NatsHub, needs_nats, run_nats
from tests.workers import wait_until

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


@asynccontextmanager
async def run_layer(*servers):
    """Yield the channel layer of a process that knows these servers."""
    layer = NatsChannelLayer(hosts=[server.url for server in servers])
    try:
        yield layer
    finally:
        await layer.flush()


@asynccontextmanager
async def listen(*servers):
    async with run_layer(*servers) as layer:
        channel = await layer.new_channel()
        await layer.group_add(GROUP, channel)
        yield Listener(layer, channel)


@dataclass
class Listener:
    """A process's member of the group. It measures how long another process's messages take."""

    process: NatsChannelLayer
    channel: str

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
    """Return the server to which the listener is connected."""
    [found] = [one for one in servers if f"group.{GROUP}" in one.names()]
    return found


async def test_every_server_delivers_what_one_of_them_received(servers):
    first, second, _third = servers
    async with run_layer(first) as speaker, listen(second) as listener:
        assert await listener.seconds_until_heard(speaker) < 1


def stand_still(server):
    os.kill(server.pid, signal.SIGSTOP)
    # Its threads on other processors may still forward messages for a moment.
    os.waitid(os.P_PID, server.pid, os.WSTOPPED | os.WNOWAIT)


@pytest.mark.parametrize(("end", "seconds"), [(NatsHub.kill, 2), (stand_still, 8)])
async def test_subscribers_of_a_dead_or_stopped_server_receive_again(servers, end, seconds):
    async with run_layer(*servers) as speaker, listen(*servers) as listener:
        assert await listener.seconds_until_heard(speaker) < 1
        end(server_that_tells(servers))
        assert await listener.seconds_until_heard(speaker) < seconds
        assert await listener.seconds_until_heard(speaker) < 0.5


async def test_a_server_that_reports_an_error_is_reconnected(servers):
    """After such an error, nats-py itself gives up permanently, for example if a process reads too slowly."""
    async with run_layer(servers[0]) as speaker, listen(servers[0]) as listener:
        assert await listener.seconds_until_heard(speaker) < 1
        client = listener.process.here.connection._client
        # nats-py checks the size of the payload only; the server includes the headers.
        await client.publish("of.mine", b"", headers={"long": "x" * client.max_payload})
        await asyncio.to_thread(wait_until, lambda: client.is_closed, seconds=5)
        assert await listener.seconds_until_heard(speaker) < 2
