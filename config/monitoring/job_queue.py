"""How many jobs Celery has before it."""

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
    redis: Any = Redis.from_url(
        settings.JOBS_REDIS_URL,
        socket_timeout=_ANSWERS_WITHIN_SECONDS,
        socket_connect_timeout=_ANSWERS_WITHIN_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
    try:
        with redis:
            return sum(cast("int", redis.llen(queue)) for queue in QUEUES)
    except (RedisError, OSError):
        return None
