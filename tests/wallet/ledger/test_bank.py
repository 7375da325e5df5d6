"""Workers that move money at random while their server is killed: no event is lost or posted twice."""

import json
import os

from config.run.embedded.servers import plan_servers, run_servers
from tests.config.run.embedded.migrated import short_folder
from tests.programs import run_python


def test_the_bank_keeps_everything_when_a_process_of_the_server_is_killed(migrated):
    """The test has a server of its own, because killing a process ends all connections of the server."""
    with short_folder() as var:
        migrated.copy_to(var)
        # What was acknowledged has to survive.
        with run_servers(plan_servers(var, {})) as servers:
            environment = {
                **os.environ,
                **servers,
                "DJANGO_SETTINGS_MODULE": "config.settings.local",
                "DATABASE_POOL": "0",  # a connection to each worker, so that each loses its own
                "LOG_LEVEL": "ERROR",
            }
            bank = ("-m", "tests.wallet.killed_bank", "7")
            finished = run_python(*bank, env=environment, timeout=300)
    assert finished.returncode == 0, finished.stderr
    result = json.loads(finished.stdout.splitlines()[-1])
    for fault in ("errors", "wrong", "findings", "missing"):
        assert result[fault] == [], fault
    assert (result["unfinished"], result["twice"], result["killed"]) == (0, 0, 1)
    # Connections were really lost, and the auditor has looked often enough.
    assert result["lost"] > 0
    assert result["looks"] > 10
    assert result["acknowledged"] > 1_000
    assert result["transfers"] > 2_000
