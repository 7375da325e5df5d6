"""Play over a cluster of three NATS servers, one of which is killed."""

import asyncio
import time

import pytest

from core.sockets.channel_layer import name_on_server
from core.threads import in_thread
from tables.models import Change
from tables.play.change import name_table_group
from tests.core.sockets.hubs import needs_nats, run_nats
from tests.tables.socket_client import TableSocket

pytestmark = needs_nats

AT_ONCE_SECONDS = 0.5
# The heartbeat finds missed changes every two seconds.
MOST_SECONDS = 2.5


@pytest.fixture
def servers():
    with run_nats(3) as running:
        yield running


@pytest.fixture
def sites(servers, processes):
    """Start two web processes on the NATS cluster. Return their addresses."""
    urls = ",".join(server.url for server in servers)
    processes.environment |= {"CHANNEL_LAYER": "nats", "NATS_URLS": urls}
    return [processes.web()[0] for _ in range(2)]


async def measure_turn(mover, other):
    """Let one player draw and discard. Return the longest delay, in seconds, between ack and the other's frame."""
    longest = 0.0
    for kind in ("draw", "discard"):
        part = {"source": "closed"} if kind == "draw" else {"card": mover.state["you"]["drawn"]}
        answer = await mover.act(kind=kind, **part)
        assert answer["type"] == "ack"
        acked = time.monotonic()
        async with asyncio.timeout(10):
            await other.receive_until_version(answer["v"])
        longest = max(longest, time.monotonic() - acked)
    return longest


async def test_play_goes_on_when_a_nats_server_is_killed(sites, servers, table_and_sessions):
    table, sessions = table_and_sessions
    async with (
        TableSocket(sites[0], table.pk, sessions[0]) as first,
        TableSocket(sites[1], table.pk, sessions[1]) as second,
    ):
        for player in (first, second):
            await player.hello()
        begun = first.version
        mover, other = ((first, second), (second, first))[first.state["game"]["turn"]]
        assert await measure_turn(mover, other) < AT_ONCE_SECONDS
        group = name_on_server(name_table_group(table.pk))
        [doomed, *_rest] = [server for server in servers if group in server.names()]
        doomed.kill()
        assert await measure_turn(other, mover) < MOST_SECONDS
        await asyncio.sleep(2)
        for pair in ((mover, other), (other, mover), (mover, other)):
            assert await measure_turn(*pair) < AT_ONCE_SECONDS
    assert await in_thread(Change.objects.filter(table=table, version__gt=begun).count) == 10
