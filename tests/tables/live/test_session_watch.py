"""Sockets of people who are not, or no longer, signed in: they are closed, and only they."""

import asyncio
import json
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from accounts.models import User
from accounts.people.closing import freeze
from accounts.sessions.revocation import revoke_sockets
from accounts.sessions.services import end_sessions
from core.threads import in_thread
from tables.live.sockets import SIGNED_OUT
from tests.given import require
from tests.tables.socket_client import session_of

SECONDS = 30


@asynccontextmanager
async def socket_to(address, path, session):
    url = f"{address.replace('http', 'ws', 1)}{path}"
    headers = {"Cookie": f"sessionid={session}"}
    async with connect(url, origin=address, additional_headers=headers, proxy=None) as opened:
        # An answer: its consumer has been through `connect`.
        await send_ping(opened)
        yield opened


async def send_ping(socket):
    """Return the answer to a ping. Raises ConnectionClosed."""
    await socket.send(json.dumps({"type": "ping", "c": 1}))
    async with asyncio.timeout(SECONDS):
        while json.loads(await socket.recv())["type"] != "pong":
            pass


async def code_of(socket):
    """The code that it is closed with."""
    async with asyncio.timeout(SECONDS):
        try:
            while True:
                await socket.recv()
        except ConnectionClosed as closed:
            return require(closed.rcvd).code


@pytest.fixture
def scene(live_site, transactional_db, make_player, make_table):
    """A player with two sessions, a table, and somebody else."""
    table, player, other = make_table(), make_player(), make_player()
    paths = (f"/ws/tables/{table.pk}/", "/ws/me/")
    return live_site, paths, player, other


@asynccontextmanager
async def open_sockets(address, paths, *sessions):
    """Open a socket to each path for each session. Yield a list for each session."""
    async with AsyncExitStack() as stack:
        yield [
            [await stack.enter_async_context(socket_to(address, path, one)) for path in paths]
            for one in sessions
        ]


async def test_freezing_closes_every_socket_of_the_player_and_no_other(scene):
    address, paths, player, other = scene
    sessions = await in_thread(lambda: [session_of(one) for one in (player, player, other)])
    async with open_sockets(address, paths, *sessions) as (first, second, others):
        await in_thread(freeze, user_id=player.pk, staff_id=other.pk, reason="Stolen.")
        for socket in (*first, *second):
            assert await code_of(socket) == SIGNED_OUT
        for socket in others:
            await send_ping(socket)


async def test_signing_out_closes_the_sockets_of_that_session(scene):
    address, paths, player, _other = scene
    sessions = await in_thread(lambda: [session_of(player) for _ in range(2)])

    def sign_out():
        client = Client()
        client.cookies["sessionid"] = sessions[0]
        assert client.post("/accounts/logout/").status_code == 302

    async with open_sockets(address, paths, *sessions) as (first, second):
        await in_thread(sign_out)
        for socket in first:
            assert await code_of(socket) == SIGNED_OUT
        for socket in second:
            await send_ping(socket)


async def test_the_message_alone_closes_them(scene):
    """Nothing has changed in the database: what looks there every few seconds finds nothing."""
    address, paths, player, _other = scene
    session = await in_thread(session_of, player)
    async with open_sockets(address, paths, session) as (sockets,):
        await in_thread(revoke_sockets, player.pk, [session])
        for socket in sockets:
            assert await code_of(socket) == SIGNED_OUT


@pytest.mark.parametrize("end", ["session deleted", "session expired", "account not active"])
async def test_a_lost_message_is_made_up_for(scene, end):
    """Changed behind everybody's back: no message is sent."""
    address, paths, player, other = scene
    session, kept = await in_thread(lambda: [session_of(player), session_of(other)])

    def change():
        if end == "session deleted":
            Session.objects.filter(session_key=session).delete()
        elif end == "session expired":
            Session.objects.filter(session_key=session).update(expire_date=timezone.now())
        else:
            User.objects.filter(pk=player.pk).update(is_active=False)

    async with open_sockets(address, paths, session, kept) as (sockets, others):
        await in_thread(change)
        for socket in sockets:
            assert await code_of(socket) == SIGNED_OUT
        for socket in others:
            await send_ping(socket)


async def test_signing_out_everywhere_leaves_nothing_open(scene):
    address, paths, player, _other = scene
    session = await in_thread(session_of, player)
    async with open_sockets(address, paths, session) as (sockets,):
        await in_thread(end_sessions, user_id=player.pk)
        for socket in sockets:
            assert await code_of(socket) == SIGNED_OUT
