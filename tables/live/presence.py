"""Which seats are online. Redis, best effort: without it nobody is shown as away.

Kept in Redis, a hash for each table: seat → "socket time". What the pings say is written by the
heartbeat (tables/live/version_watch.py), all at once. It decides nothing; the others see "reconnecting"
by it.
"""

import asyncio
import json
import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from redis.asyncio import BlockingConnectionPool, Redis
from redis.exceptions import RedisError

from tables.play import database_clock

logger = logging.getLogger(__name__)

# Browsers ping every 2.5 seconds, and the heartbeat writes that down every 2.
AWAY_AFTER_MS = 7_000
FORGOTTEN_AFTER_SECONDS = 60
# Any page of a player says every 25 seconds that it is open, one in the background once a minute.
PAGE_OPEN_SECONDS = 70
# The heartbeat of all sockets waits for this.
SECONDS_TO_ANSWER = 1

# Pings that are not written yet: table → seat → "socket time".
_heard: dict[int, dict[int, str]] = {}
# The hashes of many tables as one text: a thousand answers would cost Python 25 ms.
_READ_ALL = """
local found = {}
for number, key in ipairs(KEYS) do found[number] = redis.call('HGETALL', key) end
return cjson.encode(found)"""

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()


def heard(table_id: int, seat: int, socket: str) -> None:
    """This seat's browser was heard of; others learn it when `write` is called."""
    _heard.setdefault(table_id, {})[seat] = f"{socket} {database_clock.now()}"


async def write(table_ids: Collection[int]) -> None:
    """Write down who was heard of at these tables."""
    pings = {table_id: _heard.pop(table_id) for table_id in table_ids if table_id in _heard}
    if not pings:
        return
    try:
        async with _redis().pipeline(transaction=False) as pipeline:
            for table_id, noted in pings.items():
                pipeline.hset(_key(table_id), mapping={str(s): n for s, n in noted.items()})
                pipeline.expire(_key(table_id), FORGOTTEN_AFTER_SECONDS)
            await pipeline.execute()
    except (RedisError, OSError) as error:
        logger.warning("presence not noted: %s", error)


async def gone(table_id: int, seat: int, socket: str) -> None:
    """This socket has closed; another one of the same seat keeps it present."""
    unwritten = _heard.get(table_id, {})
    if unwritten.get(seat, "").startswith(f"{socket} "):
        del unwritten[seat]
        if not unwritten:
            del _heard[table_id]
    try:
        noted = await _redis().hget(_key(table_id), str(seat))
        if noted is not None and noted.startswith(f"{socket} "):
            await _redis().hdel(_key(table_id), str(seat))
    except (RedisError, OSError) as error:
        logger.warning("table %s: parting not noted: %s", table_id, error)


async def present(table_ids: Collection[int]) -> Mapping[int, frozenset[int]]:
    """The seats of each of these tables that are here; empty if Redis cannot be asked."""
    if not table_ids:
        return {}
    keys = [_key(table_id) for table_id in table_ids]
    try:
        answers = json.loads(await _redis().eval(_READ_ALL, len(keys), *keys))
    except (RedisError, OSError) as error:
        logger.warning("presence cannot be read: %s", error)
        return {}
    return {
        table_id: _seats_here(answer) if answer else frozenset()  # an empty list comes as {}
        for table_id, answer in zip(table_ids, answers, strict=True)
    }


async def note_page(user_id: int, *, is_open: bool = True) -> None:
    """A page of this player was heard of, or closed: another one that is open says so soon."""
    key = f"page:{user_id}"
    try:
        await (_redis().set(key, 1, ex=PAGE_OPEN_SECONDS) if is_open else _redis().delete(key))
    except (RedisError, OSError) as error:
        logger.warning("user %s: pages not noted: %s", user_id, error)


async def with_page(user_ids: Sequence[int]) -> frozenset[int] | None:
    """Those of whom a page is open, as far as is known; None if Redis cannot be asked."""
    try:
        pages = await _redis().mget([f"page:{user_id}" for user_id in user_ids])
    except (RedisError, OSError) as error:
        logger.warning("open pages cannot be read: %s", error)
        return None
    return frozenset(user for user, page in zip(user_ids, pages, strict=True) if page is not None)


def _seats_here(answer: Sequence[str]) -> frozenset[int]:
    """Of a hash as Redis lists it: a seat, what was noted of it, the next seat …"""
    earliest = database_clock.now() - AWAY_AFTER_MS
    pairs = zip(answer[::2], answer[1::2], strict=True)
    return frozenset(int(seat) for seat, noted in pairs if int(noted.rpartition(" ")[2]) > earliest)


def _key(table_id: int) -> str:
    return f"presence:{table_id}"


def _redis() -> Any:
    """The client of this event loop."""
    loop = asyncio.get_running_loop()
    client = _clients.get(loop)
    if client is None:
        # Waits for a free connection: many sockets may close at once.
        pool = BlockingConnectionPool.from_url(
            settings.PRESENCE_REDIS_URL,
            max_connections=10,
            timeout=SECONDS_TO_ANSWER,
            socket_timeout=SECONDS_TO_ANSWER,
            socket_connect_timeout=SECONDS_TO_ANSWER,
            decode_responses=True,
        )
        client = Redis(connection_pool=pool)
        _clients[loop] = client
    return client


async def close() -> None:
    """Close this event loop's client, for a loop that is about to end."""
    client = _clients.pop(asyncio.get_running_loop(), None)
    if client is not None:
        await client.aclose(close_connection_pool=True)
