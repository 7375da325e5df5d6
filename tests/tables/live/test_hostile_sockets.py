"""Rate limits against strangers and players who flood a socket."""

import asyncio
import time
from contextlib import suppress
from threading import Event
from typing import Any
from uuid import uuid4

import pytest
from django.db.models import F
from redis import Redis
from websockets.exceptions import ConnectionClosed

from accounts.sessions.revocation import revocation_group
from config.sockets import socket_limits
from config.sockets.identity import find_person
from core.sockets.channel_layer import name_on_server
from core.threads import TooMuchAsked, in_thread
from tables.chat.services import group_of_watchers
from tables.live import sockets
from tables.live.consumers import group_of_player
from tables.live.sockets import OPENINGS
from tables.models import Change, Seat
from tables.play.change import name_table_group
from tests.given import require
from tests.tables.driving import leave
from tests.tables.live.scene import read_record
from tests.tables.live_modules import replace_in_live

DRAW = {"kind": "draw", "source": "closed"}


@pytest.fixture
def scene(open_scene):
    return open_scene(offers_arrangement=True, offers_verdict=True)


@pytest.mark.parametrize("who", [None, "watcher"])
async def test_frames_without_a_seat_are_refused_from_memory(scene, who, monkeypatch):
    """The table's row stays locked, and no thread for moves may be used."""
    before = await in_thread(read_record, scene.table)

    async def fail_at_thread(*_args, **_kwargs):
        raise AssertionError("a thread of the moves was taken")

    move_id = str(uuid4())
    frames: list[dict[str, Any]] = [
        {"type": "act", "id": move_id, "v": 1, "move": DRAW},
        {"type": "draft", "rev": 1, "draft": [["7H.0"]]},
        {"type": "ask", "id": move_id, "question": {"kind": "arrange"}},
        {"type": "ask", "id": move_id, "question": {"kind": "judge", "groups": []}},
        {"type": "pre_action", "move": {"kind": "drop"}, "last_deal": None},
        {"type": "again", "id": move_id, "amount": 0},
        {"type": "start", "id": move_id},
        *([{"type": "say", "phrase": "hello", "text": ""}] if who is None else []),
        {"type": "seed", "promise": "0" * 64, "seed": "0" * 32},
    ]
    async with scene.connect(who) as (stranger,):
        replace_in_live(monkeypatch, "in_thread", fail_at_thread)
        for frame in frames:
            await stranger.send(**frame)
            answer = await stranger.answer()
            has_id = frame["type"] in {"act", "ask", "again", "start"}
            assert answer["type"] == ("rej" if has_id else "error")
            assert answer["code"] == "not_seated"
    monkeypatch.undo()
    assert await in_thread(read_record, scene.table) == before


async def test_a_move_before_the_hello_is_refused(scene):
    before = await in_thread(read_record, scene.table)
    async with scene.socket(0) as player:
        answer = await player.act(**DRAW)
        assert (answer["type"], answer["code"]) == ("rej", "no_hello")
    assert await in_thread(read_record, scene.table) == before


async def test_a_watcher_may_send_fewer_frames(scene):
    async with scene.connect(None) as (watcher,):
        for _ in range(14):
            await watcher.send(type="ping", c=1)
        answers = [(await watcher.answer())["type"] for _ in range(14)]
    assert answers.count("pong") in {9, 10}
    assert answers.count("error") in {4, 5}


async def test_too_many_questions_are_refused(scene):
    async with scene.connect(0) as (player,):
        question = {"kind": "judge", "groups": player.state["you"]["groups"]}
        for _ in range(12):
            await player.send(type="ask", id=str(uuid4()), question=question)
        answers = [await player.receive_until("answer", "rej") for _ in range(12)]
    assert [answer["type"] for answer in answers[:10]] == ["answer"] * 10
    assert answers[-1]["code"] == "too_many_questions"


async def test_a_long_question_does_not_delay_moves(scene, monkeypatch):
    goes_on = Event()  # a threading event: the server has another event loop

    async def slowly(*_args, **_kwargs):
        while not goes_on.is_set():  # noqa: ASYNC110 - set by another loop
            await asyncio.sleep(0.02)
        raise TooMuchAsked

    replace_in_live(monkeypatch, "in_question_thread", slowly)
    async with scene.connect(0, 1) as sockets:
        turn = sockets[0].state["game"]["turn"]
        asker = sockets[1 - turn]
        await asker.send(type="ask", id=str(uuid4()), question={"kind": "arrange"})
        assert (await sockets[turn].act(**DRAW))["type"] == "ack"
        goes_on.set()
        assert (await asker.receive_until("rej"))["code"] == "too_many_questions"


async def test_a_flooding_player_opens_no_more_sockets(scene):
    for _attempt in range(2):
        async with scene.connect("watcher") as (socket,):
            with suppress(ConnectionClosed):
                for _ in range(100):
                    await socket.send(type="ping", c=1)
            assert await socket.read_close_code() == 4408
    assert await scene.socket("watcher").read_refusal() == 429
    async with scene.socket(0) as other:
        assert (await other.hello())["type"] == "snap"


async def test_a_visitor_without_a_session_costs_no_look_up(scene, monkeypatch):
    def fail_at_look_up(_session_key):
        raise AssertionError("nobody's session was looked up")

    monkeypatch.setattr("config.sockets.websocket.find_person", fail_at_look_up)
    async with scene.socket(None) as stranger:
        assert (await stranger.hello())["type"] == "snap"


