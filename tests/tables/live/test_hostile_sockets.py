"""Strangers and players who flood a socket cost the others nothing."""

import asyncio
import json
from threading import Event
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as django_settings
from django.db.models import F
from redis import Redis
from websockets.exceptions import ConnectionClosed, InvalidStatus

from accounts.sessions.revocation import revocation_group
from config.sockets import socket_limits
from config.sockets.identity import person_of
from core.threads import Threads, TooMuchAsked, in_thread
from tables.chat.services import group_of_watchers
from tables.live import sockets
from tables.live.consumers import group_of_player
from tables.live.sockets import OPENINGS
from tables.models import Change, Seat, Table
from tables.play.change import group_of
from tables.seating.sitting import leave_table
from tests.given import require
from tests.tables.driving import player_at, start_match
from tests.tables.live_modules import replace_in_live
from tests.tables.socket_client import TableSocket, session_of

MOVE_ID = "3f0c8f8e-5b1c-4a52-9d5b-0d8f3f1f5a10"
DRAW = {"kind": "draw", "source": "closed"}


@pytest.fixture
def scene(live_site, transactional_db, make_player, make_table):
    opened = make_table(offers_arrangement=True, offers_verdict=True)
    table = start_match(opened, make_player(), make_player())
    sessions = [session_of(player_at(table, seat)) for seat in (0, 1)]
    return live_site, table, [*sessions, session_of(make_player())]


def groups_of(table):
    """Return the groups that the first player's socket listens to."""
    user = player_at(table, 0)
    return group_of(table.pk), group_of_player(table.pk, user.pk), revocation_group(user.pk)


def record_of(table):
    row = Table.objects.values("version", "state", "client_seeds").get(pk=table.pk)
    return row, Change.objects.filter(table=table).count()


@pytest.mark.parametrize("who", ["nobody", "a player without a seat"])
async def test_without_a_seat_nothing_waits_for_the_row(scene, who, monkeypatch):
    """Every refusal comes from memory: the row is held all the while, and nothing asks for it."""
    address, table, sessions = scene
    before = await in_thread(record_of, table)

    async def fail_at_thread(*_args, **_kwargs):
        raise AssertionError("a thread of the moves was taken")

    async with TableSocket(address, table.pk, None if who == "nobody" else sessions[2]) as stranger:
        await stranger.hello()
        replace_in_live(monkeypatch, "in_thread", fail_at_thread)
        frames: list[dict[str, Any]] = [
            {"type": "act", "id": MOVE_ID, "v": 1, "move": DRAW},
            {"type": "draft", "rev": 1, "draft": [["7H.0"]]},
            {"type": "ask", "id": MOVE_ID, "question": {"kind": "arrange"}},
            {"type": "ask", "id": MOVE_ID, "question": {"kind": "judge", "groups": []}},
            {"type": "pre_action", "move": {"kind": "drop"}, "last_deal": None},
            {"type": "again", "id": MOVE_ID, "amount": 0},
            *([{"type": "say", "phrase": "hello", "text": ""}] if who == "nobody" else []),
            {"type": "seed", "promise": "0" * 64, "seed": "0" * 32},
        ]
        for frame in frames:
            await stranger.send(**frame)
            answer = await stranger.answer()
            has_id = frame["type"] in {"act", "ask", "again"}
            assert answer["type"] == ("rej" if has_id else "error")
            assert answer["code"] == "not_seated"
    monkeypatch.undo()
    assert await in_thread(record_of, table) == before


async def test_nobody_plays_before_hello(scene):
    address, table, sessions = scene
    before = await in_thread(record_of, table)
    async with TableSocket(address, table.pk, sessions[0]) as player:
        await player.send(type="act", id=MOVE_ID, v=10, move=DRAW)
        answer = await player.answer()
        assert (answer["type"], answer["code"]) == ("rej", "no_hello")
    assert await in_thread(record_of, table) == before


async def test_who_watches_may_say_less(scene):
    address, table, _sessions = scene
    async with TableSocket(address, table.pk, None) as watcher:
        await watcher.hello()
        for _ in range(14):
            await watcher.send(type="ping", c=1)
        answers = [(await watcher.answer())["type"] for _ in range(14)]
    assert answers.count("pong") in {9, 10}
    assert answers.count("error") in {4, 5}


async def test_questions_without_end_are_refused_and_then_closed(scene):
    address, table, sessions = scene
    async with TableSocket(address, table.pk, sessions[0]) as player:
        await player.hello()
        question = {"kind": "judge", "groups": player.state["you"]["groups"]}
        for _ in range(12):
            await player.send(type="ask", id=str(uuid4()), question=question)
        answers = [await player.receive_until("answer", "rej") for _ in range(12)]
    kinds = [answer["type"] for answer in answers]
    assert kinds[:10] == ["answer"] * 10
    assert answers[-1]["code"] == "too_many_questions"


