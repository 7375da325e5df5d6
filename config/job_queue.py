"""How many jobs Celery has before it."""

from typing import Any, cast

from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

# Celery's name of the one queue that this project uses.
_QUEUE = "celery"
_ANSWERS_WITHIN_SECONDS = 2


def jobs_waiting() -> int | None:
    """None without Redis. Jobs that a worker has taken are not counted."""
    redis: Any = Redis.from_url(settings.JOBS_REDIS_URL, socket_timeout=_ANSWERS_WITHIN_SECONDS)
    try:
        with redis:
            return cast("int", redis.llen(_QUEUE))
    except (RedisError, OSError):
        return None
