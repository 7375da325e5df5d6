"""Eight workers move money at random while their connections and their server are killed: nothing
is lost, made or done twice."""

import json
import os
import subprocess
import sys
from pathlib import Path

from config.run.embedded.servers import run_servers
from tests.config.run.embedded.migrated import short_folder

ROOT = Path(__file__).resolve().parents[3]
MINUTES = 5


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


def test_the_bank_keeps_everything_when_a_process_of_the_server_is_killed(migrated):
    """On a server of its own, because all others would lose their connections too."""
    with short_folder() as var:
        migrated.copy_to(var)
        # What was acknowledged has to survive.
        with run_servers(var, {}, durable=True) as servers:
            finished = subprocess.run(
                [sys.executable, "-m", "tests.wallet.killed_bank", "7"],
                cwd=ROOT,
                env={
                    **os.environ,
                    **servers,
                    "DJANGO_SETTINGS_MODULE": "config.settings.local",
                    "DATABASE_POOL": "0",  # a connection to each worker, so that each loses its own
                    "LOG_LEVEL": "ERROR",
                },
                capture_output=True,
                text=True,
                timeout=60 * MINUTES,
                check=False,
            )
    assert finished.returncode == 0, finished.stderr
    result = json.loads(finished.stdout.splitlines()[-1])
    judge(result)
    assert result["killed"] == 1
