"""A web process as in production: sockets past the most are refused, frames too long close theirs, pages go on."""

import asyncio
import json
import urllib.request
from collections.abc import Iterator
from contextlib import AsyncExitStack

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from config.run.web import LARGEST_MESSAGE, PAGES_AT_MOST
from tests.given import require
from tests.tables.clock.test_supervisor import run_procfile
from tests.tables.socket_client import TableSocket

MOST = 20
TOO_BIG = 1009


@pytest.fixture(scope="module")
def site(django_db_setup) -> Iterator[str]:
    with run_procfile(CLOCK_PROCESSES="0", SOCKETS_AT_MOST=str(MOST)) as (address, _supervisor):
        yield address


@pytest.fixture
def table(transactional_db, make_table):
    return make_table()


@pytest.fixture
def open_socket(site, table):
    def open_():
        url = f"{site.replace('http', 'ws', 1)}/ws/tables/{table.pk}/"
        return connect(url, origin=site, proxy=None)

    return open_


def status_of(address, path):
    with urllib.request.urlopen(f"{address}{path}", timeout=20) as answer:  # noqa: S310 - our own
        return answer.status


async def test_sockets_are_refused_and_pages_are_not(site, open_socket):
    async with AsyncExitStack() as stack:
        for _ in range(MOST):
            await stack.enter_async_context(open_socket())
        with pytest.raises(InvalidStatus) as refused:
            await open_socket()
        pages = [await asyncio.to_thread(status_of, site, path) for path in ("/healthz", "/")]
    assert refused.value.response.status_code == 503
    assert pages == [200, 200]
    assert PAGES_AT_MOST == 5_000


def ping_of(length):
    bare = json.dumps({"type": "ping", "c": 7})
    return bare + " " * (length - len(bare))


async def test_a_frame_over_16_kb_closes_its_socket_and_no_other(site, table, open_socket):
    assert LARGEST_MESSAGE == 16 * 1024  # docs/protocol.md
    async with TableSocket(site, table.pk, None) as other:
        await other.hello()
        async with open_socket() as rude:
            await rude.send(ping_of(LARGEST_MESSAGE + 1))
            with pytest.raises(ConnectionClosed) as closed:
                await rude.recv()
        assert require(closed.value.rcvd).code == TOO_BIG
        await other.send_text(ping_of(LARGEST_MESSAGE))
        assert (await other.receive_until("pong"))["c"] == 7
