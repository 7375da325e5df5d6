"""Talk among watchers reaches watchers, and no player."""

import asyncio
from typing import Any

import pytest

from core.threads import in_thread
from tables.chat.services import ignore
from tables.live import sockets
from tables.models import ChatLine
from tables.seating.sitting import leave_table, take_seat
from tests.tables.driving import player_at, start_match
from tests.tables.socket_client import TableSocket, session_of

AT_ONCE_AND_LATE = pytest.mark.parametrize("scene", [0, 1], indirect=True)


@pytest.fixture
def scene(request, live_site, transactional_db, make_player, make_table, settings):
    """A running match, and a function that opens sockets: of a seat, of a watcher by name, of nobody."""
    settings.SPECTATOR_DELAY_SECONDS = getattr(request, "param", 1)
    table = start_match(make_table(max_seats=3), make_player(), make_player())
    people: dict[Any, Any] = {seat: player_at(table, seat) for seat in (0, 1)}
    people |= {name: make_player() for name in ("asha", "ravi")}
    sessions = {name: session_of(person) for name, person in people.items()}

    def socket(name):
        return TableSocket(live_site, table.pk, sessions.get(name))

    return table, people, socket


def list_lines_to(socket):
    return [
        line["phrase"] or line["text"]
        for message in socket.received
        if message["type"] == "chat"
        for line in message["lines"]
    ]


async def await_all(socket):
    """Wait until everything sent before has arrived."""
    await socket.send(type="ping", c=1)
    await socket.receive_until("pong")


@AT_ONCE_AND_LATE
async def test_watchers_hear_each_other_and_no_player_hears_them(scene):
    _table, people, socket = scene
    async with (
        socket(0) as first,
        socket(1) as second,
        socket("asha") as asha,
        socket("ravi") as ravi,
        socket("nobody") as nobody,
    ):
        everybody = (first, second, asha, ravi, nobody)
        for one in everybody:
            await one.hello()
        await asha.send(type="say", phrase="well_played", text="")
        for one in (asha, ravi, nobody):
            [line] = (await one.receive_until("chat"))["lines"]
            assert line["name"] == people["asha"].player_name
            assert line["face"] == people["asha"].shown_face
            assert (line["player"], line["phrase"]) == (people["asha"].pk, "well_played")
        await first.send(type="say", phrase="hello", text="")
        await second.receive_until("chat")
        for one in everybody:
            await await_all(one)
        assert list_lines_to(first) == list_lines_to(second) == ["hello"]
        assert (
            list_lines_to(asha) == list_lines_to(ravi) == list_lines_to(nobody) == ["well_played"]
        )
        # Nor does a player who comes back, while a watcher is told what was said.
        async with socket(0) as again, socket("ravi") as late:
            await again.hello()
            await late.hello()
            assert [line["phrase"] for line in (await again.receive_until("chat"))["lines"]] == [
                "hello"
            ]
            assert [line["phrase"] for line in (await late.receive_until("chat"))["lines"]] == [
                "well_played"
            ]


async def test_nobody_without_an_account_says_anything(scene):
    _table, _people, socket = scene
    async with socket("nobody") as nobody, socket("asha") as asha:
        await nobody.hello()
        await asha.hello()
        await nobody.send(type="say", phrase="hello", text="")
        assert (await nobody.receive_until("error"))["code"] == "not_seated"
        await await_all(asha)
        assert list_lines_to(asha) == []
    assert not await in_thread(ChatLine.objects.exists)


async def test_before_a_hello_nothing_is_said(scene):
    _table, _people, socket = scene
    async with socket("asha") as asha:
        await asha.send(type="say", phrase="hello", text="")
        assert (await asha.receive_until("error"))["code"] == "no_hello"
    assert not await in_thread(ChatLine.objects.exists)


async def test_one_who_is_ignored_is_not_heard(scene):
    table, people, socket = scene
    async with socket("asha") as asha:
        await asha.hello()
        await asha.send(type="say", phrase="sad", text="")
        await asha.receive_until("chat")
        who = {"user_id": people["ravi"].pk, "ignored_id": people["asha"].pk}
        await in_thread(ignore, **who, table_id=table.pk)
        async with socket("ravi") as ravi:
            await ravi.hello()
            await asha.send(type="say", phrase="sad", text="")
            await asha.receive_until("chat")
            await await_all(ravi)
            assert list_lines_to(ravi) == []


async def test_who_talks_too_fast_waits_and_costs_the_database_nothing(scene):
    _table, people, socket = scene
    async with socket("asha") as asha:
        await asha.hello()
        sockets.WATCHERS_LINES.take(people["asha"].pk, 5)
        await asha.send(type="say", phrase="wow", text="")
        assert (await asha.receive_until("error"))["code"] == "said_too_much"
    assert not await in_thread(ChatLine.objects.exists)


@AT_ONCE_AND_LATE
async def test_who_sits_down_hears_the_players_and_who_gets_up_the_watchers(scene):
    table, people, socket = scene
    async with socket("asha") as asha, socket("ravi") as ravi, socket(0) as player:
        for one in (asha, ravi, player):
            await one.hello()
        place = {"table_id": table.pk, "user_id": people["asha"].pk}
        await in_thread(take_seat, **place, number=2, amount=800)
        while asha.state["you"]["seat"] is None:
            await asha.receive()
        await ravi.send(type="say", phrase="wow", text="")
        await ravi.receive_until("chat")
        await await_all(asha)
        assert list_lines_to(asha) == []
        await asha.send(type="say", phrase="hello", text="")
        await player.receive_until("chat")
        await asha.receive_until("chat")
        await in_thread(leave_table, **place)
        while asha.state["you"]["seat"] is not None:
            await asha.receive()
        async with asyncio.timeout(20):
            while "clap" not in list_lines_to(asha):
                sockets.WATCHERS_LINES.forget()
                await in_thread(ChatLine.objects.all().delete)
                await ravi.send(type="say", phrase="clap", text="")
                await ravi.receive_until("chat")
                await await_all(asha)
        assert list_lines_to(ravi)[:1] == ["wow"]
        assert "hello" not in list_lines_to(ravi)
        assert "clap" not in list_lines_to(player)
