"""Connected seats and open pages, best effort. Without Redis no seat is shown as absent.

Redis holds a hash for each table. It maps each seat to "socket time": the seat's socket, and the time of its last sign
of life. The heartbeat (tables/live/heartbeat.py) writes all signs of life at once. No rule depends on presence; other
players only see "away".
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from asgiref.sync import async_to_sync
from django.conf import settings
from redis.asyncio import BlockingConnectionPool, Redis
from redis.exceptions import RedisError

from games.engine.base import Instant

logger = logging.getLogger(__name__)

Item = TypeVar("Item", bound=Hashable)


@dataclass(slots=True)
class _Waiting(Generic[Item]):
    """The requests that wait in one event loop."""

    items: set[Item] = field(default_factory=set)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Gathered(Generic[Item]):
    """Batches requests.

    `work` is called with all requests that arrived while it was busy, and handles its own failures.
    """

    def __init__(self, work: Callable[[Collection[Item]], Awaitable[None]]) -> None:
        self._work = work
        self._waiting: WeakKeyDictionary[asyncio.AbstractEventLoop, _Waiting[Item]]
        self._waiting = WeakKeyDictionary()

    async def do(self, items: Collection[Item]) -> None:
        """Wait until these items are handled, in this caller's batch or in another caller's."""
        waiting = self._waiting.setdefault(asyncio.get_running_loop(), _Waiting())
        waiting.items.update(items)
        async with waiting.turn:
            if waiting.items.isdisjoint(items):
                return
            taken, waiting.items = waiting.items, set()
            try:
                await self._work(taken)
            except asyncio.CancelledError:
                waiting.items |= taken  # for the next caller that waits for them
                raise


# The heartbeat of all sockets waits for this answer.
SECONDS_TO_ANSWER = 1
# Keys per command. Redis serves no other client while a command runs.
ASKED_AT_ONCE = 500

Known = TypeVar("Known")
Server = Any  # redis.asyncio.Redis, whose type hints do not cover decoded answers

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Server] = WeakKeyDictionary()


def _make_client() -> Server:
    loop = asyncio.get_running_loop()
    if loop not in _clients:
        # Wait for a free connection: many sockets may close at once.
        pool = BlockingConnectionPool.from_url(
            settings.PRESENCE_REDIS_URL,
            max_connections=10,
            timeout=SECONDS_TO_ANSWER,
            socket_timeout=SECONDS_TO_ANSWER,
            socket_connect_timeout=SECONDS_TO_ANSWER,
            decode_responses=True,
        )
        _clients[loop] = Redis(connection_pool=pool)
    return _clients[loop]


async def close() -> None:
    """Close the Redis client of this event loop before the loop ends."""
    client = _clients.pop(asyncio.get_running_loop(), None)
    if client is not None:
        await client.aclose(close_connection_pool=True)


async def _ask_in_parts(
    ask: Callable[[Sequence[int]], Awaitable[Mapping[int, Known]]], numbers: Collection[int]
) -> Mapping[int, Known]:
    found: dict[int, Known] = {}
    for some in _split_into_parts(numbers):
        found |= await ask(some)
    return found


def _split_into_parts(asked: Collection[Item]) -> Iterator[list[Item]]:
    """Split the keys into batches that are small enough for one command."""
    items = list(asked)
    for start in range(0, len(items), ASKED_AT_ONCE):
        yield items[start : start + ASKED_AT_ONCE]


# A page reports every 25 seconds that it is open, a page in the background once a minute.
PAGE_OPEN_SECONDS = 70


# A player who opens another page within this time has not been away.
AWAY_AT_LEAST_SECONDS = 300


# For pages that show no table.
_NO_TABLE = 0
# Delete the key only if no newer page has replaced this one.
_CLOSE = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end"


async def record_page(user_id: int, *, table_id: int | None = None, is_open: bool = True) -> bool:
    """Record that a page of this player is open or has closed, and the table that it shows.

    If another page is still open, it soon reports itself. Return whether the player has just come online; without Redis
    always False.
    """
    key = _page_key(user_id)
    try:
        if not is_open:
            await _make_client().eval(_CLOSE, 1, key, table_id or _NO_TABLE)
            return False
        async with _make_client().pipeline(transaction=False) as pipeline:
            pipeline.set(key, table_id or _NO_TABLE, ex=PAGE_OPEN_SECONDS)
            pipeline.set(f"{key}:came", 1, ex=AWAY_AT_LEAST_SECONDS, get=True)
            _noted, was_here = await pipeline.execute()
    except (RedisError, OSError) as error:
        logger.warning("user %s: pages not noted: %s", user_id, error)
        return False
    return was_here is None


async def with_page(user_ids: Collection[int]) -> Mapping[int, bool]:
    """Return whether each user has a page open. Without Redis the result is empty."""
    pages = await _find_pages(user_ids)
    return {user_id: page is not None for user_id, page in pages.items()}


async def _find_pages(user_ids: Collection[int]) -> Mapping[int, int | None]:
    """Return the table that each user's latest page shows: `_NO_TABLE` for other pages, None without an open page."""
    return await _ask_in_parts(_read_pages, user_ids)


