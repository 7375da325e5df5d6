"""Chat among watchers."""

import asyncio

import pytest

from core.threads import in_thread
from tables.chat.services import ignore
from tables.live import sockets
from tables.models import ChatLine
from tests.tables.driving import leave, seat_all
from tests.tables.socket_client import session_of

AT_ONCE_AND_LATE = pytest.mark.parametrize("scene", [0, 1], indirect=True)


@pytest.fixture
def scene(request, open_scene, settings):
    """A match with a free seat and two watchers, "watcher" and "ravi"."""
    settings.SPECTATOR_DELAY_SECONDS = getattr(request, "param", 1)
    opened = open_scene(max_seats=3)
    opened.people["ravi"] = request.getfixturevalue("make_player")()
    opened.sessions["ravi"] = session_of(opened.people["ravi"])
    return opened


def list_lines_to(socket):
    return [
        line["phrase"] or line["text"]
        for message in socket.received
        if message["type"] == "chat"
        for line in message["lines"]
    ]


@AT_ONCE_AND_LATE
async def test_watchers_hear_each_other_and_no_player_hears_them(scene):
    author = scene.people["watcher"]
    async with scene.connect(0, 1, "watcher", "ravi", None) as everybody:
        first, second, *watchers = everybody
        await watchers[0].send(type="say", phrase="well_played", text="")
        for one in watchers:
            [line] = (await one.receive_until("chat"))["lines"]
            assert (line["name"], line["face"]) == (author.player_name, author.shown_face)
            assert (line["player"], line["phrase"]) == (author.pk, "well_played")
        await first.send(type="say", phrase="hello", text="")
        await second.receive_until("chat")
        for one in everybody:
            await one.ping()
        assert list_lines_to(first) == list_lines_to(second) == ["hello"]
        assert [list_lines_to(watcher) for watcher in watchers] == [["well_played"]] * 3
        # A reconnecting player does not get it. A new watcher does.
        async with scene.connect(0, "ravi") as returned:
            for one in returned:
                await one.receive_until("chat")
            assert [list_lines_to(one) for one in returned] == [["hello"], ["well_played"]]


async def test_a_visitor_without_an_account_says_nothing(scene):
    async with scene.connect(None, "watcher") as (nobody, watcher):
        await nobody.send(type="say", phrase="hello", text="")
        assert (await nobody.receive_until("error"))["code"] == "not_seated"
        await watcher.ping()
        assert list_lines_to(watcher) == []
    assert not await in_thread(ChatLine.objects.exists)


async def test_a_line_before_the_hello_is_refused(scene):
    async with scene.socket("watcher") as watcher:
        await watcher.send(type="say", phrase="hello", text="")
        assert (await watcher.receive_until("error"))["code"] == "no_hello"
    assert not await in_thread(ChatLine.objects.exists)


async def test_an_ignored_watcher_is_not_heard(scene):
    async with scene.connect("watcher") as (watcher,):
        await watcher.send(type="say", phrase="sad", text="")
        await watcher.receive_until("chat")
        pair = {"user_id": scene.people["ravi"].pk, "ignored_id": scene.people["watcher"].pk}
        await in_thread(ignore, **pair, table_id=scene.table.pk)
        async with scene.connect("ravi") as (ravi,):
            await watcher.send(type="say", phrase="sad", text="")
            await watcher.receive_until("chat")
            await ravi.ping()
            assert list_lines_to(ravi) == []


async def test_lines_over_the_rate_limit_cost_no_query(scene):
    async with scene.connect("watcher") as (watcher,):
        sockets.WATCHERS_LINES.take(scene.people["watcher"].pk, 5)
        await watcher.send(type="say", phrase="wow", text="")
        assert (await watcher.receive_until("error"))["code"] == "said_too_much"
    assert not await in_thread(ChatLine.objects.exists)


@AT_ONCE_AND_LATE
async def test_a_seated_watcher_hears_players_and_a_leaver_hears_watchers(scene):
    guest = scene.people["watcher"]
    async with scene.connect("watcher", "ravi", 0) as (watcher, ravi, player):
        await in_thread(seat_all, scene.table, guest, number=2)
        while watcher.state["you"]["seat"] is None:
            await watcher.receive()
        await ravi.send(type="say", phrase="wow", text="")
        await ravi.receive_until("chat")
        await watcher.ping()
        assert list_lines_to(watcher) == []
        await watcher.send(type="say", phrase="hello", text="")
        await player.receive_until("chat")
        await watcher.receive_until("chat")
        await in_thread(leave, scene.table, guest)
        while watcher.state["you"]["seat"] is not None:
            await watcher.receive()
        async with asyncio.timeout(20):
            while "clap" not in list_lines_to(watcher):
                sockets.WATCHERS_LINES.forget()
                await in_thread(ChatLine.objects.all().delete)
                await ravi.send(type="say", phrase="clap", text="")
                await ravi.receive_until("chat")
                await watcher.ping()
        assert list_lines_to(ravi)[:1] == ["wow"]
        assert "hello" not in list_lines_to(ravi)
        assert "clap" not in list_lines_to(player)
