"""One process at a time, over several transactions."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def alone(key: int) -> Iterator[bool]:
    """Whether nobody else does this now; `key` is in the namespace of advisory locks."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        (is_alone,) = cursor.fetchone()
    try:
        yield is_alone
    finally:
        if is_alone:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [key])
