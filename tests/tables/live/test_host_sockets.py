"""Sockets at a private table that allows neither watchers nor chat."""

from uuid import uuid4

import pytest

from core.threads import in_thread
from tables.live.sockets import NOT_FOUND
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tables.seating.hosting.services import send_away, start_table
from tests.given import reload
from tests.tables.driving import (
    end_match,
    let_time_pass,
    list_seated,
    play_a_turn,
    seat_all,
)
from tests.tables.live.scene import Scene
from tests.tables.socket_client import session_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def scene(live_site, players, fees):
    """A free table for three with two players; watchers and chat are off."""
    terms = HostTerms(
        game="indian", preset="points", seats=3, allows_watchers=False, allows_chat=False
    )
    table = open_hosted_table(terms, user_id=players[0].pk)
    seat_all(table, players[1])
    people = {0: players[0], 1: players[1], "watcher": players[2]}
    return Scene(live_site, table, people, {who: session_of(one) for who, one in people.items()})


@pytest.mark.parametrize("seconds", [0, 15])
async def test_a_table_without_watchers_sends_them_no_game(scene, settings, seconds):
    settings.SPECTATOR_DELAY_SECONDS = seconds
    table = scene.table
    await in_thread(start_table, table_id=table.pk, user_id=scene.people[0].pk)
    await in_thread(let_time_pass, table)
    async with (
        scene.socket("watcher", invite=table.invite_code) as watcher,
        scene.socket(None, invite=table.invite_code) as visitor,
        scene.connect(0, 1) as players,
    ):
        for stranger in (watcher, visitor):
            await stranger.hello()
            assert stranger.state["game"] is None
            assert [chair["state"] for chair in stranger.state["seats"]] == [*2 * ["playing"], None]
            assert stranger.state["table"]["watchers"] is False
        assert all(player.state["game"] is not None for player in players)
        await in_thread(play_a_turn, table)
        await players[1].receive_until("ev")
        for stranger in (watcher, visitor):
            # Their socket gets the pong, or the table without a game.
            await stranger.ping()
            assert stranger.state["game"] is None
            assert not [m for m in stranger.received if m["type"] == "ev"]


async def test_the_host_starts_each_match_by_a_frame(scene):
    async with scene.connect(0, 1) as (host, guest):
        await guest.send(type="start", id=(move_id := str(uuid4())))
        refused = await guest.receive_until("ack", "rej")
        assert (refused["type"], refused["id"], refused["code"]) == ("rej", move_id, "not_the_host")
        await host.send(type="start", id=(move_id := str(uuid4())))
        answer = await host.receive_until("ack", "rej")
        assert (answer["type"], answer["id"]) == ("ack", move_id)
        await guest.receive_until_version(answer["v"])
        assert guest.state["table"]["status"] == "starting"
        await in_thread(let_time_pass, scene.table)
        await in_thread(end_match, scene.table)
        await host.receive_until_version(await in_thread(lambda: reload(scene.table).version))
        assert (host.state["table"]["awaits_press"], host.state["table"]["due_at"]) == (True, None)
        await host.send(type="start", id=str(uuid4()))
        assert (await host.receive_until("ack", "rej"))["code"] == "not_all_ready"
        await guest.send(type="again", id=str(uuid4()), amount=0)
        assert (await guest.receive_until("ack", "rej"))["type"] == "ack"
        await host.send(type="start", id=str(uuid4()))
        answer = await host.receive_until("ack", "rej")
        assert answer["type"] == "ack"
        await host.receive_until_version(answer["v"])
        assert host.state["table"]["awaits_press"] is False


async def test_chat_is_refused_over_the_socket_too(scene):
    async with scene.connect(1) as (player,):
        await player.send(type="say", phrase="hello", text="")
        assert (await player.answer())["code"] == "chat_off"


async def test_the_socket_of_a_player_sent_away_is_closed(scene):
    table, (host, guest) = scene.table, (scene.people[0], scene.people[1])
    async with scene.connect(1) as (player,):
        await in_thread(send_away, table_id=table.pk, user_id=host.pk, other_id=guest.pk)
        assert (await player.receive_until("bye"))["code"] == "sent_away"
        assert await player.read_close_code() == NOT_FOUND
    # The link does not let them watch either.
    async with scene.socket(1, invite=table.invite_code) as again:
        assert await again.read_close_code() == NOT_FOUND
    assert await in_thread(list_seated, table) == [host.pk]
