"""Frames that ask for another match and that take a seat back from a bot."""

import pytest

from core.threads import in_thread
from tests.given import reload
from tests.tables.driving import FREE, end_match, game_view, leave

ID = "3f0c8f8e-5b1c-4a52-9d5b-0d8f3f1f5a10"


@pytest.fixture
def scene(open_scene):
    """A free table of three in its first turn, with bots for absent players."""
    return open_scene(players=3, max_seats=3, bots_take_over=True, **FREE)


async def receive_all(table, socket):
    await socket.receive_until_version((await in_thread(reload, table)).version)


async def test_a_wish_to_play_again_is_seen_by_everybody(scene):
    await in_thread(end_match, scene.table)
    async with scene.connect(0, 1) as (one, other):
        await one.send(type="again", id=ID, amount=5)
        assert (await one.answer())["code"] == "buy_in_out_of_range"
        await one.send(type="again", id=ID, amount=0)
        assert (await one.answer())["type"] == "ack"
        await receive_all(scene.table, other)
        assert [bool(chair.get("again")) for chair in other.state["seats"]] == [True, False, False]


async def test_an_absent_player_takes_the_seat_back_from_a_bot(scene):
    seat = (await in_thread(game_view, scene.table))["turn"]
    await in_thread(leave, scene.table, scene.people[seat])
    async with scene.connect(seat) as (socket,):
        assert socket.state["seats"][seat]["stand_in"] is True
        refused = await socket.act(kind="draw", source="closed")
        assert refused["code"] == "bot_plays_for_you"
        await socket.send(type="back", id=ID)
        assert (await socket.answer())["type"] == "ack"
        await receive_all(scene.table, socket)
        assert "stand_in" not in socket.state["seats"][seat]
        assert len(socket.state["you"]["hand"]) == 13