async def test_a_question_is_not_waited_for_by_moves(scene, monkeypatch):
    """However long the game reckons, the other player's and this table's moves go on."""
    address, table, sessions = scene
    goes_on = Event()  # of threads: the server has a loop of its own

    async def slowly(*_args, **_kwargs):
        while not goes_on.is_set():  # noqa: ASYNC110 - set by another loop
            await asyncio.sleep(0.02)
        raise TooMuchAsked

    replace_in_live(monkeypatch, "in_question_thread", slowly)
    first = TableSocket(address, table.pk, sessions[0])
    second = TableSocket(address, table.pk, sessions[1])
    async with first, second:
        await first.hello()
        await second.hello()
        turn = first.state["game"]["turn"]
        mover, asker = (first, second) if turn == 0 else (second, first)
        await asker.send(type="ask", id=MOVE_ID, question={"kind": "arrange"})
        assert (await mover.act(**DRAW))["type"] == "ack"
        goes_on.set()
        assert (await asker.receive_until("rej"))["code"] == "too_many_questions"


async def test_a_full_queue_takes_nothing_more():
    threads = Threads(1, name="test", most_waiting=1)

    gate = Event()
    taken = [asyncio.ensure_future(threads.run(gate.wait)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(TooMuchAsked):
        await threads.run(gate.wait)
    gate.set()
    assert await asyncio.gather(*taken) == [True, True]
    assert await threads.run(lambda: 7) == 7


async def test_a_flood_costs_the_next_sockets(scene):
    address, table, sessions = scene

    async def flood():
        async with TableSocket(address, table.pk, sessions[2]) as socket:
            await socket.hello()
            for _ in range(100):
                try:
                    await socket.send(type="ping", c=1)
                except ConnectionClosed:
                    break
            with pytest.raises(ConnectionClosed) as closed:
                await socket.receive_until("never")
            assert require(closed.value.rcvd).code == 4408

    await flood()
    await flood()
    with pytest.raises(InvalidStatus) as refused:
        await flood()
    assert refused.value.response.status_code == 429
    async with TableSocket(address, table.pk, sessions[0]) as other:
        assert (await other.hello())["type"] == "snap"


async def test_who_shows_no_session_is_not_looked_up(scene, monkeypatch):
    address, table, _sessions = scene

    def fail_at_look_up(_session_key):
        raise AssertionError("nobody's session was looked up")

    monkeypatch.setattr("config.sockets.websocket.person_of", fail_at_look_up)
    async with TableSocket(address, table.pk, None) as stranger:
        assert (await stranger.hello())["type"] == "snap"


async def test_who_was_refused_is_refused_again_without_being_looked_up(scene, monkeypatch):
    address, table, sessions = scene
    looked_up = []

    def look_up(session_key):
        looked_up.append(session_key)
        return person_of(session_key)

    monkeypatch.setattr("config.sockets.websocket.person_of", look_up)
    asker = await in_thread(player_at, table, 0)
    OPENINGS.take(("player", asker.pk), 1_000)
    for _ in range(3):
        with pytest.raises(InvalidStatus) as refused:
            await TableSocket(address, table.pk, sessions[0]).__aenter__()
        assert refused.value.response.status_code == 429
    assert looked_up == sessions[:1]
    async with TableSocket(address, table.pk, None) as stranger:
        await stranger.hello()
    OPENINGS.forget()
    async with TableSocket(address, table.pk, sessions[0]) as player:
        await player.hello()
        assert player.state["you"]["seat"] == 0
    assert looked_up == [sessions[0]] * 2


async def test_strangers_who_knock_again_cost_no_query(scene, settings, monkeypatch):
    settings.SPECTATOR_DELAY_SECONDS = 15
    monkeypatch.setattr("tables.live.delayed_view.SECONDS_SHARED", 60)
    address, table, _sessions = scene
    async with TableSocket(address, table.pk, None) as stranger:
        await stranger.hello()

    async def fail_at_thread(*_args, **_kwargs):
        raise AssertionError("a thread was taken")

    replace_in_live(monkeypatch, "aside", fail_at_thread)
    async with TableSocket(address, table.pk, None) as stranger:
        await stranger.send(type="ping", c=1)
        assert (await stranger.answer())["type"] == "pong"


async def test_no_word_of_a_move_goes_to_who_watches(scene, settings):
    """Moves would wake all of them for nothing: what they are shown comes with the heartbeat."""
    address, table, sessions = scene
    settings.SPECTATOR_DELAY_SECONDS = 15
    redis = Redis.from_url(settings.REDIS_URL, decode_responses=True)

    async def channels():
        return set(await asyncio.to_thread(redis.pubsub_channels))

    before = await channels()  # sockets of the test before may still be going
    async with TableSocket(address, table.pk, None) as watcher:
        await watcher.hello()
        # Only for what those who watch say to each other.
        talk = f"asgi__group__{group_of_watchers(table.pk)}"
        assert await channels() <= before | {talk}
        async with TableSocket(address, table.pk, sessions[0]) as player:
            await player.hello()
            groups = {f"asgi__group__{name}" for name in await in_thread(groups_of, table)}
            assert groups <= await channels() <= groups | before | {talk}
    await asyncio.to_thread(redis.close)


async def test_sockets_of_one_player_are_so_many(scene, settings, caplog):
    settings.SOCKETS_OF_A_PLAYER = 2
    address, table, sessions = scene
    sockets = [TableSocket(address, table.pk, sessions[2]) for _ in range(3)]
    async with sockets[0], sockets[1]:
        with pytest.raises(InvalidStatus) as refused:
            await sockets[2].__aenter__()
        assert refused.value.response.status_code == 429
        async with TableSocket(address, table.pk, sessions[0]) as other:
            assert (await other.hello())["type"] == "snap"
    assert caplog.records == []  # a refusal is no line of the log


async def test_who_has_left_sees_no_older_game_than_before(scene, settings):
    settings.SPECTATOR_DELAY_SECONDS = 3600
    address, table, sessions = scene
    async with TableSocket(address, table.pk, sessions[0]) as player:
        await player.hello()
        seen = player.state["game"]
        assert seen is not None
        user = await in_thread(player_at, table, 0)
        await in_thread(leave_table, table_id=table.pk, user_id=user.pk)
        while player.state["you"]["seat"] is not None:
            await player.receive()
        assert player.state["game"]["deal"] == seen["deal"]
        assert player.state["game"]["turn_number"] >= seen["turn_number"]
        async with TableSocket(address, table.pk, sessions[0]) as again:
            await again.hello()
            assert again.state["game"] == player.state["game"]
        async with TableSocket(address, table.pk, None) as stranger:
            await stranger.hello()
            assert stranger.state["game"] is None
    left = await in_thread(Seat.objects.get, table=table, user=user)
    assert left.left_at is not None


def let_the_delay_pass(table):
    """Make what has happened at the table older than watchers have to wait."""
    delay_ms = django_settings.SPECTATOR_DELAY_SECONDS * 1000
    Change.objects.filter(table=table).update(at_ms=F("at_ms") - delay_ms)


async def test_a_watcher_who_comes_back_is_shown_a_reading_of_now(scene, settings, monkeypatch):
    """This process has read the table a moment before another one showed more of it."""
    settings.SPECTATOR_DELAY_SECONDS = 12  # the table has begun a moment ago
    monkeypatch.setattr("tables.live.delayed_view.SECONDS_SHARED", 60)
    monkeypatch.setattr("tables.live.feed.SECONDS_SHARED", 60)
    address, table, _sessions = scene
    async with TableSocket(address, table.pk, None) as early:
        await early.hello()
        old = early.state["game"]
    await in_thread(let_the_delay_pass, table)
    async with TableSocket(address, table.pk, None) as watcher:
        watcher.version, watcher.epoch = early.version, early.epoch
        await watcher.hello()
        assert old is None
        assert watcher.state["game"] is not None
        assert json.loads(json.dumps(watcher.state))["table"]["id"] == table.pk


async def test_who_floods_is_read_slowly(scene, monkeypatch):
    """After a few refusals the next frame stays unread for a while; the others notice nothing."""
    monkeypatch.setattr(sockets, "SECONDS_SLOWED", 4)
    address, table, sessions = scene
    async with (
        TableSocket(address, table.pk, None) as flood,
        TableSocket(address, table.pk, sessions[0]) as player,
    ):
        for _ in range(12):
            await flood.send_text("[]")
        for _ in range(sockets.BAD_FRAMES_AT_ONCE + 1):
            assert (await flood.answer())["code"] == "malformed_message"
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await flood.answer()
        await player.send(type="ping", c=1)
        assert (await player.answer())["type"] == "pong"


async def test_a_refusal_takes_its_time_but_for_so_many(scene, settings, monkeypatch):
    """Repeated attempts are slowed down, and waiting ones never take all places."""
    settings.SOCKETS_OF_AN_ADDRESS = 0
    monkeypatch.setattr(socket_limits, "SECONDS_TO_A_REFUSAL", 4)
    monkeypatch.setattr(socket_limits, "_MOST_HELD_UP", 1)
    address, table, _sessions = scene

    async def connect_refused():
        with pytest.raises(InvalidStatus) as error:
            await TableSocket(address, table.pk, None).__aenter__()
        return error.value.response.status_code

    attempts = [asyncio.create_task(connect_refused()) for _ in range(3)]
    done, waiting = await asyncio.wait(attempts, timeout=2)
    assert [len(done), len(waiting)] == [2, 1]
    assert [await attempt for attempt in attempts] == [429] * 3


async def test_who_waits_for_a_refusal_takes_no_file_from_pages(scene, settings, monkeypatch):
    """Once sockets have used up their files, a refusal comes at once."""
    settings.SOCKETS_OF_AN_ADDRESS = 0
    settings.SOCKETS_AT_MOST = 1
    monkeypatch.setattr(socket_limits, "SECONDS_TO_A_REFUSAL", 60)
    address, table, _sessions = scene
    async with asyncio.timeout(20):
        with pytest.raises(InvalidStatus) as error:
            await TableSocket(address, table.pk, None).__aenter__()
    assert error.value.response.status_code == 429
