"""The channel layers on Redis and on NATS, with many sockets that join and leave at once."""

import asyncio
import gc
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from typing import Any, cast

import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from core.page_notices import PageNotifier, notify_pages
from core.sockets.channel_layer import RedisChannelLayer
from tests.core.sockets.hubs import KINDS, RedisHub, run_hub, tell_by
from tests.workers import wait_until

SOCKETS = 400
NAMES = [f"group-{number}" for number in range(SOCKETS)]


@pytest.fixture(params=KINDS)
def hub(request, settings):
    """A running server that this process uses for its channel layer."""
    with run_hub(request.param) as running, tell_by(running.layers, settings):
        yield running


@pytest.fixture
async def layer(hub):
    layer: Any = get_channel_layer()
    yield layer
    await layer.flush()


def calls(hub, command):
    told = cast("dict[str, Any]", hub.valkey._client().info("commandstats"))
    return int(told.get(f"cmdstat_{command}", {"calls": 0})["calls"])


async def test_subscribers_that_join_at_once_all_receive(hub, layer):
    channels = [await layer.new_channel() for _ in NAMES]
    await asyncio.gather(*map(layer.group_add, NAMES, channels))
    assert len(hub.names()) == SOCKETS
    for name in NAMES:
        await layer.group_send(name, {"type": "told", "name": name})
    heard = [await asyncio.wait_for(layer.receive(channel), 5) for channel in channels]
    assert [message["name"] for message in heard] == NAMES
    await asyncio.gather(*map(layer.group_discard, NAMES, channels))
    await asyncio.to_thread(wait_until, lambda: hub.names() == set(), seconds=5)
    if isinstance(hub, RedisHub):  # commands are batched
        assert calls(hub, "subscribe") <= SOCKETS // 20
        assert calls(hub, "unsubscribe") <= SOCKETS // 20


async def test_a_subscriber_joining_while_another_leaves_receives(hub, layer):
    """The last member of a group leaves at the moment at which a new one joins, again and again."""
    names = NAMES[:20]
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


async def test_a_cancelled_subscriber_does_not_harm_others(hub, layer):
    """Many subscribers join at once, and some are cancelled while joining."""
    channels = [await layer.new_channel() for _ in NAMES]
    joining = [
        asyncio.ensure_future(layer.group_add(name, channel))
        for name, channel in zip(NAMES, channels, strict=True)
    ]
    await asyncio.sleep(0)
    for task in joining[:: SOCKETS // 10]:
        task.cancel()
    await asyncio.gather(*joining, return_exceptions=True)
    # A cancelled subscriber leaves its group like any other.
    gone = set(NAMES[:: SOCKETS // 10])
    for name, channel in zip(NAMES, channels, strict=True):
        if name in gone:
            await layer.group_discard(name, channel)
    left = {f"group.{name}" for name in NAMES if name not in gone}
    await asyncio.to_thread(wait_until, lambda: hub.names() == left, seconds=5)


async def test_messages_sent_at_one_moment_all_arrive_in_order(hub, layer):
    channel = await layer.new_channel()
    await layer.group_add("all", channel)
    numbers = range(SOCKETS)
    await asyncio.gather(*(layer.group_send("all", {"type": "told", "n": n}) for n in numbers))
    heard = [(await asyncio.wait_for(layer.receive(channel), 5))["n"] for _ in numbers]
    assert heard == list(numbers)


async def test_a_sender_cancelled_while_sending_loses_no_message(hub, layer):
    channel = await layer.new_channel()
    await layer.group_add("all", channel)
    sending = [
        asyncio.ensure_future(layer.group_send("all", {"type": "told", "n": number}))
        for number in range(20)
    ]
    await asyncio.sleep(0)
    sending[0].cancel()  # the first task sends the batch for all
    await asyncio.gather(*sending, return_exceptions=True)
    heard: set[int] = set()
    while heard < set(range(1, 20)):
        heard.add((await asyncio.wait_for(layer.receive(channel), 5))["n"])


async def test_every_sender_is_told_of_an_unreachable_server(hub, layer):
    """After the first failure, senders get the error at once instead of waiting for an answer."""
    await layer.group_send("all", {"type": "told"})
    await asyncio.to_thread(hub.stop)
    for _ in range(2):
        found = await asyncio.wait_for(
            asyncio.gather(
                *(layer.group_send("all", {"type": "told"}) for _ in range(SOCKETS)),
                return_exceptions=True,
            ),
            10,
        )
        assert all(isinstance(one, RedisError | OSError) for one in found)


async def test_subscriptions_made_during_an_outage_receive_after_it(hub, layer):
    """After a reconnect, the server has the groups joined before and during the outage, and not those left."""
    before, left, meanwhile = NAMES[:3]
    channel = await layer.new_channel()
    await layer.group_add(before, channel)
    await layer.group_add(left, channel)
    await asyncio.to_thread(hub.stop)
    async with asyncio.timeout(3):  # joining and leaving must not wait for the server
        await layer.group_add(meanwhile, channel)
        await layer.group_discard(left, channel)
    await asyncio.to_thread(hub.start)
    wanted = {f"group.{name}" for name in (before, meanwhile)}
    await asyncio.to_thread(wait_until, lambda: hub.names() == wanted, seconds=5)
    for name in (before, meanwhile):
        await layer.group_send(name, {"type": "told", "name": name})
    heard = [await asyncio.wait_for(layer.receive(channel), 5) for _ in range(2)]
    assert [message["name"] for message in heard] == [before, meanwhile]


def test_code_without_an_event_loop_can_send(hub):
    """Synchronous code sends in a temporary event loop, which ends with its connection after the message."""

    async def listen(ready):
        layer: Any = get_channel_layer()
        try:
            channel = await layer.new_channel()
            await layer.group_add("user.7", channel)
            ready.set()
            first = await asyncio.wait_for(layer.receive(channel), 5)
            second = await asyncio.wait_for(layer.receive(channel), 5)
            return first["message"], second["message"]
        finally:
            await layer.flush()

    with ThreadPoolExecutor(1) as threads:
        ready = Event()
        listening = threads.submit(asyncio.run, listen(ready))
        assert ready.wait(10)
        async_to_sync(notify_pages)(7, {"type": "first"})
        PageNotifier().take([7, 8], "second")
        assert listening.result(15) == ({"type": "first"}, {"type": "second"})


def test_the_last_tasks_of_an_event_loop_open_no_connection(hub):
    """A socket that is cancelled with its loop sends a last message after the connection was closed."""
    layer: Any = get_channel_layer()
    loops, sockets = [], []

    async def hold_a_socket():
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.05)  # by now the connection is closed
            with suppress(RedisError, OSError):
                await layer.group_send("group", {"type": "told"})
            await asyncio.sleep(0.05)

    async def run():
        loops.append(asyncio.get_running_loop())
        await layer.group_send("group", {"type": "told"})
        sockets.append(asyncio.create_task(hold_a_socket()))
        await asyncio.sleep(0)

    asyncio.run(run())
    assert asyncio.all_tasks(loops[0]) == set()


def test_an_idle_connection_goes_on_without_its_layer(settings):
    async def publish_and_drop():
        layer = RedisChannelLayer([settings.REDIS_URL])
        await layer.group_send("group", {"type": "told"})
        kept = asyncio.all_tasks() - {asyncio.current_task()}
        names = {task.get_name() for task in kept}
        del layer, kept
        gc.collect()
        return names, {task.get_name() for task in asyncio.all_tasks()}

    before, after = asyncio.run(publish_and_drop())
    assert before
    assert before <= after
