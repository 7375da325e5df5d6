"""The threads that play moves, each of which keeps its database connection."""

import asyncio
from contextlib import suppress
from threading import Barrier, Event

import pytest
from django.conf import settings
from django.db import connection

from core.threads import CallFailed, Threads, TooMuchAsked, in_thread

# Waits until the processes are gone, because a backend leaves pg_stat_activity before its socket closes.
TERMINATE = """
SELECT count(*) FILTER (WHERE pg_terminate_backend(pid, 30000)) FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid()
   AND backend_type = 'client backend'"""


def backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


async def list_backends() -> set[int]:
    """Use every thread at the same time. Return the process ids of their database backends."""
    together = Barrier(settings.MOVE_THREADS)

    def call() -> int:
        together.wait(timeout=30)
        return backend()

    return set(await asyncio.gather(*(in_thread(call) for _ in range(settings.MOVE_THREADS))))


@pytest.mark.own_session
async def test_a_thread_keeps_its_connection(transactional_db):
    backends = await list_backends()
    assert len(backends) == settings.MOVE_THREADS
    assert await list_backends() == backends


@pytest.mark.own_session
async def test_a_terminated_connection_is_replaced_silently(transactional_db):
    before = await list_backends()

    def end_the_others() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SET ROLE NONE")  # the application's role may not terminate backends
            cursor.execute(TERMINATE)
            ended = int(cursor.fetchone()[0])
            cursor.execute(f"SET ROLE {settings.DATABASE_APP_ROLE}")
            return ended

    assert await in_thread(end_the_others) >= settings.MOVE_THREADS - 1
    after = await list_backends()
    assert len(after) == settings.MOVE_THREADS
    assert len(after & before) == 1  # the backend that terminated the others


@pytest.mark.own_session
async def test_a_failed_statement_keeps_the_connection(transactional_db):
    def fail() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT nothing FROM nowhere")

    with pytest.raises(Exception, match="nowhere"):
        await in_thread(fail)
    assert len(await list_backends()) == settings.MOVE_THREADS


@pytest.mark.parametrize(
    "error",
    [StopIteration(1), StopAsyncIteration(), SystemExit(1), asyncio.CancelledError()],
    ids=repr,
)
async def test_exceptions_that_no_future_carries_are_wrapped(error):
    def fail() -> None:
        raise error

    with pytest.raises(CallFailed) as failed:
        await asyncio.wait_for(in_thread(fail), 5)
    assert failed.value.__cause__ is error


async def test_calls_of_cancelled_callers_still_count():
    few, go_on = Threads(1, name="few", most_waiting=1), Event()
    callers = [asyncio.create_task(few.run(go_on.wait, 30)) for _ in range(2)]
    await asyncio.sleep(0.1)
    for caller in callers:
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    with pytest.raises(TooMuchAsked):
        await few.run(go_on.wait, 0)
    go_on.set()
    for _ in range(100):
        await asyncio.sleep(0.02)
        with suppress(TooMuchAsked):
            assert await few.run(go_on.wait, 0) is True
            return
    raise AssertionError("there is no room again")
