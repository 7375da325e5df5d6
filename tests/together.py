"""Helpers for races between real database connections."""

import os
from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

import psycopg
from django.db import connection

from core.refusals import RefusalKind
from tests.refusals import kind_of
from tests.workers import wait_until

Result = Any


def run_at_once(*deeds: Callable[[], Result]) -> list[Result]:
    """Run the functions at the same moment, each in a thread with its own connection.

    Return their results in order; a function that failed is represented by its exception.
    """
    together = Barrier(len(deeds))
    results: list[Result] = [None] * len(deeds)

    def run(place: int, deed: Callable[[], Result]) -> None:
        try:
            connection.ensure_connection()
            together.wait(timeout=30)
            results[place] = deed()
        except Exception as error:  # noqa: BLE001 - judged by the test
            results[place] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=case) for case in enumerate(deeds)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return results


def is_lock_awaited() -> bool:
    """Return whether any transaction on the server is waiting for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone() == (True,))


def end_waiting_backend() -> None:
    """Wait until a statement is blocked by a lock, then terminate its backend."""
    waiting = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = %s AND wait_event_type = 'Lock'"""
    name = connection.settings_dict["NAME"]
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        wait_until(lambda: owner.execute(waiting, (name,)).rowcount)


def names_of(results: list[Result]) -> list[str]:
    """Return the code of each refusal that has a kind, and the class name of any other result, sorted."""
    kinds = map(kind_of, results)
    return sorted(kind.code if isinstance(kind, RefusalKind) else kind.__name__ for kind in kinds)