def with_page_now(user_ids: Collection[int]) -> Mapping[int, bool]:
    """Call `with_page` from a thread without an event loop, as pages and jobs do."""

    async def ask() -> Mapping[int, bool]:
        try:
            return await with_page(user_ids)
        finally:
            await close()

    return async_to_sync(ask)()


async def _read_pages(user_ids: Sequence[int]) -> Mapping[int, int | None]:
    try:
        pages = await _make_client().mget([_page_key(user_id) for user_id in user_ids])
    except (RedisError, OSError) as error:
        logger.warning("open pages cannot be read: %s", error)
        return {}
    return {
        user: None if page is None else int(page)
        for user, page in zip(user_ids, pages, strict=True)
    }


def _page_key(user_id: int) -> str:
    return f"page:{user_id}"


# Spectators are counted in periods of this length; each process adds its own once.
_COUNTED_MS = 10_000


def count_begins_at() -> Instant:
    """Return the start of the current counting period."""
    return estimate_database_time() // _COUNTED_MS * _COUNTED_MS


async def add_spectators(begins_at: Instant, counts: Mapping[int, int]) -> None:
    """Add this process's spectators to the count of each table. Called once per period."""
    key = _spectators_key(begins_at)
    try:
        async with _make_client().pipeline(transaction=False) as pipeline:
            for table_id, count in counts.items():
                pipeline.hincrby(key, str(table_id), count)
            pipeline.pexpire(key, 4 * _COUNTED_MS)
            await pipeline.execute()
    except (RedisError, OSError) as error:
        logger.warning("spectators not counted: %s", error)


def count_spectators_now(table_ids: Sequence[int]) -> Mapping[int, int]:
    """Return the number of spectators of these tables at the last complete count; for threads without an event loop.

    Tables without spectators are left out. Without Redis the result is empty.
    """
    if not table_ids:
        return {}

    async def ask() -> Mapping[int, int]:
        key = _spectators_key(count_begins_at() - _COUNTED_MS)
        try:
            found = await _make_client().hmget(key, [str(table_id) for table_id in table_ids])
        except (RedisError, OSError) as error:
            logger.warning("spectators cannot be read: %s", error)
            return {}
        finally:
            await close()
        return {table: int(count) for table, count in zip(table_ids, found, strict=True) if count}

    return async_to_sync(ask)()


def _spectators_key(begins_at: Instant) -> str:
    return f"spectators:{begins_at}"


# Browsers ping every 2.5 seconds, and the heartbeat stores that every 2.
AWAY_AFTER_MS = 7_000
FORGOTTEN_AFTER_SECONDS = 60

# Pings that are not stored yet: table → seat → "socket time".
_heard: dict[int, dict[int, str]] = {}
# Return the hashes of many tables as one text: a thousand answers would cost Python 25 ms.
_READ_ALL = """
local found = {}
for number, key in ipairs(KEYS) do found[number] = redis.call('HGETALL', key) end
return cjson.encode(found)"""
# For each key, a seat and the socket that has left it.
_PART = """
for number, key in ipairs(KEYS) do
  local seat, socket = ARGV[2 * number - 1], ARGV[2 * number] .. ' '
  local noted = redis.call('HGET', key, seat)
  if noted and noted:sub(1, #socket) == socket then redis.call('HDEL', key, seat) end
end"""

_clock_offset = 0


def record_database_time(now: Instant) -> None:
    """Record the difference between this process's clock and the database's time, which was just read."""
    global _clock_offset  # noqa: PLW0603 - one measurement for the whole process
    _clock_offset = now - time.time_ns() // 1_000_000


