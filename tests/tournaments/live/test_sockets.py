"""The sockets of a tournament's page and of a player: notices, and the state on connecting."""

import asyncio
import contextlib
import json
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from core.threads import in_thread
from tests.tables.socket_client import (
    FROM_LISTENER,
    TO_ME,
    TO_TOURNAMENT_PAGES,
    TableSocket,
    session_of,
)
from tests.tournaments.driving import bring_start, enter, open_tables, play_table
from tournaments.running.tick import tick

SECONDS = 30


@asynccontextmanager
async def socket_to(address, path, session=None):
    headers = {"Cookie": f"sessionid={session}"} if session else {}
    url = f"{address.replace('http', 'ws', 1)}{path}"
    async with connect(url, origin=address, additional_headers=headers, proxy=None) as opened:
        yield opened


async def receive(socket):
    """Return the next message, skipping balances and the player's own tables.

    These are tested in tests/wallet/ledger/test_live_balance.py and tests/tables/live/test_own_tables.py.
    """
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), SECONDS))
        is_me = socket.request.path == "/ws/me/"
        (TO_ME if is_me else TO_TOURNAMENT_PAGES).validate(message)
        if message["type"] not in {"balance", "tables"}:
            return message


async def receive_until_pong(socket):
    """Send a ping. Return the messages received before its pong."""
    ping = {"type": "ping"}
    FROM_LISTENER.validate(ping)
    await socket.send(json.dumps(ping))
    messages = []
    while (message := await receive(socket))["type"] != "pong":
        messages.append(message)
    return messages


@pytest.fixture
def entered(live_site, transactional_db, make_tournament_of, make_player):
    """A tournament that is about to begin, and the session of an entrant."""
    tournament, player = make_tournament_of(bots_to=3), make_player()
    enter(tournament, player)
    return tournament, session_of(player)


def start(tournament):
    bring_start(tournament)
    return tick()


async def test_the_page_of_a_tournament_is_notified_of_changes(live_site, entered):
    tournament, _session = entered
    async with socket_to(live_site, f"/ws/tournaments/{tournament.pk}/") as spectator:
        assert await receive_until_pong(spectator) == []
        await in_thread(start, tournament)
        assert await receive(spectator) == {"type": "changed"}
        for table in await in_thread(open_tables, tournament):
            await in_thread(play_table, table)
        assert await receive(spectator) == {"type": "changed"}


async def test_an_entrant_is_notified_of_a_ready_table_on_any_page(live_site, entered):
    tournament, session = entered
    async with socket_to(live_site, "/ws/me/", session) as me:
        assert await receive_until_pong(me) == []
        await in_thread(start, tournament)
        (table,) = await in_thread(open_tables, tournament)
        expected = {
            "type": "table_ready",
            "table": table.pk,
            "tournament": tournament.pk,
            "name": tournament.name,
            "url": f"/tables/{table.pk}/",
            "connected": False,
        }
        assert await receive(me) == expected
        # A player who missed the notice gets it on the next page, and with every ping.
        assert await receive_until_pong(me) == [expected]
    async with socket_to(live_site, "/ws/me/", session) as again:
        assert await receive(again) == expected
    await in_thread(play_table, table)
    async with socket_to(live_site, "/ws/me/", session) as afterwards:
        assert await receive_until_pong(afterwards) == []


async def wait_for_seat(me, *, is_connected):
    """Ask twice a second until a message says that the seat is connected, or that it is not. Return the message."""
    async with asyncio.timeout(SECONDS):
        while True:
            for ready in await receive_until_pong(me):
                if ready["connected"] is is_connected:
                    return ready
            await asyncio.sleep(0.5)


async def test_a_page_is_told_that_the_seat_is_connected(live_site, entered):
    """The seat may be connected in another browser, so the page does not take the player to the table."""
    tournament, session = entered
    await in_thread(start, tournament)
    (table,) = await in_thread(open_tables, tournament)
    async with socket_to(live_site, "/ws/me/", session) as me:
        assert (await receive(me))["connected"] is False
        async with TableSocket(live_site, table.pk, session) as seat:
            await seat.hello()
            await seat.ping()
            ready = await wait_for_seat(me, is_connected=True)
            assert ready["table"] == table.pk
        await wait_for_seat(me, is_connected=False)


async def test_other_players_are_not_notified_of_a_ready_table(live_site, entered, make_player):
    tournament, _session = entered
    stranger = await in_thread(lambda: session_of(make_player()))
    async with socket_to(live_site, "/ws/me/", stranger) as me:
        assert await receive_until_pong(me) == []
        await in_thread(start, tournament)
        assert await receive_until_pong(me) == []


async def await_close_code(socket):
    """Read until the server closes the connection. Return the close code."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await receive(socket)
    return socket.close_code


async def test_a_visitor_has_no_personal_socket(live_site, transactional_db):
    async with socket_to(live_site, "/ws/me/") as nobody:
        assert await await_close_code(nobody) == 4401


@pytest.mark.parametrize("path", ["/ws/me/", "/ws/tournaments/{}/"])
async def test_a_flood_is_cut_off(live_site, entered, path):
    tournament, session = entered
    async with socket_to(live_site, path.format(tournament.pk), session) as flood:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(200):
                await flood.send("x")
        assert await await_close_code(flood) == 4408


async def test_invalid_messages_are_answered_like_pings(live_site, entered):
    _tournament, session = entered
    async with socket_to(live_site, "/ws/me/", session) as me:
        for rubbish in ("", "{", b"\x00\xff", '{"type": "table_ready", "url": "//evil"}'):
            await me.send(rubbish)
            assert (await receive(me))["type"] == "pong"
