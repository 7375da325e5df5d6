"""The cache: Redis; while that is away, the memory of each process.

What is kept here are counts of requests and marks that something was done lately. Without Redis
each process counts for itself, so that limits hold a little less well, and pages go on.
"""

import logging
import time
from typing import Any, Final

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ReadOnlyError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

logger = logging.getLogger(__name__)

SECONDS_TO_ANSWER: Final = 1.0
# Between two questions to a Redis that did not answer; nobody waits for it in the meantime.
SECONDS_BETWEEN_TRIES: Final = 2.0
_AWAY: Final = (RedisConnectionError, RedisTimeoutError, ReadOnlyError, OSError)


class _Silence:
    """Of one Redis, in all threads of this process."""

    def __init__(self) -> None:
        self.until: float | None = None  # None: it answers

    def is_over(self) -> bool:
        """Whether to ask; of many threads one asks, the others do not wait for the answer."""
        now = time.monotonic()
        if self.until is None:
            return True
        if now < self.until:
            return False
        self.until = now + SECONDS_BETWEEN_TRIES
        return True

    def begin(self, error: Exception) -> None:
        if self.until is None:
            logger.warning("the cache is this process's memory: Redis does not answer: %s", error)
        self.until = time.monotonic() + SECONDS_BETWEEN_TRIES

    def end(self) -> None:
        if self.until is not None:
            logger.warning("the cache is Redis again")
            self.until = None


_silences: dict[str, _Silence] = {}


class _Client:
    """Each call goes to Redis, or to the reserve; keys are made and times are seconds already."""

    def __init__(self, servers: list[str], **options: Any) -> None:
        once_more = Retry(NoBackoff(), 1)  # for a connection that was lost while nobody used it
        timeouts = {
            "socket_timeout": SECONDS_TO_ANSWER,
            "socket_connect_timeout": SECONDS_TO_ANSWER,
        }
        self._redis = RedisCacheClient(servers, **{**timeouts, "retry": once_more, **options})
        name = ";".join(servers)
        self._reserve = LocMemCache(name, {"OPTIONS": {"MAX_ENTRIES": 100_000}})
        self._silence = _silences.setdefault(name, _Silence())

    def __getattr__(self, name: str) -> Any:
        in_redis, in_reserve = getattr(self._redis, name), getattr(self._reserve, name)

        def call(*args: Any) -> Any:
            if not self._silence.is_over():
                return in_reserve(*args)
            try:
                answer = in_redis(*args)
            except _AWAY as error:
                self._silence.begin(error)
                return in_reserve(*args)
            self._silence.end()
            return answer

        return call


class CacheWithReserve(RedisCache):
    """What the settings name."""

    def __init__(self, server: str | list[str], params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client
