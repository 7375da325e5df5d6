"""Frames that are too long, before a web process as it is started in production."""

import json

import pytest
import requests
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from config.run.web import LARGEST_MESSAGE
from tests.ports import find_free_port
from tests.tables.socket_client import TableSocket
from tests.workers import wait_until

TOO_BIG = 1009


@pytest.fixture
def site(processes):
    port = find_free_port()
    processes.environment |= {"HOST": "127.0.0.1", "PORT": str(port)}
    processes._start("-m", "config.run.web")
    address = f"http://127.0.0.1:{port}"
    wait_until(lambda: answers(address))
    return address


@pytest.fixture
def table(transactional_db, make_table):
    return make_table()


def answers(address):
    try:
        return requests.get(f"{address}/healthz", timeout=5).ok
    except OSError:
        return False


def ping_of(length):
    bare = json.dumps({"type": "ping", "c": 7})
    return bare + " " * (length - len(bare))


async def test_a_frame_over_16_kb_closes_its_socket_and_no_other(site, table):
    assert LARGEST_MESSAGE == 16 * 1024  # docs/protocol.md
    url = f"{site.replace('http', 'ws', 1)}/ws/tables/{table.pk}/"
    async with TableSocket(site, table.pk, None) as other:
        await other.hello()
        async with connect(url, origin=site, proxy=None) as rude:
            await rude.send(ping_of(LARGEST_MESSAGE + 1))
            with pytest.raises(ConnectionClosed) as closed:
                await rude.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == TOO_BIG
        await other.send_text(ping_of(LARGEST_MESSAGE))
        assert (await other.receive_until("pong"))["c"] == 7
