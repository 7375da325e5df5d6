"""Which seats are online. Redis, best effort: without it nobody is shown as away.

Kept in Redis, a hash for each table: seat → "socket time". What the pings say is written by the
heartbeat (tables/live/version_watch.py), all at once. It decides nothing; the others see "reconnecting"
by it. Of several servers each has its tables and players; one that is away keeps nothing of the
others' back.
"""

import asyncio
import json
import logging
from collections.abc import Collection, Mapping, Sequence

from redis.exceptions import RedisError

from tables.live import presence_servers
from tables.live.presence_servers import by_server, in_parts, server_of
from tables.play import database_clock

logger = logging.getLogger(__name__)

# Browsers ping every 2.5 seconds, and the heartbeat writes that down every 2.
AWAY_AFTER_MS = 7_000
FORGOTTEN_AFTER_SECONDS = 60
# Any page of a player says every 25 seconds that it is open, one in the background once a minute.
PAGE_OPEN_SECONDS = 70

# Pings that are not written yet: table → seat → "socket time".
_heard: dict[int, dict[int, str]] = {}
# The hashes of many tables as one text: a thousand answers would cost Python 25 ms.
_READ_ALL = """
local found = {}
for number, key in ipairs(KEYS) do found[number] = redis.call('HGETALL', key) end
return cjson.encode(found)"""

close = presence_servers.close


def heard(table_id: int, seat: int, socket: str) -> None:
    """This seat's browser was heard of; others learn it when `write` is called."""
    _heard.setdefault(table_id, {})[seat] = f"{socket} {database_clock.now()}"


async def write(table_ids: Collection[int]) -> None:
    """Write down who was heard of at these tables."""
    pings = {table_id: _heard.pop(table_id) for table_id in table_ids if table_id in _heard}
    await asyncio.gather(*(
        _write(redis, {table_id: pings[table_id] for table_id in some})
        for redis, some in by_server(pings, _key)
    ))  # fmt: skip


async def _write(redis: presence_servers.Server, pings: Mapping[int, dict[int, str]]) -> None:
    try:
        async with redis.pipeline(transaction=False) as pipeline:
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
    redis = server_of(_key(table_id))
    try:
        noted = await redis.hget(_key(table_id), str(seat))
        if noted is not None and noted.startswith(f"{socket} "):
            await redis.hdel(_key(table_id), str(seat))
    except (RedisError, OSError) as error:
        logger.warning("table %s: parting not noted: %s", table_id, error)


async def present(table_ids: Collection[int]) -> Mapping[int, frozenset[int]]:
    """The seats of each of these tables that are here; without the tables whose server is away."""
    found = await asyncio.gather(*(
        in_parts(_present, redis, some) for redis, some in by_server(table_ids, _key)
    ))  # fmt: skip
    return {table_id: seats for one in found for table_id, seats in one.items()}


async def _present(
    redis: presence_servers.Server, table_ids: Sequence[int]
) -> Mapping[int, frozenset[int]]:
    keys = [_key(table_id) for table_id in table_ids]
    try:
        answers = json.loads(await redis.eval(_READ_ALL, len(keys), *keys))
    except (RedisError, OSError) as error:
        logger.warning("presence cannot be read: %s", error)
        return {}
    return {
        table_id: _seats_here(answer) if answer else frozenset()  # an empty list comes as {}
        for table_id, answer in zip(table_ids, answers, strict=True)
    }


async def note_page(user_id: int, *, is_open: bool = True) -> None:
    """A page of this player was heard of, or closed: another one that is open says so soon."""
    key = _page_key(user_id)
    redis = server_of(key)
    try:
        await (redis.set(key, 1, ex=PAGE_OPEN_SECONDS) if is_open else redis.delete(key))
    except (RedisError, OSError) as error:
        logger.warning("user %s: pages not noted: %s", user_id, error)


async def with_page(user_ids: Collection[int]) -> Mapping[int, bool]:
    """Whether a page of each is open, as far as is known; without those whose server is away."""
    found = await asyncio.gather(*(
        in_parts(_with_page, redis, some) for redis, some in by_server(user_ids, _page_key)
    ))  # fmt: skip
    return {user_id: is_open for one in found for user_id, is_open in one.items()}


async def _with_page(redis: presence_servers.Server, user_ids: Sequence[int]) -> Mapping[int, bool]:
    try:
        pages = await redis.mget([_page_key(user_id) for user_id in user_ids])
    except (RedisError, OSError) as error:
        logger.warning("open pages cannot be read: %s", error)
        return {}
    return {user: page is not None for user, page in zip(user_ids, pages, strict=True)}


def _seats_here(answer: Sequence[str]) -> frozenset[int]:
    """Of a hash as Redis lists it: a seat, what was noted of it, the next seat …"""
    earliest = database_clock.now() - AWAY_AFTER_MS
    pairs = zip(answer[::2], answer[1::2], strict=True)
    return frozenset(int(seat) for seat, noted in pairs if int(noted.rpartition(" ")[2]) > earliest)


def _key(table_id: int) -> str:
    return f"presence:{table_id}"


def _page_key(user_id: int) -> str:
    return f"page:{user_id}"
