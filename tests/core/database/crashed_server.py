"""Run a prepared statement on a PostgreSQL server after a crash of another of its processes.

    python -m config.run.embedded.throwaway python -m tests.core.database.crashed_server

After such a crash PostgreSQL ends every connection with a warning. Prints the error that the next
execution raises, and the statement's result once the server is back.
"""

import os
import signal
import time
from pathlib import Path

import django
import psycopg

django.setup()

from django.db import Error, OperationalError, connection  # noqa: E402 - needs the settings

from core.database.prepared import Prepared  # noqa: E402

SECONDS_UNTIL_RECOVERED = 60
TWO = Prepared("test_two", "SELECT 1 + $1::bigint", (int,))


def main() -> None:
    assert TWO.first(1) == [2]
    crash()
    try:
        TWO.first(1)
    except Error as error:
        print(type(error).__name__)  # noqa: T201 - the answer
    print(*answer_of_a_new_connection())  # noqa: T201 - the answer


def crash() -> None:
    """Crash the server, and wait until it has ended this process's connection."""
    doomed = psycopg.connect(os.environ["DATABASE_OWNER_URL"])
    backend = connection.connection.info.backend_pid
    os.kill(doomed.info.backend_pid, signal.SIGKILL)
    until = time.monotonic() + SECONDS_UNTIL_RECOVERED
    while Path(f"/proc/{backend}").exists() and time.monotonic() < until:
        time.sleep(0.01)


def answer_of_a_new_connection() -> list[int]:
    until = time.monotonic() + SECONDS_UNTIL_RECOVERED
    while True:
        connection.close()
        try:
            return TWO.first(1) or []
        except OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


if __name__ == "__main__":
    main()
