"""The connection of the channel layer to Redis, on a real server."""

import asyncio
from typing import Any

import pytest
import redis
import uvloop

from core.sockets.channel_layer import RedisChannelLayer, name_on_server
from core.sockets.redis_line import RedisLine
from tests.ports import find_free_port

LONG = bytes(range(256)) * 2_000  # with line ends; arrives in many pieces


async def ask(url, *commands):
    """Send all commands at once. Return their answers."""
    answers: list[Any] = []
    arrived = asyncio.Event()

    def take(answer):
        answers.append(answer)
        if len(answers) == len(commands):
            arrived.set()

    line = await RedisLine.open(url, take)
    line.send(*commands)
    await asyncio.wait_for(arrived.wait(), 5)
    line.close()
    return answers


def test_every_kind_of_answer_is_read_in_order(settings):
    commands = [
        [b"SET", b"a", LONG],
        [b"GET", b"a"],
        [b"GET", b"none"],
        [b"DEL", b"list"],
        [b"RPUSH", b"list", b"", b"\r\n", LONG],
        [b"LRANGE", b"list", b"0", b"-1"],
        [b"INCR", b"a"],
        [b"PING"],
        [b"DEL", b"a", b"list"],
    ]
    *found, refused, pong, deleted = asyncio.run(ask(settings.REDIS_URL, *commands))
    assert found == [b"OK", LONG, None, 0, 3, [b"", b"\r\n", LONG]]
    assert isinstance(refused, redis.ResponseError)
    assert (pong, deleted) == (b"PONG", 2)


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_it_signs_in_at_an_address(settings, run):
    server = redis.Redis.from_url(settings.REDIS_URL)
    server.execute_command("ACL", "SETUSER", "line", "reset", "on", ">se cret", "+@all", "~*")
    port = find_free_port()
    server.config_set("port", port)
    try:
        asking = ask(
            f"redis://line:se%20cret@127.0.0.1:{port}/3", [b"ACL", b"WHOAMI"], [b"CLIENT", b"INFO"]
        )
        who, client = run(asking)
        assert who == b"line"
        assert b" db=3 " in client
        with pytest.raises(redis.ResponseError, match="WRONGPASS"):
            run(ask(f"redis://line:wrong@127.0.0.1:{port}/3", [b"PING"]))
    finally:
        server.config_set("port", 0)
        server.execute_command("ACL", "DELUSER", "line")


def test_a_lost_connection_says_so_once_and_sends_no_more(settings):
    async def lose():
        answers: list[Any] = []
        lost = asyncio.Event()

        def take(answer):
            answers.append(answer)
            if isinstance(answer, Exception):
                lost.set()

        line = await RedisLine.open(settings.REDIS_URL, take)
        line.send([b"QUIT"])
        await asyncio.wait_for(lost.wait(), 5)
        line.send([b"PING"])
        line.close()
        return answers, line.is_lost

    (said, error), is_lost = asyncio.run(lose())
    assert (said, is_lost) == (b"OK", True)
    assert isinstance(error, ConnectionError)


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_a_message_that_nobody_can_read_does_not_end_the_subscriptions(settings, run, monkeypatch):
    monkeypatch.setattr("core.sockets.channel_layer.SECONDS_BETWEEN_TRIES", 0.05)
    name = "group.told"

    async def listen():
        layer = RedisChannelLayer([settings.REDIS_URL])
        other = RedisChannelLayer([settings.REDIS_URL])
        channel = await layer.new_channel()
        await layer.group_add(name, channel)
        redis.Redis.from_url(settings.REDIS_URL).publish(name_on_server(name), b"\xc1")
        hearing = asyncio.ensure_future(layer.receive(channel))
        for _ in range(100):
            await other.group_send(name, {"type": "told"})
            if (await asyncio.wait({hearing}, timeout=0.05))[0]:
                break
        told = hearing.result()
        for one in (layer, other):
            await one.flush()
        return told["type"]

    assert run(listen()) == "told"


def test_a_server_that_refuses_a_message_is_tried_again(settings, monkeypatch):
    """A refusal concerns only that message, so the connection is still used."""
    monkeypatch.setattr("core.sockets.channel_layer.SECONDS_BETWEEN_TRIES", 0.05)
    server = redis.Redis.from_url(settings.REDIS_URL)

    async def send():
        layer = RedisChannelLayer([settings.REDIS_URL])
        await layer.group_send("group", {"type": "told"})
        server.execute_command("ACL", "SETUSER", "default", "resetchannels")
        try:
            with pytest.raises(redis.ResponseError, match=r"permission|NOPERM|channel"):
                await layer.group_send("group", {"type": "told"})
        finally:
            server.execute_command("ACL", "SETUSER", "default", "allchannels")
        await asyncio.sleep(0.1)
        await layer.group_send("group", {"type": "told"})
        await layer.flush()

    asyncio.run(send())
