"""Keys of PostgreSQL's advisory locks: what only one process does at a time, each with a key of its own.

The database knows numbers alone: two jobs with one number would keep each other from their work.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum, unique

from django.db import connection


@unique
class AdvisoryLock(IntEnum):
    """`GIVING_CHIPS` is the first of two keys; the second says for whom."""

    COUNTING_MATCHES = 7_261_001
    SENDING_EMAILS = 7_261_002
    CHECKING_ALERTS = 7_261_003
    REFRESHING_SITE = 7_261_004
    DRAWING_LEADERBOARDS = 7_261_005
    WEIGHING_PAIRS = 7_261_006
    GIVING_CHIPS = 7_261_007
    TELLING_ABSENT = 7_261_008
    CALLING_PLAYERS = 7_261_009
    TENDING_SLOW_GAMES = 7_261_010


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
