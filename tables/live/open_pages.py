"""The players with an open page anywhere on the site. In Redis, best effort, as presence is."""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence

from redis.exceptions import RedisError

from tables.live import presence_servers
from tables.live.presence_servers import by_server, in_parts, server_of

logger = logging.getLogger(__name__)

# A page says every 25 seconds that it is open, one in the background once a minute.
PAGE_OPEN_SECONDS = 70


async def note_page(user_id: int, *, is_open: bool = True) -> None:
    """A page of this player was heard of, or closed: another one that is open says so soon."""
    key = _key(user_id)
    redis = server_of(key)
    try:
        await (redis.set(key, 1, ex=PAGE_OPEN_SECONDS) if is_open else redis.delete(key))
    except (RedisError, OSError) as error:
        logger.warning("user %s: pages not noted: %s", user_id, error)


async def with_page(user_ids: Collection[int]) -> Mapping[int, bool]:
    """Return whether each user has a page open, as far as known. Users whose server is away are left out."""
    found = await asyncio.gather(*(
        in_parts(_with_page, redis, some) for redis, some in by_server(user_ids, _key)
    ))  # fmt: skip
    return {user_id: is_open for one in found for user_id, is_open in one.items()}


async def _with_page(redis: presence_servers.Server, user_ids: Sequence[int]) -> Mapping[int, bool]:
    try:
        pages = await redis.mget([_key(user_id) for user_id in user_ids])
    except (RedisError, OSError) as error:
        logger.warning("open pages cannot be read: %s", error)
        return {}
    return {user: page is not None for user, page in zip(user_ids, pages, strict=True)}


def _key(user_id: int) -> str:
    return f"page:{user_id}"