def estimate_database_time() -> Instant:
    """Estimate the database's time without a query. Deadlines are compared only with the database's clock.

    The heartbeat of this process measures the difference (tables/live/heartbeat.py).
    """
    return time.time_ns() // 1_000_000 + _clock_offset


def record_heard(table_id: int, seat: int, socket: str) -> None:
    """Record a sign of life from this seat's browser. `write` sends it to Redis, where other processes see it."""
    _heard.setdefault(table_id, {})[seat] = f"{socket} {estimate_database_time()}"


async def write(table_ids: Collection[int]) -> None:
    """Write the recorded signs of life of these tables to Redis."""
    if heard_of := _heard.keys() & table_ids:
        await _writing.do(heard_of)


async def record_gone(table_id: int, seat: int, socket: str) -> None:
    """Record that this socket has closed. Another socket of the same seat keeps the seat connected."""
    unwritten = _heard.get(table_id, {})
    if unwritten.get(seat, "").startswith(f"{socket} "):
        del unwritten[seat]
        if not unwritten:
            del _heard[table_id]
    await _parting.do([(table_id, seat, socket)])


async def _write_all(table_ids: Collection[int]) -> None:
    pings = {table_id: _heard.pop(table_id) for table_id in table_ids if table_id in _heard}
    try:
        async with _make_client().pipeline(transaction=False) as pipeline:
            for table_id, noted in pings.items():
                pipeline.hset(
                    _presence_key(table_id), mapping={str(s): n for s, n in noted.items()}
                )
                pipeline.expire(_presence_key(table_id), FORGOTTEN_AFTER_SECONDS)
            await pipeline.execute()
    except (RedisError, OSError) as error:
        logger.warning("presence not noted: %s", error)


async def _part_all(partings: Collection[tuple[int, int, str]]) -> None:
    try:
        for some in _split_into_parts(partings):
            keys = [_presence_key(table_id) for table_id, _seat, _socket in some]
            said = [word for _table, *words in some for word in words]
            await _make_client().eval(_PART, len(keys), *keys, *said)
    except (RedisError, OSError) as error:
        logger.warning("partings not noted: %s", error)


_writing = Gathered(_write_all)
_parting = Gathered(_part_all)


@dataclass(frozen=True, slots=True)
class TablePresence:
    """The seats of a table whose browsers are connected, and those whose players are on another page of the site."""

    seats: frozenset[int]
    elsewhere: frozenset[int] = frozenset()


async def on_other_pages(
    missing: Mapping[int, Mapping[int, int]],
) -> Mapping[int, frozenset[int]]:
    """Return a mapping from each table to the seats whose players have a page open that does not show this table.

    `missing` maps each table to its unconnected seats, and each of these seats to the id of its player.
    """
    pages = await _find_pages({user for seats in missing.values() for user in seats.values()})
    return {
        table: frozenset(
            seat for seat, user in seats.items() if pages.get(user) not in (None, table)
        )
        for table, seats in missing.items()
    }


async def present(table_ids: Collection[int]) -> Mapping[int, frozenset[int]]:
    """Return the connected seats of each of these tables. Without Redis the result is empty."""
    return await _ask_in_parts(_present, table_ids)


async def _present(table_ids: Sequence[int]) -> Mapping[int, frozenset[int]]:
    keys = [_presence_key(table_id) for table_id in table_ids]
    try:
        answers = json.loads(await _make_client().eval(_READ_ALL, len(keys), *keys))
    except (RedisError, OSError) as error:
        logger.warning("presence cannot be read: %s", error)
        return {}
    return {
        table_id: _filter_present_seats(answer)
        if answer
        else frozenset()  # an empty list comes as {}
        for table_id, answer in zip(table_ids, answers, strict=True)
    }


def _filter_present_seats(answer: Sequence[str]) -> frozenset[int]:
    """Return the seats with a recent sign of life.

    `answer` is a Redis hash in flat form: a seat, its value, the next seat …
    """
    earliest = estimate_database_time() - AWAY_AFTER_MS
    pairs = zip(answer[::2], answer[1::2], strict=True)
    return frozenset(int(seat) for seat, noted in pairs if int(noted.rpartition(" ")[2]) > earliest)


def _presence_key(table_id: int) -> str:
    return f"presence:{table_id}"