async def test_a_refused_player_is_refused_again_without_a_look_up(scene, monkeypatch):
    looked_up = []

    def look_up(session_key):
        looked_up.append(session_key)
        return find_person(session_key)

    monkeypatch.setattr("config.sockets.websocket.find_person", look_up)
    OPENINGS.take(("player", scene.people[0].pk), 1_000)
    for _ in range(3):
        assert await scene.socket(0).read_refusal() == 429
    assert looked_up == [scene.sessions[0]]
    async with scene.connect(None):
        pass
    OPENINGS.forget()
    async with scene.connect(0) as (player,):
        assert player.state["you"]["seat"] == 0
    assert looked_up == [scene.sessions[0]] * 2


async def test_a_second_visit_of_a_stranger_costs_no_query(scene, settings, monkeypatch):
    settings.SPECTATOR_DELAY_SECONDS = 15
    monkeypatch.setattr("tables.live.delayed_view.SECONDS_SHARED", 60)
    async with scene.connect(None):
        pass

    async def fail_at_thread(*_args, **_kwargs):
        raise AssertionError("a thread was taken")

    replace_in_live(monkeypatch, "aside", fail_at_thread)
    async with scene.socket(None) as stranger:
        await stranger.send(type="ping", c=1)
        assert (await stranger.answer())["type"] == "pong"


async def test_watchers_are_not_woken_by_moves(scene, settings):
    """Watchers get no message for a move. They see it at the next heartbeat."""
    settings.SPECTATOR_DELAY_SECONDS = 15
    redis = Redis.from_url(settings.REDIS_URL, decode_responses=True)
    table_id, user_id = scene.table.pk, scene.people[0].pk
    names = (
        name_table_group(table_id),
        group_of_player(table_id, user_id),
        revocation_group(user_id),
    )

    async def channels():
        return set(await asyncio.to_thread(redis.pubsub_channels))

    before = await channels()  # sockets of the previous test may still be closing
    async with scene.connect(None):
        # The only group is the chat of watchers.
        talk = name_on_server(group_of_watchers(table_id))
        assert await channels() <= before | {talk}
        async with scene.connect(0):
            groups = {name_on_server(name) for name in names}
            assert groups <= await channels() <= groups | before | {talk}
    await asyncio.to_thread(redis.close)


async def test_the_sockets_of_a_player_are_limited(scene, settings, caplog):
    settings.SOCKETS_OF_A_PLAYER = 2
    async with scene.socket("watcher"), scene.socket("watcher"):
        assert await scene.socket("watcher").read_refusal() == 429
        async with scene.socket(0) as other:
            assert (await other.hello())["type"] == "snap"
    assert caplog.records == []  # refusals are not logged


async def test_a_player_who_has_left_is_shown_no_older_game(scene, settings):
    settings.SPECTATOR_DELAY_SECONDS = 3600
    user = scene.people[0]
    async with scene.connect(0) as (player,):
        seen = require(player.state["game"])
        await in_thread(leave, scene.table, user)
        while player.state["you"]["seat"] is not None:
            await player.receive()
        assert player.state["game"]["deal"] == seen["deal"]
        assert player.state["game"]["turn_number"] >= seen["turn_number"]
        async with scene.connect(0, None) as (again, stranger):
            assert again.state["game"] == player.state["game"]
            assert stranger.state["game"] is None
    left = await in_thread(Seat.objects.get, table=scene.table, user=user)
    assert left.left_at is not None


async def test_a_returning_watcher_is_shown_a_new_reading(scene, settings, monkeypatch):
    """The cached view is older than the one that the watcher may see now."""
    settings.SPECTATOR_DELAY_SECONDS = 12  # longer than the table has existed
    monkeypatch.setattr("tables.live.delayed_view.SECONDS_SHARED", 60)
    monkeypatch.setattr("tables.live.feed.SECONDS_SHARED", 60)
    async with scene.connect(None) as (early,):
        assert early.state["game"] is None
    changes = Change.objects.filter(table=scene.table)
    await in_thread(changes.update, at_ms=F("at_ms") - 12_000)
    async with scene.socket(None) as watcher:
        watcher.version, watcher.epoch = early.version, early.epoch
        await watcher.hello()
        assert watcher.state["game"] is not None
        assert watcher.state["table"]["id"] == scene.table.pk


async def test_frames_of_a_flooding_client_are_read_slowly(scene, monkeypatch):
    """After several refusals, the server waits before it reads the client's next frame."""
    monkeypatch.setattr(sockets, "SECONDS_SLOWED", 2)
    async with scene.socket(None) as flood, scene.socket(0) as player:
        for _ in range(sockets.BAD_FRAMES_AT_ONCE + 2):
            await flood.send_text("[]")
        for _ in range(sockets.BAD_FRAMES_AT_ONCE + 1):
            assert (await flood.answer())["code"] == "malformed_message"
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await flood.answer()
        await player.send(type="ping", c=1)
        assert (await player.answer())["type"] == "pong"


async def test_refusals_are_delayed_up_to_a_number_of_waiting_ones(scene, settings, monkeypatch):
    settings.SOCKETS_OF_AN_ADDRESS = 0
    monkeypatch.setattr(socket_limits, "SECONDS_TO_A_REFUSAL", 2)
    monkeypatch.setattr(socket_limits, "_MOST_DELAYED", 1)
    began, after = time.monotonic(), []
    for attempt in asyncio.as_completed([scene.socket(None).read_refusal() for _ in range(3)]):
        assert await attempt == 429
        after.append(time.monotonic() - began)
    assert after[1] < 2 <= after[2]


async def test_refusals_are_immediate_once_sockets_use_all_files(scene, settings, monkeypatch):
    settings.SOCKETS_OF_AN_ADDRESS = 0
    settings.SOCKETS_AT_MOST = 1
    monkeypatch.setattr(socket_limits, "SECONDS_TO_A_REFUSAL", 60)
    async with asyncio.timeout(20):
        assert await scene.socket(None).read_refusal() == 429
