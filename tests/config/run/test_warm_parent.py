"""A local run: web, clock and workers are forked from one process that has imported the site."""

import json
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings

from config.run import supervisor as supervising
from config.run.roster import birth_of
from config.run.supervisor import CannotStartError, Supervisor
from config.run.web import open_listener
from tests.programs import answers, run_python
from tests.workers import point_to_tests
from tests.workers import wait_until as wait_half_a_minute

wait_until = partial(wait_half_a_minute, seconds=60)


def make_forking_supervisor(**given: str) -> tuple[str, Supervisor]:
    """Make a supervisor on the tests' database, with a web process and a clock."""
    listener = open_listener("127.0.0.1", 0)
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        "DATABASE_URL": point_to_tests(os.environ["DATABASE_URL"]),
        "DATABASE_POOL_SIZE": "4",
        "SECRET_KEY": settings.SECRET_KEY,
        "WEB_PROCESSES": "1",
        "JOBS_PROCESSES": "0",
        "COACH_PROCESSES": "0",
        **given,
    }
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/healthz"
    return address, Supervisor(environment, listener, is_forking=True)


@contextmanager
def run_supervisor(**given: str) -> Iterator[tuple[str, Supervisor]]:
    address, supervisor = make_forking_supervisor(**given)
    thread = threading.Thread(target=supervisor.run)
    thread.start()
    try:
        wait_until(lambda: answers(address))
        yield address, supervisor
    finally:
        there = [*processes_of(supervisor).values(), parent_of(supervisor)]
        supervisor.stop()
        thread.join(40)
        supervisor._listeners[0].close()
        assert [pid for pid in there if birth_of(pid) is not None] == []


def processes_of(supervisor: Supervisor) -> dict[str, int]:
    return {one.name: one.running.pid for one in list(supervisor._processes)}


def parent_of(supervisor: Supervisor) -> int:
    assert supervisor._warm is not None
    parent = supervisor._warm._parent
    return parent.process.pid if parent is not None else 0


def parent_process(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def are_new(supervisor: Supervisor, before: dict[str, int]) -> bool:
    now = processes_of(supervisor)
    return now.keys() == before.keys() and not set(now.values()) & set(before.values())


def test_every_process_is_replaced_when_killed_or_restarted(
    transactional_db,
):
    with run_supervisor(JOBS_PROCESSES="1", COACH_PROCESSES="1") as (address, supervisor):
        wait_until(lambda: len(processes_of(supervisor)) == 4)
        before, parent = processes_of(supervisor), parent_of(supervisor)
        assert {parent_process(pid) for pid in before.values()} == {parent}
        for pid in before.values():
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: are_new(supervisor, before))
        wait_until(lambda: answers(address))
        assert parent_of(supervisor) == parent

        before = processes_of(supervisor)
        os.kill(parent, signal.SIGKILL)
        wait_until(lambda: birth_of(parent) is None)
        assert answers(address)
        os.kill(before["clock.1"], signal.SIGKILL)
        wait_until(lambda: processes_of(supervisor)["clock.1"] != before["clock.1"])
        after, second = processes_of(supervisor), parent_of(supervisor)
        assert before.items() - after.items() == {("clock.1", before["clock.1"])}
        assert parent_process(after["clock.1"]) == second != parent

        supervisor.restart()
        while not are_new(supervisor, after):
            assert answers(address)
            time.sleep(0.02)
        wait_until(lambda: all(birth_of(pid) is None for pid in after.values()))
        assert birth_of(second) is None
        now = processes_of(supervisor)
        assert {parent_process(pid) for pid in now.values()} == {parent_of(supervisor)}

        # New code that cannot be imported.
        supervisor._environment["DJANGO_SETTINGS_MODULE"] = "config.settings.nowhere"
        supervisor.restart()
        wait_until(lambda: not supervisor._restart_wanted and parent_of(supervisor) == 0)
        assert processes_of(supervisor) == now
        assert answers(address)


def test_a_process_that_never_starts_ends_the_run(transactional_db, monkeypatch):
    monkeypatch.setattr(supervising, "STARTS", 2)
    _address, supervisor = make_forking_supervisor(DJANGO_SETTINGS_MODULE="config.settings.nowhere")
    with pytest.raises(CannotStartError, match=r"^web\.1 does not come up \(1\)$"):
        supervisor.run()
    supervisor._listeners[0].close()
    assert parent_of(supervisor) == 0


TELLING = """
import json, os
import config.run.warm_parent as warm
def tell():
    import logging, django.db
    from django.conf import settings
    options = settings.DATABASES["default"]["OPTIONS"]
    logging.getLogger("told").warning("here")
    print(json.dumps([options.get("pool", {}).get("max_size"), options["options"],
                      django.db.connection.settings_dict["OPTIONS"] == options]), flush=True)
warm.tell = tell
os.environ["LISTEN_FD"] = str(os.dup(0))
for kind in ("web", "clock", "jobs", "coach"):
    command = "manage.py clock" if kind == "clock" else kind
    role = warm.Role("config.run.warm_parent:tell", command, warm.ROLES[kind].imports,
                     warm.ROLES[kind].environment)
    warm._warm_up(role)
    if os.fork() == 0:
        warm._become(role, {"kind": kind, "name": f"{kind}.7"}, [])
        os._exit(0)
    os.wait()
"""


def test_a_fork_has_the_settings_of_its_kind():
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        "DATABASE_URL": "postgresql://localhost/none",
        "LOG_FORMAT": "json",
    }
    finished = run_python("-c", TELLING, env=environment, check=True)
    told = []
    for line in finished.stdout.splitlines():
        most, options, is_known = json.loads(line)
        assert is_known
        told.append((most, re.findall(r"statement_timeout=(\d+)", options)))
    # Jobs are given no limit: the database's own counts.
    assert told == [(19, ["5000"]), (43, ["5000"]), (19, []), (None, [])]
    names = [json.loads(line)["process"] for line in finished.stderr.splitlines()]
    assert names == ["web.7", "clock.7", "jobs.7", "coach.7"]
