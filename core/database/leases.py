"""Leases, with which only one process at a time does a job.

A lease is a row with a deadline. It needs no open transaction and no session lock, so it works through a
transaction pooler (docs/scaling.md). If its process dies, nobody does the job until the deadline. A process that
outlives its lease may run in parallel with the next process, so the job's writes must tolerate that.
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
    """Lease a job, and yield whether the lease was granted. False means that another process has it.

    Do not use it in a transaction. `seconds` is how long the job may take, by default the time limit of a worker's
    jobs.
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
