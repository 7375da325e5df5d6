"""The clients of an event loop to the servers that keep who is online."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from django.conf import settings
from redis.asyncio import BlockingConnectionPool, Redis

# The heartbeat of all sockets waits for this.
SECONDS_TO_ANSWER = 1
# Of a server by one command: while it answers, everybody else waits.
ASKED_AT_ONCE = 500

Known = TypeVar("Known")
Server = Any  # redis.asyncio.Redis, whose own types know no answer that is decoded

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Server]] = WeakKeyDictionary()


def server_of(key: str) -> Server:
    """Return the server that holds this key."""
    return _client(settings.PRESENCE_REDIS_URLS.of(key))


def by_server(numbers: Iterable[int], key: Callable[[int], str]) -> list[tuple[Server, list[int]]]:
    """Tables or players with the server that has their keys."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for number in numbers:
        found[settings.PRESENCE_REDIS_URLS.of(key(number))].append(number)
    return [(_client(url), some) for url, some in found.items()]


def _client(url: str) -> Server:
    clients = _clients.setdefault(asyncio.get_running_loop(), {})
    if url not in clients:
        # Waits for a free connection: many sockets may close at once.
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=10,
            timeout=SECONDS_TO_ANSWER,
            socket_timeout=SECONDS_TO_ANSWER,
            socket_connect_timeout=SECONDS_TO_ANSWER,
            decode_responses=True,
        )
        clients[url] = Redis(connection_pool=pool)
    return clients[url]


async def close() -> None:
    """Close this event loop's clients, for a loop that is about to end."""
    for client in _clients.pop(asyncio.get_running_loop(), {}).values():
        await client.aclose(close_connection_pool=True)


async def in_parts(
    ask: Callable[[Server, Sequence[int]], Awaitable[Mapping[int, Known]]],
    redis: Server,
    numbers: Sequence[int],
) -> Mapping[int, Known]:
    """Ask one server for some numbers at a time."""
    found: dict[int, Known] = {}
    for start in range(0, len(numbers), ASKED_AT_ONCE):
        found |= await ask(redis, numbers[start : start + ASKED_AT_ONCE])
    return found
