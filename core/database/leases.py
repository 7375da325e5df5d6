"""Leases: jobs that one process does at a time.

A lease is a row with a deadline. No transaction stays open, and no session keeps a lock, so it works through
a pooler that gives every transaction another session (docs/scaling.md). If its process dies, the job rests
until the deadline. A process that outlives its lease may work beside the next one, so what a job writes must
stand that.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from django.conf import settings
from django.db import connection


class Job(StrEnum):
    """The jobs that need a lease."""

    CALLING_PLAYERS = "calling players"
    CHECKING_ALERTS = "checking alerts"
    PUBLISHING_DEALS = "publishing deals"
    SENDING_EMAILS = "sending e-mails"
    TELLING_ABSENT = "telling absent players"
    TENDING_SLOW_GAMES = "tending slow games"
    WEIGHING_PAIRS = "weighing pairs"


_TAKE = """
INSERT INTO core_lease (job, until) VALUES (%s, clock_timestamp() + make_interval(secs => %s))
    ON CONFLICT (job) DO UPDATE SET until = excluded.until WHERE core_lease.until <= clock_timestamp()
    RETURNING until"""


@contextmanager
def lease(job: Job, *, seconds: int | None = None) -> Iterator[bool]:
    """Lease a job, and yield whether no other process has it. Not for use in a transaction.

    `seconds` is how long the job may take. By default, it is when a worker's jobs are killed.
    """
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [job, seconds or settings.CELERY_TASK_TIME_LIMIT])
        row = cursor.fetchone()
    try:
        yield row is not None
    finally:
        if row is not None:
            # A later lease, held by another process, ends later.
            with connection.cursor() as cursor:
                cursor.execute("DELETE FROM core_lease WHERE job = %s AND until = %s", [job, *row])
