"""Sockets of ended sessions, which the server closes."""

import asyncio
import json
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from websockets.asyncio.client import connect

from accounts.models import User
from accounts.people.closing import freeze
from accounts.sessions.revocation import revoke_sockets
from accounts.sessions.services import end_sessions
from core.threads import in_thread
from tables.live.sockets import SIGNED_OUT
from tests.tables.socket_client import session_of

SECONDS = 30


@asynccontextmanager
async def socket_to(address, path, session):
    url = f"{address.replace('http', 'ws', 1)}{path}"
    headers = {"Cookie": f"sessionid={session}"}
    async with connect(url, origin=address, additional_headers=headers, proxy=None) as opened:
        # The answer proves that its consumer is connected.
        await send_ping(opened)
        yield opened


async def send_ping(socket):
    """Send a ping and wait for its pong. Raises ConnectionClosed."""
    await socket.send(json.dumps({"type": "ping", "c": 1}))
    async with asyncio.timeout(SECONDS):
        while json.loads(await socket.recv())["type"] != "pong":
            pass


async def read_close_code(socket):
    async with asyncio.timeout(SECONDS):
        await socket.wait_closed()
    return socket.close_code


@pytest.fixture
def scene(live_site, transactional_db, make_player, make_table):
    """A player with two sessions, a table, and another player."""
    table, player, other = make_table(), make_player(), make_player()
    paths = (f"/ws/tables/{table.pk}/", "/ws/me/")
    return live_site, paths, player, other


@asynccontextmanager
async def open_sockets(address, paths, *sessions):
    """Open a socket to each path for each session. Yield one list of sockets for each session."""
    async with AsyncExitStack() as stack:
        yield [
            [await stack.enter_async_context(socket_to(address, path, one)) for path in paths]
            for one in sessions
        ]


@pytest.mark.parametrize("ended", ["frozen", "deleted", "expired", "inactive"])
async def test_the_sockets_of_an_ended_session_are_closed_and_no_others(scene, ended):
    """Some ways of ending a session send a revocation message; the others are found by the periodic check."""
    address, paths, player, other = scene
    session, kept = await in_thread(lambda: [session_of(player), session_of(other)])

    def end():
        if ended == "frozen":
            freeze(user_id=player.pk, staff_id=other.pk, reason="Stolen.")
        elif ended == "deleted":
            Session.objects.filter(session_key=session).delete()
        elif ended == "expired":
            Session.objects.filter(session_key=session).update(expire_date=timezone.now())
        else:
            User.objects.filter(pk=player.pk).update(is_active=False)

    async with open_sockets(address, paths, session, kept) as (sockets, others):
        await in_thread(end)
        for socket in sockets:
            assert await read_close_code(socket) == SIGNED_OUT
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
            assert await read_close_code(socket) == SIGNED_OUT
        for socket in second:
            await send_ping(socket)


async def test_the_message_of_a_revocation_closes_sockets_at_once(scene):
    """The session still exists in the database, so only the message can close the sockets."""
    address, paths, player, _other = scene
    session = await in_thread(session_of, player)
    async with open_sockets(address, paths, session) as (sockets,):
        await in_thread(revoke_sockets, player.pk, [session])
        for socket in sockets:
            assert await read_close_code(socket) == SIGNED_OUT


async def test_ending_all_sessions_closes_every_socket(scene):
    address, paths, player, _other = scene
    sessions = await in_thread(lambda: [session_of(player) for _ in range(2)])
    async with open_sockets(address, paths, *sessions) as (first, second):
        await in_thread(end_sessions, user_id=player.pk)
        for socket in (*first, *second):
            assert await read_close_code(socket) == SIGNED_OUT
