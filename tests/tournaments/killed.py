"""Runs one job again and again, each time in a process that is killed before its next statement.

`killed.py tick` or `killed.py table 7`: the first process dies before its first statement, the
second before its second, until one gets through. Prints how many were killed.
"""

import os
import signal
import sys

import django
from django.db import connection

django.setup()

from tables.clock.deadlines import act_on_table  # noqa: E402 - needs the settings
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
    else:
        act_on_table(int(arguments[0]))


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


main()
