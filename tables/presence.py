"""Who is at the table now: seats whose browser has been heard of in the last seconds.

Kept in Redis, a hash for each table: seat → "socket time", written at every ping. It decides
nothing; the others see "reconnecting" by it. Without Redis nobody is shown as away.
"""

import asyncio
import logging
from collections.abc import Collection, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from redis.asyncio import Redis
from redis.exceptions import RedisError

from tables import database_clock

logger = logging.getLogger(__name__)

# Browsers ping every 2.5 seconds.
AWAY_AFTER_MS = 7_000
FORGOTTEN_AFTER_SECONDS = 60

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()


async def seen(table_id: int, seat: int, socket: str) -> None:
    """This seat's browser was heard of."""
    try:
        async with _redis().pipeline(transaction=False) as pipeline:
            pipeline.hset(_key(table_id), str(seat), f"{socket} {database_clock.now()}")
            pipeline.expire(_key(table_id), FORGOTTEN_AFTER_SECONDS)
            await pipeline.execute()
    except (RedisError, OSError) as error:
        logger.warning("table %s: presence not noted: %s", table_id, error)


async def gone(table_id: int, seat: int, socket: str) -> None:
    """This socket has closed; another one of the same seat keeps it present."""
    try:
        noted = await _redis().hget(_key(table_id), str(seat))
        if noted is not None and noted.startswith(f"{socket} "):
            await _redis().hdel(_key(table_id), str(seat))
    except (RedisError, OSError) as error:
        logger.warning("table %s: parting not noted: %s", table_id, error)


async def present(table_ids: Collection[int]) -> Mapping[int, frozenset[int]]:
    """The seats of each of these tables that are here; empty if Redis cannot be asked."""
    try:
        async with _redis().pipeline(transaction=False) as pipeline:
            for table_id in table_ids:
                pipeline.hgetall(_key(table_id))
            answers = await pipeline.execute()
    except (RedisError, OSError) as error:
        logger.warning("presence cannot be read: %s", error)
        return {}
    return {
        table_id: frozenset(int(seat) for seat, noted in answer.items() if _is_recent(noted))
        for table_id, answer in zip(table_ids, answers, strict=True)
    }


def _is_recent(noted: str) -> bool:
    return database_clock.now() - int(noted.rpartition(" ")[2]) < AWAY_AFTER_MS


def _key(table_id: int) -> str:
    return f"presence:{table_id}"


def _redis() -> Any:
    """The client of this event loop."""
    loop = asyncio.get_running_loop()
    client = _clients.get(loop)
    if client is None:
        client = Redis.from_url(settings.PRESENCE_REDIS_URL, decode_responses=True)
        _clients[loop] = client
    return client
