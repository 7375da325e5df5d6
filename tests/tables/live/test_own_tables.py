"""News of a player's tables, over `/ws/me/` and over a table's socket."""

import asyncio
import json
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from accounts.api_tokens.services import make_token, revoke_token
from accounts.models import Scope
from core.page_notices import tell
from core.threads import in_thread
from tables.live.sockets import SIGNED_OUT
from tables.seating.sitting import take_seat
from tests.given import require
from tests.tables.driving import BUY_IN, act, game_view, hand_of, leave, player_at, start_match
from tests.tables.socket_client import TO_ME, TableSocket, session_of


@pytest.fixture
def scene(live_site, transactional_db, make_player, make_table):
    table = start_match(make_table(name="Banyan Court"), make_player(), make_player())
    return live_site, table, player_at(table, game_view(table)["turn"])


@asynccontextmanager
async def page_of(address, user):
    """A page that shows no table."""
    session = await in_thread(session_of, user)
    url = f"{address.replace('http', 'ws', 1)}/ws/me/"
    headers = {"Cookie": f"sessionid={session}"}
    async with connect(url, origin=address, additional_headers=headers, proxy=None) as socket:
        yield socket


async def tables_told(socket):
    while True:
        message = json.loads(await socket.recv())
        TO_ME.validate(message)
        if message["type"] == "tables":
            return message


def sit_down(table, user):
    take_seat(table_id=table.pk, user_id=user.pk, amount=BUY_IN)


def get_up(table, user):
    leave(table, user)


def play(table, seat, **move):
    act(table, seat, **move)


async def test_a_page_is_told_whose_turn_it_is_as_it_changes(scene):
    address, table, player = scene
    view = await in_thread(game_view, table)
    seat = view["turn"]
    async with page_of(address, player) as page:
        first = await tables_told(page)
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
        await in_thread(play, table, seat, kind="draw", source="closed")
        drawn = (await in_thread(hand_of, table, seat))["drawn"]
        await in_thread(play, table, seat, kind="discard", card=drawn)
        other = await in_thread(player_at, table, 1 - seat)
        told = await tables_told(page)
        while told["tables"][0]["state"] == "own_turn":  # the draw
            told = await tables_told(page)
        assert (told["tables"][0]["state"], told["tables"][0]["player"]) == (
            "other_turn",
            other.player_name,
        )


async def test_sitting_down_and_getting_up_elsewhere_is_told(scene, make_player, make_table):
    address, _table, _player = scene
    user, table = await in_thread(lambda: (make_player(), make_table(name="Sal Room")))
    async with page_of(address, user) as page:
        assert (await tables_told(page))["tables"] == []
        await in_thread(sit_down, table, user)
        (seen,) = (await tables_told(page))["tables"]
        assert (seen["name"], seen["state"], seen["due_at"]) == ("Sal Room", "waiting", None)
        await in_thread(get_up, table, user)
        assert (await tables_told(page))["tables"] == []


async def test_the_page_of_a_table_hears_of_the_others_and_shows_only_its_own(scene, make_table):
    address, table, player = scene
    other = await in_thread(lambda: make_table(name="Sal Room"))
    await in_thread(sit_down, other, player)
    session = await in_thread(session_of, player)
    async with TableSocket(address, table.pk, session) as page:
        await page.hello()
        await page.send(type="me")
        (seen,) = (await page.receive_until("tables"))["tables"]
        assert seen["id"] == other.pk
        version = page.version
        await in_thread(get_up, other, player)
        assert (await page.receive_until("tables"))["tables"] == []
        # What happened there is no change of this table.
        await page.send(type="ping", c=1)
        await page.receive_until("pong")
        assert page.version == version
        assert [one["type"] for one in page.received].count("ev") == 0


async def test_nobody_hears_of_the_tables_of_others(scene, make_player):
    address, table, _player = scene
    stranger = await in_thread(make_player)
    seat = (await in_thread(game_view, table))["turn"]
    async with page_of(address, stranger) as page:
        assert (await tables_told(page))["tables"] == []
        await in_thread(play, table, seat, kind="draw", source="closed")
        await page.send(json.dumps({"type": "ping"}))
        heard = json.loads(await page.recv())
        while heard["type"] != "pong":
            assert heard["type"] != "tables"
            heard = json.loads(await page.recv())


@asynccontextmanager
async def program_of(address, text):
    url = f"{address.replace('http', 'ws', 1)}/ws/me/"
    headers = {"Authorization": f"Bearer {text}"}
    async with connect(url, additional_headers=headers, proxy=None) as socket:
        yield socket


async def receive_until(socket, *, until):
    """Return every frame up to the first of this type."""
    frames: list[dict[str, Any]] = []
    while not frames or frames[-1]["type"] != until:
        frames.append(json.loads(await socket.recv()))
        TO_ME.validate(frames[-1])
    return frames


async def token_with(user, *scopes):
    _token, text = await in_thread(
        lambda: make_token(user_id=user.pk, name="bot", scopes=[*scopes])
    )
    return text


@pytest.mark.parametrize(
    ("scopes", "heard"),
    [
        ([Scope.PLAY], {"tables", "pong"}),
        ([Scope.PLAY, Scope.READ], {"balance", "tables", "pong"}),
    ],
)
async def test_a_program_hears_of_its_tables_and_with_the_right_of_its_chips(scene, scopes, heard):
    address, table, player = scene
    text = await token_with(player, *scopes)
    async with program_of(address, text) as program:
        await program.send(json.dumps({"type": "ping", "c": 1}))
        frames = await receive_until(program, until="pong")
        assert {frame["type"] for frame in frames} == heard
        [tables] = [frame for frame in frames if frame["type"] == "tables"]
        assert [seen["id"] for seen in tables["tables"]] == [table.pk]
        assert tables["tables"][0]["state"] == "own_turn"
        # A page would hear of it too; a program with this right alone hears nothing else.
        seat = (await in_thread(game_view, table))["turn"]
        await in_thread(play, table, seat, kind="draw", source="closed")
        for kind in ("withdrawal", "invitation", "balance"):
            await in_thread(async_to_sync(tell), player.pk, {"type": kind})
        await program.send(json.dumps({"type": "ping", "c": 2}))
        later = await receive_until(program, until="pong")
        assert {frame["type"] for frame in later} <= heard


@pytest.mark.parametrize("scopes", [[Scope.READ], [Scope.MONEY, Scope.READ]])
async def test_a_program_that_may_not_play_hears_nothing(scene, scopes):
    address, _table, player = scene
    text = await token_with(player, *scopes)
    with pytest.raises(InvalidStatus) as refused:
        async with program_of(address, text):
            pass
    assert refused.value.response.status_code == 403


async def test_it_hears_nothing_more_once_its_token_is_revoked(scene):
    address, _table, player = scene
    token, text = await in_thread(
        lambda: make_token(user_id=player.pk, name="bot", scopes=[Scope.PLAY])
    )
    async with program_of(address, text) as program:
        await tables_told(program)
        await in_thread(lambda: revoke_token(user_id=player.pk, token_id=token.pk))
        async with asyncio.timeout(30):
            with pytest.raises(ConnectionClosed) as closed:
                await receive_until(program, until="never")
    assert require(closed.value.rcvd).code == SIGNED_OUT
