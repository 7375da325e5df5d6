"""Eight workers move money at random while their connections and their server are killed: nothing
is lost, made or done twice."""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.wallet.bank import open_bank, run_bank
from tests.wallet.rawsql import run

ROOT = Path(__file__).resolve().parents[3]
KILLED = 15
MINUTES = 5


def end_connections():
    """Ends a random connection of the workers a few times a second."""
    chance = random.Random(99)
    killed = 0
    while killed < KILLED:
        time.sleep(0.15)
        pids = run(
            """SELECT pid FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()
                 AND query LIKE '%%ledger_%%'"""
        )
        if pids:
            run("SELECT pg_terminate_backend(%s)", chance.choice(pids)[0])
            killed += 1
    return {"ended": killed}


def deadlocks():
    return run("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")[0][0]


def judge(result):
    assert result["errors"] == []
    assert result["unfinished"] == 0
    assert result["wrong"] == []
    assert result["findings"] == []
    assert result["missing"] == []
    assert result["twice"] == 0
    # It was worth it.
    assert result["lost"] > 0
    assert result["looks"] > 10
    assert result["acknowledged"] > 1_000
    assert result["transfers"] > 2_000


@pytest.mark.django_db(transaction=True)
def test_the_bank_keeps_everything_when_connections_end(as_owner):
    open_bank()
    before = deadlocks()

    def disturb(_workers):
        with as_owner():
            return end_connections()

    judge(run_bank(disturb))
    assert deadlocks() == before


def test_the_bank_keeps_everything_when_a_process_of_the_server_is_killed():
    """On a server of its own, because all others would lose their connections too."""
    given = {"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "TEST_PROCESSES"}
    environment = {name: value for name, value in os.environ.items() if name not in given}
    environment |= {
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        "THROWAWAY_DURABLE": "1",  # what was acknowledged has to survive
        "DATABASE_POOL": "0",  # a connection to each worker, so that each loses its own
        "LOG_LEVEL": "ERROR",
    }
    beside_a_server = [sys.executable, "-m", "config.run.embedded.throwaway"]
    bank = [sys.executable, "-m", "tests.wallet.killed_bank", "7"]
    finished = subprocess.run(
        [*beside_a_server, *bank],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60 * MINUTES,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    result = json.loads(finished.stdout.splitlines()[-1])
    judge(result)
    assert result["killed"] == 1
