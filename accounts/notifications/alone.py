"""One process at a time, over several transactions."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from accounts.models.advisory_locks import AdvisoryLock


@contextmanager
def alone(key: AdvisoryLock) -> Iterator[bool]:
    """Yield whether nobody else does this now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        (is_alone,) = cursor.fetchone()
    try:
        yield is_alone
    finally:
        if is_alone:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [key])
