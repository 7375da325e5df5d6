"""A site on three Valkeys, of which one is killed: play goes on, and the tables of the others notice
nothing."""

import asyncio
import time
from dataclasses import dataclass

import pytest
import requests

from core.stores.shards import shard_of
from tables.models import Table
from tables.play.change import group_of
from tests.core.stores.valkeys import running_valkeys
from tests.tables.driving import player_at, start_match
from tests.tables.socket_client import TableSocket, session_of

COUNT = 3
HEARTBEAT_SECONDS = 2
AT_ONCE_SECONDS = 0.5


@dataclass
class Play:
    table: Table
    sessions: list[str]  # by seat


@pytest.fixture
def servers():
    with running_valkeys(COUNT) as running:
        yield running


@pytest.fixture
def sites(servers, processes):
    """Two web processes."""
    processes.environment |= {"REDIS_URL": "", "REDIS_URLS": ",".join(s.url for s in servers)}
    return [processes.web()[0] for _ in range(2)]


@pytest.fixture
def tables(transactional_db, make_player, make_table):
    """By the server that tells of them."""
    found: dict[int, Play] = {}
    while len(found) < COUNT:
        table = start_match(make_table(), make_player(), make_player())
        server = shard_of(f"asgi__group__{group_of(table.pk)}", COUNT)
        found[server] = Play(table, [session_of(player_at(table, seat)) for seat in (0, 1)])
    return found


async def seconds_until_heard(sites, play, between):
    """From the ack of a move at one web process to the player at the other; and again after
    `between`."""
    async with (
        TableSocket(sites[0], play.table.pk, play.sessions[0]) as first,
        TableSocket(sites[1], play.table.pk, play.sessions[1]) as second,
    ):
        for player in (first, second):
            await player.hello()
        turn = first.state["game"]["turn"]
        mine, other = ((first, second), (second, first))[turn]
        seconds = []
        for number in range(2):
            if number:
                await asyncio.to_thread(between)
            answer = await mine.act(kind="draw", source="closed")
            assert answer["type"] == "ack"
            told = time.monotonic()
            await asyncio.wait_for(other.until_version(answer["v"]), 10)
            seconds.append(time.monotonic() - told)
            answer = await mine.act(kind="discard", card=mine.state["you"]["drawn"])
            await asyncio.wait_for(other.until_version(answer["v"]), 10)
            mine, other = other, mine
        return seconds


async def test_a_dead_server_makes_its_own_tables_wait_for_the_heartbeat(sites, servers, tables):
    before, after = await seconds_until_heard(sites, tables[1], servers[1].kill)
    assert before < AT_ONCE_SECONDS
    assert after < 2 * HEARTBEAT_SECONDS
    before, after = await seconds_until_heard(sites, tables[0], lambda: None)
    assert max(before, after) < AT_ONCE_SECONDS
    ready = await asyncio.to_thread(requests.get, f"{sites[0]}/readyz", timeout=20)
    assert ready.status_code == 503
    assert ready.json()["redis"] == f"1 of {COUNT} servers do not answer"
    page = await asyncio.to_thread(requests.get, f"{sites[0]}/", timeout=20)
    assert page.status_code == 200
