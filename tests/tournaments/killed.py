"""Runs a job again and again, each time in a process that is killed one writing statement later.

Reads one job a line: `tick`, `leagues` or `table 7`. The first process is killed before its first statement that
changes something, the second before its second one, until a process finishes. The answer to each line is the number
of killed processes. Statements that only read are skipped: a process killed before one leaves the same state as
before the next writing one.

The server ends a killed process's transaction only a moment later. Until then its locks would make a tick skip its
work, so the next process waits for that.
"""

import gc
import os
import re
import signal
import sys
import time

import django
import psycopg
from django.db import connection

# libpq reads this name. It identifies this program's connections among all others of the server.
os.environ["PGAPPNAME"] = f"killed-{os.getpid()}"
django.setup()

from django.urls import get_resolver  # noqa: E402 - needs the settings

from tables.live.clock import act_on_table  # noqa: E402
from tournaments.leagues.ticking import act_on_leagues  # noqa: E402
from tournaments.running.tick import tick  # noqa: E402

# Statements that neither lock rows nor call a function that posts.
READING = re.compile(r"(?!.*(UPDATE|ledger_|advisory))\s*(SELECT|SAVEPOINT|RELEASE)\b", re.DOTALL)


class Killer:
    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, execute, sql, params, many, context):
        if not READING.match(sql):
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            self.left -= 1
        return execute(sql, params, many, context)


def do(what: str, *arguments: str) -> None:
    if what == "tick":
        tick()
    elif what == "leagues":
        act_on_leagues()
    else:
        act_on_table(int(arguments[0]))


def wait_for_the_end_of_the_killed() -> None:
    """Wait until the server has closed the connections of the killed processes."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        [(others,)] = watching.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE application_name = %s AND pid <> pg_backend_pid()",
            [os.environ["PGAPPNAME"]],
        )
        if not others:
            return
        time.sleep(0.01)
    sys.exit("a killed process is still connected")


def kill_until_done(job: list[str]) -> int:
    """Do a job in processes that are killed later and later. Return how many were killed before one finished."""
    for killed in range(500):
        child = os.fork()
        if child == 0:
            with connection.execute_wrapper(Killer(killed)):
                do(*job)
            os._exit(0)
        _pid, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            return killed
        if not os.WIFSIGNALED(status):
            sys.exit("the job failed by itself")
        wait_for_the_end_of_the_killed()
    sys.exit("the job does not end")


# The parent process's own connection. A child has another one, and exits without closing this one.
watching = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
# Done once here instead of in every child.
get_resolver()._populate()
gc.freeze()
for line in sys.stdin:
    sys.stdout.write(f"{kill_until_done(line.split())}\n")
    sys.stdout.flush()
