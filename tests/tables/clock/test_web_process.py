"""Limits of a web process: the number of sockets, and the sizes of frames and request heads."""

import asyncio
import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial
from urllib.parse import urlsplit

import pytest

from config.run.http_heads import LARGEST_HEAD
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


# Bytes. The kernel's buffers between client and server take up to about 40 MB while a busy server does not read.
MORE_THAN_BUFFERED = 1_024 * LARGEST_HEAD
HEADS = {
    "one line without an end": (b"GET /healthz HTTP/1.1\r\nX: ", b"a" * 4_096),
    "many lines": (b"GET /healthz HTTP/1.1\r\n", b"X: " + b"a" * 100 + b"\r\n"),
    "an address": (b"GET /healthz?", b"a" * 4_096),
    "trailers": (
        b"POST /healthz HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ",
        b"a" * 4_096,
    ),
}


@pytest.mark.parametrize("kind", HEADS)
def test_a_head_has_a_largest_size(site, kind):
    """Without a limit one visitor could fill the memory, because nothing is answered before the request's head ends."""
    start, more = HEADS[kind]
    address = urlsplit(site)
    sent = 0
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        connection.sendall(start)
        try:
            while sent < MORE_THAN_BUFFERED:
                connection.sendall(more)
                sent += len(more)
        except ConnectionError:
            pass
    assert sent < MORE_THAN_BUFFERED
    assert get_status(site, "/healthz") == 200


def test_a_head_up_to_its_largest_size_is_taken(site):
    def ask(length):
        headers = {"X-Long": "a" * length}
        request = urllib.request.Request(f"{site}/healthz", headers=headers)  # noqa: S310 - our own
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - our own
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    assert [ask(LARGEST_HEAD - 1_000), ask(LARGEST_HEAD)] == [200, 400]
