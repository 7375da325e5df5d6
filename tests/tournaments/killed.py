"""Runs one job again and again, each time in a process that is killed before its next statement.

`killed.py tick`, `killed.py leagues` or `killed.py table 7`: the first process dies before its first statement, the
second before its second, until one gets through. Prints how many were killed.

The server ends the transaction of a process that was killed a moment later; until then its locks make
a tick pass over what it is to do. So the next one waits for that.
"""

import os
import signal
import sys
import time

import django
from django.db import connection

# Read by libpq: the connections of this program, among all others of the server.
os.environ["PGAPPNAME"] = f"killed-{os.getpid()}"
django.setup()

from tables.clock.deadlines import act_on_table  # noqa: E402 - needs the settings
from tournaments.leagues.ticking import act_on_leagues  # noqa: E402
from tournaments.running.ticking import tick  # noqa: E402


class Killer:
    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, execute, sql, params, many, context):
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
    """Until the server has closed their connections."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE application_name = %s AND pid <> pg_backend_pid()",
                [os.environ["PGAPPNAME"]],
            )
            (others,) = cursor.fetchone()
        connection.close()  # a child has one of its own
        if not others:
            return
        time.sleep(0.01)
    sys.exit("a killed process is still connected")


def main() -> None:
    for killed in range(500):
        child = os.fork()
        if child == 0:
            with connection.execute_wrapper(Killer(killed)):
                do(*sys.argv[1:])
            os._exit(0)
        _pid, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            sys.stdout.write(f"{killed}\n")
            return
        if not os.WIFSIGNALED(status):
            sys.exit("the job failed by itself")
        wait_for_the_end_of_the_killed()


main()
