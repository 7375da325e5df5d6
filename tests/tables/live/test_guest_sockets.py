"""The socket of a guest: at the table whose link they came by, and at no other one."""

import asyncio

import pytest
from django.test import Client
from django.urls import reverse
from websockets.exceptions import ConnectionClosed

from core import throttling
from core.threads import in_thread
from tables.live import presence
from tables.live.sockets import NOT_FOUND
from tables.models import Seat, Table, TableStatus
from tables.seating.sitting import leave_table, take_seat
from tests.tables.driving import let_time_pass, start_match
from tests.tables.socket_client import TableSocket

CODE = "abcdefghijkl"


@pytest.fixture
def scene(live_site, transactional_db, make_player, make_table):
    """A free table at which a guest plays with its host; the guest's cookie, and two tables of others."""
    throttling.clear("guests", "guests:127.0.0.1")
    host, guest = make_player(), Client()
    table = make_table(point_value=0, entry_fee=0, invite_code=CODE, opened_by_id=host.pk)
    take_seat(table_id=table.pk, user_id=host.pk, amount=0, invite=CODE)
    form = {"player_name": "Asha", "adult": "on", "press": "0" * 32, "invite": CODE}
    guest.post(reverse("tables:sit_as_guest", args=[table.pk]), form)
    let_time_pass(table)
    public = start_match(make_table(), make_player(), make_player())
    private = make_table(invite_code="mnopqrstuvwx")
    return live_site, table, guest.cookies["sessionid"].value, public, private


async def test_a_guest_plays_here_and_watches_or_finds_nothing_elsewhere(scene):
    address, table, session, public, private = scene
    async with TableSocket(address, table.pk, session) as player:
        await player.hello()
        assert len(player.state["you"]["hand"]) == 13
        seat = player.state["you"]["seat"]
        assert player.state["seats"][seat]["player"]["guest"] is True
        await player.send(type="say", phrase="", text="call me")
        assert (await player.answer())["code"] == "phrases_only"
    async with TableSocket(address, public.pk, session) as watcher:
        await watcher.hello()
        assert watcher.state["you"]["seat"] is None
        await watcher.send(type="say", phrase="hello", text="")
        assert (await watcher.answer())["code"] == "not_seated"
    with pytest.raises(ConnectionClosed) as closed:
        async with TableSocket(address, private.pk, session) as stranger:
            await stranger.hello()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == NOT_FOUND


async def test_two_tabs_are_one_seat_and_the_seat_outlives_the_connection(scene):
    address, table, session, _public, _private = scene
    async with TableSocket(address, table.pk, session) as first:
        await first.hello()
        async with TableSocket(address, table.pk, session) as second:
            await second.hello()
            assert second.state["you"]["hand"] == first.state["you"]["hand"]
    held = await in_thread(seats_of_guests, table)
    assert len(held) == 1
    async with TableSocket(address, table.pk, session) as again:
        await again.hello()
        assert again.state["you"]["seat"] == held[0].number


async def test_an_open_page_of_a_guest_is_known(scene):
    """Else a guest who is there would count as gone."""
    address, table, session, _public, _private = scene
    guest = (await in_thread(seats_of_guests, table))[0].user_id
    async with TableSocket(address, table.pk, session) as player:
        await player.hello()
        await player.send(type="me")
        assert (await player.answer())["type"] == "balance"
        known: dict[int, bool] = {}
        for _ in range(50):
            known = dict(await presence.with_page([guest]))
            if known.get(guest):
                break
            await asyncio.sleep(0.1)
        await presence.close()
    assert known == {guest: True}


async def test_who_has_left_sees_no_card_any_more(scene):
    address, table, session, _public, _private = scene
    async with TableSocket(address, table.pk, session) as player:
        await player.hello()
        guest = (await in_thread(seats_of_guests, table))[0].user_id
        await in_thread(leave_table, table_id=table.pk, user_id=guest)
        await player.receive_until_version(await in_thread(version_of, table))
        assert player.state["you"]["seat"] is None
    assert await in_thread(seats_of_guests, table) == []


def seats_of_guests(table):
    return list(Seat.objects.filter(table=table, left_at=None, user__is_guest=True))


def version_of(table):
    row = Table.objects.get(pk=table.pk)
    assert row.status != TableStatus.PLAYING
    return row.version
