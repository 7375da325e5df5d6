"""The state of Redis: the number of Celery's waiting jobs, and the servers that do not answer."""

from collections.abc import Mapping
from typing import Any, cast

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from config.settings.schedule import QUEUES

_ANSWERS_WITHIN_SECONDS = 2


def jobs_waiting() -> int | None:
    """None without Redis. Jobs that a worker has taken are not counted."""
    by_queue = jobs_by_queue()
    return None if by_queue is None else sum(by_queue.values())


def jobs_by_queue() -> Mapping[str, int] | None:
    """The same, of each queue."""
    try:
        with _client(settings.JOBS_REDIS_URL) as redis:
            return {queue: cast("int", redis.llen(queue)) for queue in QUEUES}
    except (RedisError, OSError):
        return None


def silent_redis_servers() -> int:
    """Return how many servers of cache, rates, presence and sockets do not answer."""
    return sum(not _answers(url) for url in settings.RATES_REDIS_URLS)


def _answers(url: str) -> bool:
    try:
        with _client(url) as redis:
            return bool(redis.ping())
    except (RedisError, OSError):
        return False


def _client(url: str) -> Any:
    return Redis.from_url(
        url,
        socket_timeout=_ANSWERS_WITHIN_SECONDS,
        socket_connect_timeout=_ANSWERS_WITHIN_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
