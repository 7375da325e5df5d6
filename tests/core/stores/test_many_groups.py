"""Thousands of sockets join and leave their groups at once, as after a lost server."""

import asyncio
from typing import Any, cast

import pytest
from channels.layers import get_channel_layer
from django.conf import settings as given
from redis import Redis
from redis.exceptions import RedisError

from config.settings import env
from tests.core.stores.valkeys import running_valkey

SOCKETS = 400


@pytest.fixture
def valkey(settings):
    """This process has the channel layer here."""
    with running_valkey() as server:
        url = env.redis_database(server.url, 0)
        layer = given.CHANNEL_LAYERS["default"]
        settings.CHANNEL_LAYERS = {"default": {**layer, "CONFIG": {"hosts": [url]}}}
        with Redis.from_url(url, decode_responses=True) as client:
            yield client


def calls(valkey, command):
    told = cast("dict[str, Any]", valkey.info("commandstats"))
    return int(told.get(f"cmdstat_{command}", {"calls": 0})["calls"])


def layer_and_names():
    layer: Any = get_channel_layer()
    return layer, [f"group-{number}" for number in range(SOCKETS)]


async def test_those_who_come_at_once_are_heard_after_few_commands(valkey):
    layer, names = layer_and_names()
    try:
        channels = [await layer.new_channel() for _ in names]
        await asyncio.gather(*map(layer.group_add, names, channels))
        assert len(valkey.pubsub_channels()) == SOCKETS
        assert calls(valkey, "subscribe") <= SOCKETS // 20
        for name in names:
            await layer.group_send(name, {"type": "told", "name": name})
        heard = [await asyncio.wait_for(layer.receive(channel), 5) for channel in channels]
        assert [message["name"] for message in heard] == names
        await asyncio.gather(*map(layer.group_discard, names, channels))
        assert valkey.pubsub_channels() == []
        assert calls(valkey, "unsubscribe") <= SOCKETS // 20
    finally:
        await layer.flush()


async def test_who_comes_while_another_goes_is_heard(valkey):
    """The last one of a group leaves it and the next one joins it, over and over, at one moment."""
    layer, names = layer_and_names()
    names = names[:20]
    try:
        old = [await layer.new_channel() for _ in names]
        await asyncio.gather(*map(layer.group_add, names, old))
        for _ in range(20):
            new = [await layer.new_channel() for _ in names]
            leaving = map(layer.group_discard, names, old)
            await asyncio.gather(*leaving, *map(layer.group_add, names, new))
            for name in names:
                await layer.group_send(name, {"type": "told", "name": name})
            heard = [await asyncio.wait_for(layer.receive(channel), 5) for channel in new]
            assert [message["name"] for message in heard] == names
            old = new
    finally:
        await layer.flush()


async def test_a_socket_that_is_cancelled_takes_nobody_along(valkey):
    """Of those who join at once, some are ended in the middle of it."""
    layer, names = layer_and_names()
    try:
        channels = [await layer.new_channel() for _ in names]
        joining = [
            asyncio.ensure_future(layer.group_add(name, channel))
            for name, channel in zip(names, channels, strict=True)
        ]
        await asyncio.sleep(0)
        for task in joining[:: SOCKETS // 10]:
            task.cancel()
        await asyncio.gather(*joining, return_exceptions=True)
        # Whose joining was cancelled leaves like anybody else.
        gone = set(names[:: SOCKETS // 10])
        for name, channel in zip(names, channels, strict=True):
            if name in gone:
                await layer.group_discard(name, channel)
        assert set(valkey.pubsub_channels()) == {
            f"asgi__group__{n}" for n in names if n not in gone
        }
    finally:
        await layer.flush()


async def test_messages_sent_at_one_moment_all_arrive_in_order(valkey):
    layer, _names = layer_and_names()
    try:
        channel = await layer.new_channel()
        await layer.group_add("all", channel)
        numbers = range(SOCKETS)
        await asyncio.gather(*(layer.group_send("all", {"type": "told", "n": n}) for n in numbers))
        heard = [(await asyncio.wait_for(layer.receive(channel), 5))["n"] for _ in numbers]
        assert heard == list(numbers)
    finally:
        await layer.flush()


async def test_who_is_ended_while_sending_takes_no_message_along(valkey):
    layer, _names = layer_and_names()
    try:
        channel = await layer.new_channel()
        await layer.group_add("all", channel)
        sending = [
            asyncio.ensure_future(layer.group_send("all", {"type": "told", "n": number}))
            for number in range(20)
        ]
        await asyncio.sleep(0)
        sending[0].cancel()  # it sends for all
        await asyncio.gather(*sending, return_exceptions=True)
        heard: set[int] = set()
        while heard < set(range(1, 20)):
            heard.add((await asyncio.wait_for(layer.receive(channel), 5))["n"])
    finally:
        await layer.flush()


async def test_without_redis_everybody_who_sends_is_told_so(valkey):
    """At once, but for the first: nobody waits for an answer that does not come."""
    layer, _names = layer_and_names()
    try:
        await layer.group_send("all", {"type": "told"})
        valkey.shutdown(nosave=True)
        for _ in range(2):
            found = await asyncio.wait_for(
                asyncio.gather(
                    *(layer.group_send("all", {"type": "told"}) for _ in range(SOCKETS)),
                    return_exceptions=True,
                ),
                10,
            )
            assert all(isinstance(one, RedisError | OSError) for one in found)
    finally:
        await layer.flush()
