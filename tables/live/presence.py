"""Which seats are online. Redis, best effort: without it nobody is shown as away.

Kept in Redis, a hash for each table: seat → "socket time". What the pings say is written by the
heartbeat (tables/live/version_watch.py), all at once. It decides nothing; the others see "away"
by it. Of several servers each has its tables and players; one that is away keeps nothing of the
others' back.
"""

import asyncio
import json
import logging
import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from redis.exceptions import RedisError

from games.engine.base import Instant
from tables.live import presence_servers
from tables.live.gathered import Gathered
from tables.live.presence_servers import by_server, in_parts

logger = logging.getLogger(__name__)

# Browsers ping every 2.5 seconds, and the heartbeat writes that down every 2.
AWAY_AFTER_MS = 7_000
FORGOTTEN_AFTER_SECONDS = 60

# Pings that are not written yet: table → seat → "socket time".
_heard: dict[int, dict[int, str]] = {}
# The hashes of many tables as one text: a thousand answers would cost Python 25 ms.
_READ_ALL = """
local found = {}
for number, key in ipairs(KEYS) do found[number] = redis.call('HGETALL', key) end
return cjson.encode(found)"""
# Of each key a seat and the socket that has left it.
_PART = """
for number, key in ipairs(KEYS) do
  local seat, socket = ARGV[2 * number - 1], ARGV[2 * number] .. ' '
  local noted = redis.call('HGET', key, seat)
  if noted and noted:sub(1, #socket) == socket then redis.call('HDEL', key, seat) end
end"""

close = presence_servers.close

_clock_offset = 0


def note_database_time(now: Instant) -> None:
    """Measure how far this process's clock differs from the database's, whose time was just read."""
    global _clock_offset  # noqa: PLW0603 - one measurement for the whole process
    _clock_offset = now - time.time_ns() // 1_000_000


def database_time() -> Instant:
    """Return the database's time without asking it: deadlines are compared by that clock only.

    The heartbeat of this process measures the difference (tables/live/version_watch.py).
    """
    return time.time_ns() // 1_000_000 + _clock_offset


def heard(table_id: int, seat: int, socket: str) -> None:
    """This seat's browser was heard of; others learn it when `write` is called."""
    _heard.setdefault(table_id, {})[seat] = f"{socket} {database_time()}"


async def write(table_ids: Collection[int]) -> None:
    """Write down who was heard of at these tables."""
    if heard_of := _heard.keys() & table_ids:
        await _writing.do(heard_of)


async def gone(table_id: int, seat: int, socket: str) -> None:
    """This socket has closed; another one of the same seat keeps it present."""
    unwritten = _heard.get(table_id, {})
    if unwritten.get(seat, "").startswith(f"{socket} "):
        del unwritten[seat]
        if not unwritten:
            del _heard[table_id]
    await _parting.do([(table_id, seat, socket)])


async def _write_all(table_ids: Collection[int]) -> None:
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


async def _part_all(partings: Collection[tuple[int, int, str]]) -> None:
    by_table: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    for table_id, seat, socket in partings:
        by_table[table_id].append((seat, socket))
    await asyncio.gather(*(
        in_parts(partial(_part, by_table), redis, some) for redis, some in by_server(by_table, _key)
    ))  # fmt: skip


async def _part(
    by_table: Mapping[int, Sequence[tuple[int, str]]],
    redis: presence_servers.Server,
    table_ids: Sequence[int],
) -> Mapping[int, None]:
    left = [(_key(table_id), *one) for table_id in table_ids for one in by_table[table_id]]
    try:
        said = [word for _table, *words in left for word in words]
        await redis.eval(_PART, len(left), *(key for key, *_ in left), *said)
    except (RedisError, OSError) as error:
        logger.warning("partings not noted: %s", error)
    return {}


_writing = Gathered(_write_all)
_parting = Gathered(_part_all)


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


def _seats_here(answer: Sequence[str]) -> frozenset[int]:
    """Return the seats present in a hash as Redis lists it: a seat, its note, the next seat …"""
    earliest = database_time() - AWAY_AFTER_MS
    pairs = zip(answer[::2], answer[1::2], strict=True)
    return frozenset(int(seat) for seat, noted in pairs if int(noted.rpartition(" ")[2]) > earliest)


def _key(table_id: int) -> str:
    return f"presence:{table_id}"
