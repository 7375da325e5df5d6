"""A site on three servers of NATS, of which one is killed under play: no move is lost, and all hear of the next."""

import asyncio
import time

import pytest

from core.threads import in_thread
from tables.models import Change
from tables.play.change import group_of
from tests.core.sockets.hubs import needs_nats, run_nats
from tests.tables.driving import player_at, start_match
from tests.tables.socket_client import TableSocket, session_of

pytestmark = needs_nats

AT_ONCE_SECONDS = 0.5
# The heartbeat looks every two seconds for what nobody was told of.
MOST_SECONDS = 2.5


@pytest.fixture
def servers():
    with run_nats(3) as running:
        yield running


@pytest.fixture
def sites(servers, processes):
    """Two web processes."""
    urls = ",".join(server.url for server in servers)
    processes.environment |= {"CHANNEL_LAYER": "nats", "NATS_URLS": urls}
    return [processes.web()[0] for _ in range(2)]


@pytest.fixture
def table(transactional_db, make_player, make_table):
    return start_match(make_table(), make_player(), make_player())


class Play:
    """Two players at different web processes, who move in turn."""

    def __init__(self, first, second):
        turn = first.state["game"]["turn"]
        self.mine, self.other = ((first, second), (second, first))[turn]
        self.acked = []

    async def seconds_until_seen(self, **move):
        """From the ack of a move to the other player."""
        answer = await self.mine.act(**move)
        assert answer["type"] == "ack"
        self.acked.append(answer["v"])
        told = time.monotonic()
        async with asyncio.timeout(10):
            await self.other.receive_until_version(answer["v"])
        return time.monotonic() - told

    async def turn(self):
        """Draw and discard; the longer of both times."""
        drawn = await self.seconds_until_seen(kind="draw", source="closed")
        card = self.mine.state["you"]["drawn"]
        discarded = await self.seconds_until_seen(kind="discard", card=card)
        self.mine, self.other = self.other, self.mine
        return max(drawn, discarded)


async def test_one_killed_under_play(sites, servers, table):
    sessions = await in_thread(lambda: [session_of(player_at(table, seat)) for seat in (0, 1)])
    async with (
        TableSocket(sites[0], table.pk, sessions[0]) as first,
        TableSocket(sites[1], table.pk, sessions[1]) as second,
    ):
        for player in (first, second):
            await player.hello()
        play = Play(first, second)
        assert await play.turn() < AT_ONCE_SECONDS
        group = f"asgi__group__{group_of(table.pk)}"
        [doomed, *_rest] = [server for server in servers if group in server.names()]
        doomed.kill()
        assert await play.turn() < MOST_SECONDS
        await asyncio.sleep(2)
        assert max([await play.turn() for _ in range(3)]) < AT_ONCE_SECONDS
    stored = await in_thread(
        lambda: set(Change.objects.filter(table=table).values_list("version", flat=True))
    )
    assert len(play.acked) == 10
    assert set(play.acked) <= stored
