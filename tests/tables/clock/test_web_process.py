"""A web process past the most sockets it may have: sockets are refused, pages never."""

import asyncio
import urllib.request
from contextlib import AsyncExitStack

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from config.run.web import PAGES_AT_MOST
from tests.tables.clock.test_supervisor import run_procfile

MOST = 20


def status_of(address, path):
    with urllib.request.urlopen(f"{address}{path}", timeout=20) as answer:  # noqa: S310 - our own
        return answer.status


async def open_too_many(address, table_id):
    async def open_socket():
        return await connect(
            f"{address.replace('http', 'ws', 1)}/ws/tables/{table_id}/", origin=address, proxy=None
        )

    async with AsyncExitStack() as stack:
        for _ in range(MOST):
            socket = await open_socket()
            stack.push_async_callback(socket.close)
        with pytest.raises(InvalidStatus) as refused:
            await open_socket()
        pages = [await asyncio.to_thread(status_of, address, path) for path in ("/healthz", "/")]
        return refused.value.response.status_code, pages


def test_sockets_are_refused_and_pages_are_not(transactional_db, make_table):
    table = make_table()
    with run_procfile(CLOCK_PROCESSES="0", SOCKETS_AT_MOST=str(MOST)) as (address, _supervisor):
        refused, pages = asyncio.run(open_too_many(address, table.pk))
    assert refused == 503
    assert pages == [200, 200]
    assert PAGES_AT_MOST == 5_000
