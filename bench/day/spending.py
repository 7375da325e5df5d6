"""The processor time of a piece of work, here and at the servers, whatever other programs do."""

import os
import time
from pathlib import Path

from django.conf import settings
from django.db import connection
from redis import Redis

_TICKS = os.sysconf("SC_CLK_TCK")


class Spending:
    """Since it was made. Waiting for disks, the network and a free processor is not in it."""

    def __init__(self) -> None:
        self._began = _spent()

    @property
    def seconds(self) -> float:
        return sum(now - self._began.get(who, 0.0) for who, now in _spent().items())


def _spent() -> dict[str, float]:
    """By process: this one, the one at the database that works for it, and Valkey, which nobody else asks."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    # Those that belong to the process begin with the name, which may have spaces, in parentheses.
    fields = Path(f"/proc/{backend}/stat").read_text().rpartition(")")[2].split()
    with Redis.from_url(settings.REDIS_URL) as redis:
        valkey = redis.info("cpu")
    return {
        "here": time.process_time(),
        f"backend {backend}": (int(fields[11]) + int(fields[12])) / _TICKS,
        "valkey": valkey["used_cpu_user"] + valkey["used_cpu_sys"],
    }
