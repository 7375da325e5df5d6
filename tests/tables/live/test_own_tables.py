"""News of a player's tables over `/ws/me/` and over the socket of a table."""

import asyncio
import json
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from accounts.api_tokens.services import make_token, revoke_token
from accounts.models import Scope
from core.page_notices import notify_pages
from core.threads import in_thread
from tables.live.sockets import SIGNED_OUT
from tests.tables.driving import (
    act,
    game_view,
    leave,
    play_a_turn,
    player_at,
    seat_all,
    start_match,
)
from tests.tables.socket_client import TO_ME, TableSocket, session_of


@pytest.fixture
def scene(live_site, transactional_db, make_player, make_table):
    table = start_match(make_table(name="Banyan Court"), make_player(), make_player())
    return live_site, table, player_at(table, game_view(table)["turn"])


@pytest.fixture
def draw(scene):
    """Let the current player draw a card."""
    table = scene[1]
    return lambda: act(table, game_view(table)["turn"], kind="draw", source="closed")


@asynccontextmanager
async def open_page(address, user):
    """Open the socket of a page that shows no table."""
    session = await in_thread(session_of, user)
    url = f"{address.replace('http', 'ws', 1)}/ws/me/"
    headers = {"Cookie": f"sessionid={session}"}
    async with connect(url, origin=address, additional_headers=headers, proxy=None) as socket:
        yield socket


async def read_tables(socket):
    while True:
        message = json.loads(await socket.recv())
        TO_ME.validate(message)
        if message["type"] == "tables":
            return message


async def test_a_page_is_told_whose_turn_it_is_as_it_changes(scene):
    address, table, player = scene
    view = await in_thread(game_view, table)
    async with open_page(address, player) as page:
        first = await read_tables(page)
        (seen,) = first["tables"]
        assert seen == {
            "id": table.pk,
            "name": "Banyan Court",
            "url": f"/tables/{table.pk}/",
            "state": "own_turn",
            "player": "",
            "due_at": view["due_at"],
            "deadline": view["deadline"],
            "length_ms": 30_000,
        }
        assert 0 < view["due_at"] - first["now"] <= 30_000
        await in_thread(play_a_turn, table)
        other = await in_thread(player_at, table, 1 - view["turn"])
        while seen["state"] == "own_turn":  # the draw
            (seen,) = (await read_tables(page))["tables"]
        assert (seen["state"], seen["player"]) == ("other_turn", other.player_name)


async def test_a_page_is_told_of_seats_taken_and_left_elsewhere(scene, make_player, make_table):
    user, table = await in_thread(lambda: (make_player(), make_table(name="Sal Room")))
    async with open_page(scene[0], user) as page:
        assert (await read_tables(page))["tables"] == []
        await in_thread(seat_all, table, user)
        (seen,) = (await read_tables(page))["tables"]
        assert (seen["name"], seen["state"], seen["due_at"]) == ("Sal Room", "waiting", None)
        await in_thread(leave, table, user)
        assert (await read_tables(page))["tables"] == []


async def test_the_page_of_a_table_is_told_of_the_others(scene, make_table):
    address, table, player = scene
    other = await in_thread(lambda: make_table(name="Sal Room"))
    await in_thread(seat_all, other, player)
    session = await in_thread(session_of, player)
    async with TableSocket(address, table.pk, session) as page:
        await page.hello()
        await page.send(type="me")
        (seen,) = (await page.receive_until("tables"))["tables"]
        assert seen["id"] == other.pk
        version = page.version
        await in_thread(leave, other, player)
        assert (await page.receive_until("tables"))["tables"] == []
        # Changes of other tables are not changes of this one.
        await page.ping()
        assert page.version == version
        assert [one["type"] for one in page.received].count("ev") == 0


async def read_until_pong(socket):
    """Send a ping. Return the frames received before its pong."""
    await socket.send(json.dumps({"type": "ping", "c": 1}))
    frames: list[dict[str, Any]] = []
    while not frames or frames[-1]["type"] != "pong":
        frames.append(json.loads(await socket.recv()))
        TO_ME.validate(frames[-1])
    return frames


async def test_nobody_is_told_of_the_tables_of_others(scene, draw, make_player):
    stranger = await in_thread(make_player)
    async with open_page(scene[0], stranger) as page:
        assert (await read_tables(page))["tables"] == []
        await in_thread(draw)
        assert "tables" not in [frame["type"] for frame in await read_until_pong(page)]


@pytest.fixture
def make_text(scene):
    """Return a function that makes a token with the given scopes for the current player, as (token, text)."""
    return lambda *scopes: make_token(user_id=scene[2].pk, name="bot", scopes=[*scopes])


@asynccontextmanager
async def program_of(address, text):
    url = f"{address.replace('http', 'ws', 1)}/ws/me/"
    headers = {"Authorization": f"Bearer {text}"}
    async with connect(url, additional_headers=headers, proxy=None) as socket:
        yield socket


@pytest.mark.parametrize(
    ("scopes", "heard"),
    [
        ([Scope.PLAY], {"tables", "pong"}),
        ([Scope.PLAY, Scope.READ], {"balance", "tables", "pong"}),
    ],
)
async def test_a_program_is_told_what_its_scopes_allow(scene, draw, make_text, scopes, heard):
    address, table, player = scene
    _token, text = await in_thread(make_text, *scopes)
    async with program_of(address, text) as program:
        frames = await read_until_pong(program)
        assert {frame["type"] for frame in frames} == heard
        [told] = [frame for frame in frames if frame["type"] == "tables"]
        assert [(seen["id"], seen["state"]) for seen in told["tables"]] == [(table.pk, "own_turn")]
        # A program with this scope gets no other frames.
        await in_thread(draw)
        for kind in ("withdrawal", "invitation", "balance"):
            await in_thread(async_to_sync(notify_pages), player.pk, {"type": kind})
        assert {frame["type"] for frame in await read_until_pong(program)} <= heard


@pytest.mark.parametrize("scopes", [[Scope.READ], [Scope.MONEY, Scope.READ]])
async def test_a_program_that_may_not_play_is_refused(scene, make_text, scopes):
    _token, text = await in_thread(make_text, *scopes)
    with pytest.raises(InvalidStatus) as refused:
        async with program_of(scene[0], text):
            pass
    assert refused.value.response.status_code == 403


async def test_a_program_is_closed_when_its_token_is_revoked(scene, make_text):
    token, text = await in_thread(make_text, Scope.PLAY)
    async with program_of(scene[0], text) as program:
        await read_tables(program)
        await in_thread(revoke_token, user_id=token.user_id, token_id=token.pk)
        async with asyncio.timeout(30):
            await program.wait_closed()
    assert program.close_code == SIGNED_OUT
