"""Each worker of `pytest -n` has a PostgreSQL and a Valkey that no other worker sees."""

import os
import sys
from pathlib import Path

import pytest

from config.settings.pairs import NoServersError, as_environment, pairs_wanted, servers_of_worker
from tests.programs import ROOT, run_python

PAIRS = [{"REDIS_URL": "unix:///one"}, {"REDIS_URL": "unix:///two"}]
WRITES_AND_LOOKS = """import os
import pytest, psycopg, redis

@pytest.mark.parametrize("turn", range(2))
def test_alone(turn):
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        assert client.incr("seen") == 1
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as connection:
        connection.execute("CREATE TABLE seen ()")
"""


def test_a_worker_has_the_pair_of_its_number() -> None:
    environment = as_environment(PAIRS)
    assert environment["REDIS_URL"] == "unix:///one"
    assert servers_of_worker({**environment, "PYTEST_XDIST_WORKER": "gw1"}) == PAIRS[1]
    assert servers_of_worker(environment) == {}


def test_a_worker_without_servers_is_told_what_to_do() -> None:
    with pytest.raises(NoServersError, match="TEST_PROCESSES=3 bin/test pytest -n 3"):
        servers_of_worker({**as_environment(PAIRS), "PYTEST_XDIST_WORKER": "gw2"})


def test_a_given_server_is_not_shared() -> None:
    assert pairs_wanted({"TEST_PROCESSES": "4"}) == 4
    assert pairs_wanted({}) == 1
    assert pairs_wanted({"TEST_PROCESSES": "4", "REDIS_URL": "redis://localhost"}) == 1


def test_two_workers_are_isolated(tmp_path: Path) -> None:
    """Each of the two inner tests would fail if it used the other's servers."""
    (tmp_path / "test_tiny.py").write_text(WRITES_AND_LOOKS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text(
        "import os\n"
        "from config.settings.pairs import servers_of_worker\n"
        "os.environ.update(servers_of_worker(os.environ))\n"
    )
    own = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "PYTEST_XDIST_WORKER")
    environment = {name: value for name, value in os.environ.items() if name not in own}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "TEST_PROCESSES": "2"}
    environment |= {"PYTHONPATH": str(ROOT)}
    done = run_python(
        "-m", "config.run.embedded.throwaway",
        sys.executable, "-m", "pytest", "-q", "-p", "xdist", "-n", "2",
        "-p", "no:cacheprovider", str(tmp_path), env=environment,
    )  # fmt: skip
    assert "2 passed" in done.stdout, done.stdout + done.stderr
