"""The cache: Redis, or the memory of each process while Redis is down.

It holds counts of requests and marks of recent actions. Without Redis each process counts for itself: limits are a
little wider, and pages keep working.
"""

import json
import logging
from collections.abc import Sequence
from typing import Any, Final

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ReadOnlyError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from core.circuit_breaker import CircuitBreaker

logger = logging.getLogger(__name__)

SECONDS_TO_ANSWER: Final = 1.0
# Pause between two attempts to reach a Redis that did not answer; nobody waits for it meanwhile.
SECONDS_BETWEEN_TRIES: Final = 2.0
_AWAY: Final = (RedisConnectionError, RedisTimeoutError, ReadOnlyError, OSError)


class JsonSerializer:
    """Serializes cached values as JSON.

    Django's own serializer would unpickle data from Redis, which can run any code.
    """

    def dumps(self, value: Any) -> int | bytes:
        """Encode the value. Integers stay integers, so that Redis can increment them."""
        return value if type(value) is int else json.dumps(value, allow_nan=False).encode()

    def loads(self, data: bytes) -> Any:
        """Decode a stored value. Return None, as for a missing key, if this site cannot have written it."""
        try:
            return json.loads(data)
        except ValueError:
            logger.warning("a value in the cache is no JSON and is passed over")
            return None


# By address, shared by all threads of this process.
_breakers: dict[str, CircuitBreaker] = {}


class _Client:
    """Sends each call to Redis, or to the fallback while Redis is down.

    Keys are already built, times are in seconds.
    """

    def __init__(self, servers: Sequence[str], **options: Any) -> None:
        [server] = servers
        once_more = Retry(NoBackoff(), 1)  # for a connection that was lost while nobody used it
        timeouts = {
            "socket_timeout": SECONDS_TO_ANSWER,
            "socket_connect_timeout": SECONDS_TO_ANSWER,
        }
        self._redis = RedisCacheClient(
            [server], **{**timeouts, "retry": once_more, **options, "serializer": JsonSerializer()}
        )
        self._reserve = LocMemCache(server, {"OPTIONS": {"MAX_ENTRIES": 100_000}})
        self._breaker = _breakers.setdefault(server, CircuitBreaker(SECONDS_BETWEEN_TRIES))

    def __getattr__(self, name: str) -> Any:
        in_redis, in_reserve = getattr(self._redis, name), getattr(self._reserve, name)

        def call(*args: Any) -> Any:
            if not self._breaker.allows():
                return in_reserve(*args)
            try:
                answer = in_redis(*args)
            except _AWAY as error:
                if self._breaker.fail():
                    logger.warning("the cache is this process's memory: no Redis: %s", error)
                return in_reserve(*args)
            if self._breaker.succeed():
                logger.warning("the cache is Redis again")
            return answer

        return call


class CacheWithReserve(RedisCache):
    """The cache backend that the settings name: Redis with a fallback."""

    def __init__(self, server: str | list[str], params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client
