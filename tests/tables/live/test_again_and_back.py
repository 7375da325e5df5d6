"""The frames between two matches and after an absence: who plays again, who is back."""

import pytest

from core.threads import in_thread
from tables.models import Table
from tables.seating.sitting import leave_table
from tests.tables.driving import end_match, game_view, player_at, start_match
from tests.tables.socket_client import TableSocket, session_of

ID = "3f0c8f8e-5b1c-4a52-9d5b-0d8f3f1f5a10"
CODE = "abcdefghijkl"


@pytest.fixture
def free(live_site, transactional_db, make_player, make_table):
    """A free table of three in its first turn, at which bots play on."""
    terms = {"point_value": 0, "entry_fee": 0, "invite_code": CODE, "bots_take_over": True}
    table = start_match(make_table(max_seats=3, **terms), *(make_player() for _ in range(3)))
    return live_site, table


async def test_again_is_answered_and_everybody_sees_it(free):
    address, table = free
    await in_thread(end_match, table)
    sessions = [session_of_seat(table, seat) for seat in range(2)]
    async with (
        TableSocket(address, table.pk, await sessions[0]) as one,
        TableSocket(address, table.pk, await sessions[1]) as other,
    ):
        await one.hello()
        await other.hello()
        await one.send(type="again", id=ID, amount=5)
        assert (await one.answer())["code"] == "buy_in_out_of_range"
        await one.send(type="again", id=ID, amount=0)
        assert (await one.answer())["type"] == "ack"
        await other.receive_until_version(await in_thread(version_of, table))
        assert [bool(chair.get("again")) for chair in other.state["seats"]] == [True, False, False]


async def test_back_gives_the_seat_back_and_moves_are_refused_before(free):
    address, table = free
    seat = (await in_thread(game_view, table))["turn"]
    player = await in_thread(player_at, table, seat)
    await in_thread(leave_table, table_id=table.pk, user_id=player.pk)
    async with TableSocket(address, table.pk, await session_of_seat(table, seat)) as socket:
        await socket.hello()
        assert socket.state["seats"][seat]["stand_in"] is True
        move = {"kind": "draw", "source": "closed"}
        await socket.send(type="act", id=ID, v=socket.version, move=move)
        assert (await socket.answer())["code"] == "bot_plays_for_you"
        await socket.send(type="back", id=ID)
        assert (await socket.answer())["type"] == "ack"
        await socket.receive_until_version(await in_thread(version_of, table))
        assert "stand_in" not in socket.state["seats"][seat]
        assert len(socket.state["you"]["hand"]) == 13


async def session_of_seat(table: Table, seat: int) -> str:
    player = await in_thread(player_at, table, seat)
    return await in_thread(session_of, player)


def version_of(table: Table) -> int:
    return Table.objects.values_list("version", flat=True).get(pk=table.pk)
