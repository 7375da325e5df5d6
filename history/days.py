"""Partitions of changes by day: each day of `tables_change` is a partition.

A partition is dropped as a whole once its matches are packed. The functions that create and drop partitions are in the
first migration. They run with the rights of the owner, because the application's role may not create tables. They wait
only a fifth of a second for a lock, because players would wait behind them.
"""

import logging
from datetime import UTC, date, datetime, timedelta
from time import sleep
from typing import Any, Final

from django.conf import settings
from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from core.database.advisory_locks import AdvisoryLock

logger = logging.getLogger(__name__)

# A past day keeps its partition until at most this many changes belong to unfinished matches.
MOST_LEFT_OVER: Final = 2000
_ATTEMPTS: Final = 5
_SECONDS_BETWEEN: Final = 2.0


def turn_days(*, now: datetime) -> int:
    """Create the partitions of today and tomorrow, and drop those of days whose matches are packed.

    Return the number of partitions created and dropped. Without packing (MATCHES_ARCHIVED_AFTER_DAYS is 0) no day gets
    a partition of its own, and all changes are in one partition.
    """
    days = settings.MATCHES_ARCHIVED_AFTER_DAYS
    if not days:
        return 0
    today = now.astimezone(UTC).date()
    turned = (
        _call_patiently("SELECT tables_open_days(%s, %s)", today, today + timedelta(days=1)) or 0
    )
    before = today - timedelta(days=days)
    while _call_patiently("SELECT tables_close_day(%s, %s)", before, MOST_LEFT_OVER) is not None:
        turned += 1
    return turned


def _call_patiently(query: str, *values: date | int) -> Any:
    """Call a database function, and retry if it cannot get its locks. Return its result.

    Return None if another process is calling it, or if all attempts failed.
    """
    for attempt in range(_ATTEMPTS):
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [AdvisoryLock.TURNING_DAYS])
                if cursor.fetchone() != (True,):
                    return None
                cursor.execute(query, values)
                return cursor.fetchone()[0]
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
            if attempt + 1 < _ATTEMPTS:
                sleep(_SECONDS_BETWEEN)
    logger.warning("changes by day: the tables were in use, the next run tries again")
    return None
