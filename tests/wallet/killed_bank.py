"""The bank on a server of its own, one of whose processes is killed.

    THROWAWAY_DURABLE=1 python -m config.run.embedded.throwaway python -m tests.wallet.killed_bank SEED

Prints what happened as JSON. PostgreSQL answers the death of one backend by ending all the others
and recovering from its log, so every worker loses its connection and what it had not committed.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time

import django
import psycopg

django.setup()

from django.db import connection  # noqa: E402 - needs the settings

from tests.wallet.bank import PATIENCE_SECONDS, open_bank, run_bank  # noqa: E402

# How much has happened before the process dies, and how much happens at least afterwards.
BEFORE = 600
AFTER = 600
ENDED_BEFORE = 5
WORKING = """
SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%%ledger_%%'
"""


def main(seed):
    # As the owner, which manage.py sees to.
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
    subprocess.run(migrate, check=True)
    open_bank()
    connection.close()  # one that works is ended, not this one
    result = run_bank(lambda workers: disturb(workers, random.Random(seed)))
    print(json.dumps(result))  # noqa: T201 - the answer


def disturb(workers, chance):
    """A few ended connections, a killed process, a few more ended connections."""

    def done():
        return sum(len(worker.acknowledged) for worker in workers)

    with owner() as server:
        # An unlogged table is emptied when the server recovers, and by nothing else.
        server.execute("CREATE UNLOGGED TABLE before_the_crash AS SELECT 1 AS row")
        ended = end_connections(server, chance)
        wait_for(lambda: done() > BEFORE)
        wait_for(lambda: kill_one(server, chance))
    wait_for(has_recovered)
    at_crash = done()
    with owner() as server:
        ended += end_connections(server, chance)
    wait_for(lambda: done() > at_crash + AFTER)
    return {"ended": ended, "killed": 1}


def end_connections(server, chance):
    ended = 0
    while ended < ENDED_BEFORE:
        pids = wait_for(lambda: server.execute(WORKING).fetchall())
        server.execute("SELECT pg_terminate_backend(%s)", [chance.choice(pids)[0]])
        ended += 1
        time.sleep(0.1)
    return ended


def kill_one(server, chance):
    pids = server.execute(WORKING).fetchall()
    try:
        os.kill(chance.choice(pids)[0], signal.SIGKILL)
    except (IndexError, ProcessLookupError):  # none works now, or it has just ended
        return False
    return True


def has_recovered():
    """The server answers, and has been through a crash."""
    try:
        with owner() as server:
            return server.execute("SELECT count(*) FROM before_the_crash").fetchone() == (0,)
    except psycopg.OperationalError:
        return False


def owner():
    return psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True)


def wait_for(seen):
    until = time.monotonic() + PATIENCE_SECONDS
    while not (result := seen()):
        if time.monotonic() > until:
            sys.exit("waited for too long")
        time.sleep(0.01)
    return result


if __name__ == "__main__":
    main(int(sys.argv[1]))
