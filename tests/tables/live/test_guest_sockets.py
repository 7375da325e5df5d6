"""A guest's socket, which opens only for the table of the guest's link."""

import asyncio

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from core import throttling
from core.threads import in_thread
from tables.live import presence
from tables.live.sockets import NOT_FOUND
from tables.models import Seat, TableStatus
from tests.given import reload
from tests.tables.driving import CODE, leave, let_time_pass, list_seated, seat_all, start_match
from tests.tables.live.scene import Scene
from tests.tables.socket_client import TableSocket


@pytest.fixture
def scene(live_site, transactional_db, make_player, make_free):
    """A free table at which a guest plays with its host."""
    throttling.clear("guests", "guests:127.0.0.1")
    host, guest = make_player(), Client()
    table = make_free(opened_by_id=host.pk)
    seat_all(table, host)
    form = {"player_name": "Asha", "adult": "on", "press": "0" * 32, "invite": CODE}
    guest.post(reverse("tables:sit_as_guest", args=[table.pk]), form)
    let_time_pass(table)
    return Scene(
        live_site,
        table,
        {"guest": User.objects.get(is_guest=True)},
        {"guest": guest.cookies["sessionid"].value},
    )


async def test_a_guest_plays_at_one_table_and_only_watches_public_ones(
    scene, make_table, make_player
):
    public = await in_thread(lambda: start_match(make_table(), make_player(), make_player()))
    private = await in_thread(lambda: make_table(invite_code="mnopqrstuvwx"))
    async with scene.connect("guest") as (player,):
        assert len(player.state["you"]["hand"]) == 13
        assert player.state["seats"][player.state["you"]["seat"]]["player"]["guest"] is True
        await player.send(type="say", phrase="", text="call me")
        assert (await player.answer())["code"] == "phrases_only"
        await player.send(type="say", phrase="hello", text="")
        assert [line["phrase"] for line in (await player.receive_until("chat"))["lines"]] == [
            "hello"
        ]
    session = scene.sessions["guest"]
    async with TableSocket(scene.address, public.pk, session) as watcher:
        await watcher.hello()
        assert watcher.state["you"]["seat"] is None
        await watcher.send(type="say", phrase="hello", text="")
        assert (await watcher.answer())["code"] == "not_seated"
    async with TableSocket(scene.address, private.pk, session) as stranger:
        assert await stranger.read_close_code() == NOT_FOUND


async def test_a_guest_keeps_one_seat_over_tabs_and_connections(scene):
    async with scene.connect("guest") as (first,), scene.connect("guest") as (second,):
        assert second.state["you"]["hand"] == first.state["you"]["hand"]
    held = await in_thread(Seat.objects.get, table=scene.table, user=scene.people["guest"])
    async with scene.connect("guest") as (again,):
        assert again.state["you"]["seat"] == held.number


async def test_an_open_page_of_a_guest_is_known(scene):
    guest = scene.people["guest"].pk
    async with scene.connect("guest") as (player,):
        await player.send(type="me")
        assert (await player.answer())["type"] == "balance"
        async with asyncio.timeout(5):
            while not (await presence.with_page([guest]))[guest]:  # noqa: ASYNC110 - in Redis
                await asyncio.sleep(0.1)
        await presence.close()


async def test_a_guest_who_has_left_sees_no_cards(scene):
    guest = scene.people["guest"]
    async with scene.connect("guest") as (player,):
        await in_thread(leave, scene.table, guest)
        table = await in_thread(reload, scene.table)
        assert table.status != TableStatus.PLAYING
        await player.receive_until_version(table.version)
        assert player.state["you"]["seat"] is None
    assert guest.pk not in await in_thread(list_seated, scene.table)
