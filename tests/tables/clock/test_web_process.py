"""Limits of a web process: sockets, and the length of their frames."""

import asyncio
import json
import urllib.request
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial

import pytest

from config.run.web import LARGEST_MESSAGE, PAGES_AT_MOST
from tests.tables.clock.test_supervisor import run_procfile
from tests.tables.socket_client import TableSocket

MOST = 20
TOO_BIG = 1009


@pytest.fixture(scope="module")
def site(django_db_setup) -> Iterator[str]:
    with run_procfile(CLOCK_PROCESSES="0", SOCKETS_AT_MOST=str(MOST)) as (address, _supervisor):
        yield address


@pytest.fixture
def open_socket(site, transactional_db, make_table):
    return partial(TableSocket, site, make_table().pk, None)


def get_status(address, path):
    with urllib.request.urlopen(f"{address}{path}", timeout=20) as answer:  # noqa: S310 - our own
        return answer.status


async def test_sockets_over_the_limit_are_refused_and_pages_are_not(site, open_socket):
    async with AsyncExitStack() as stack:
        for _ in range(MOST):
            await stack.enter_async_context(open_socket())
        assert await open_socket().read_refusal() == 503
        pages = [await asyncio.to_thread(get_status, site, path) for path in ("/healthz", "/")]
    assert pages == [200, 200]
    assert PAGES_AT_MOST == 5_000


def make_ping(length):
    bare = json.dumps({"type": "ping", "c": 7})
    return bare + " " * (length - len(bare))


async def test_a_frame_over_16_kb_closes_its_socket_and_no_other(open_socket):
    assert LARGEST_MESSAGE == 16 * 1024  # docs/protocol.md
    async with open_socket() as other:
        await other.hello()
        async with open_socket() as rude:
            await rude.send_text(make_ping(LARGEST_MESSAGE + 1))
            assert await rude.read_close_code() == TOO_BIG
        await other.send_text(make_ping(LARGEST_MESSAGE))
        assert (await other.receive_until("pong"))["c"] == 7
