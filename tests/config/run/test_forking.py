"""Web, clock and worker processes are forked from a supervisor that has already imported the site."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil  # type: ignore[import-untyped]
from django.conf import settings

from config.run.embedded.place import is_alive
from tests.ports import find_free_port
from tests.programs import ROOT, answers, run_python
from tests.tables.clock.test_supervisor import children_of
from tests.workers import point_to_tests
from tests.workers import wait_until as wait_half_a_minute

wait_until = partial(wait_half_a_minute, seconds=60)
# The code that a test changes is a settings module.
CODE = "from config.settings.local import *\n"


@dataclass
class Site:
    address: str
    supervisor: "subprocess.Popen[bytes]"
    code: Path
    log: Path

    @property
    def processes(self) -> dict[str, int]:
        return {name: pid for pid, name in children_of(self.supervisor).items()}

    def reload(self) -> None:
        self.supervisor.send_signal(signal.SIGUSR1)

    def says(self, word: str) -> bool:
        return word in self.log.read_text()

    def await_all_but(self, before: dict[str, int]) -> None:
        """Wait until each process has been replaced. Check that pages answer all the time."""
        while not (self.processes.keys() == before.keys() and self._are_gone(before)):
            assert answers(self.address)
            time.sleep(0.02)

    def _are_gone(self, before: dict[str, int]) -> bool:
        return not set(self.processes.values()) & set(before.values())


@contextmanager
def run_site(tmp_path: Path, **given: str) -> Iterator[Site]:
    """Run the processes of Procfile.local on the tests' database and servers."""
    code, log = tmp_path / "changing_settings.py", tmp_path / "log"
    code.write_text(CODE)
    port = find_free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}",
        "PYTHONDONTWRITEBYTECODE": "1",  # bytecode would hide two changes within a second
        "DJANGO_SETTINGS_MODULE": "changing_settings",
        "DATABASE_URL": point_to_tests(os.environ["DATABASE_URL"]),
        "DATABASE_POOL_SIZE": "4",
        "SECRET_KEY": settings.SECRET_KEY,
        "PROCFILE": "Procfile.local",
        "PORT": str(port),
        "WEB_PROCESSES": "1",
        "SERVERS_PROCESSES": "0",
        "GREETING_PROCESSES": "0",
        **given,
    }
    with log.open("w") as said:
        supervisor = subprocess.Popen(
            [sys.executable, "-m", "config.run.supervisor"], env=environment, cwd=ROOT, stderr=said
        )
    site = Site(f"http://127.0.0.1:{port}/healthz", supervisor, code, log)
    try:
        wait_until(lambda: answers(site.address))
        yield site
    finally:
        there = site.processes.values()
        supervisor.terminate()
        assert supervisor.wait(40) == 0
        assert [pid for pid in there if is_alive(pid)] == []


def test_every_process_is_replaced_when_killed_or_restarted(transactional_db, tmp_path):
    with run_site(tmp_path) as site:
        wait_until(lambda: len(site.processes) == 4)
        before = site.processes
        assert sorted(before) == ["clock.1", "coach.1", "jobs.1", "web.1"]
        # The coach runs heavy jobs in a child process, which is suspended here so that it cannot end by itself.
        wait_until(lambda: psutil.Process(before["coach.1"]).children())
        [at_work] = psutil.Process(before["coach.1"]).children()
        wait_until(lambda: at_work.name() == "coach.1.pool")
        at_work.suspend()
        for pid in before.values():
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not is_alive(at_work.pid), seconds=5)
        wait_until(lambda: len(set(site.processes.values()) - set(before.values())) == 4)
        wait_until(lambda: answers(site.address))

        before = site.processes
        site.code.write_text(CODE + 'SITE_NAME = "Changed"\n')
        site.reload()
        site.await_all_but(before)
        wait_until(lambda: site.says("every process has been replaced"))
        home = site.address.replace("healthz", "accounts/login/")
        wait_until(lambda: answers(home))


# Faulty code, and the supervisor's message about it.
FAULTS = {
    'import os\nassert not os.environ["PROCESS_NAME"].startswith("web.")': (
        "the new web.1 does not come up; the old processes go on"
    ),
    "raise SystemExit(3)": "what runs goes on as it is",
    "not Python": "what runs goes on as it is",
}


def test_new_code_that_does_not_start_ends_nothing(transactional_db, tmp_path):
    with run_site(tmp_path, JOBS_PROCESSES="0", COACH_PROCESSES="0") as site:
        wait_until(lambda: len(site.processes) == 2)
        before = site.processes
        for fault, word in FAULTS.items():
            said = site.log.read_text().count(word)
            site.code.write_text(CODE + fault)
            site.reload()
            wait_until(lambda word=word, said=said: site.log.read_text().count(word) > said)
            assert (site.processes, answers(site.address)) == (before, True)

        # A process that is killed now is restarted once the code has been fixed.
        os.kill(before["clock.1"], signal.SIGKILL)
        wait_until(lambda: "clock.1" not in site.processes)
        site.code.write_text(CODE)
        wait_until(lambda: "clock.1" in site.processes)
        assert site.processes["web.1"] == before["web.1"]
        before = site.processes
        site.reload()
        site.await_all_but(before)
    assert site.supervisor.returncode == 0


def test_a_site_that_cannot_be_imported_does_not_start(tmp_path):
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.nowhere",
        "PORT": str(find_free_port()),
    }
    finished = run_python("-m", "config.run.supervisor", env=environment, timeout=60)
    assert finished.returncode == 1
    assert finished.stderr.endswith("openrummy: The site cannot be imported.\n")
    assert "No module named 'config.settings.nowhere'" in finished.stderr


TELLING = """
import os
from config.run.forking import Forked, fork, import_site
from config.run.supervisor import read_procfile

def main():
    text = open("Procfile.local").read()
    commands = {kind: command for kind, command in read_procfile(text).items()
                if kind not in ("servers", "greeting")}
    import_site(commands.values())
    for kind, command in commands.items():
        words = command.split()
        [module] = [word for word in words if word in ("config.run.web", "manage.py",
                                                       "config.run.jobs", "celery")]
        before, after = command.replace(">/dev/null", "").split(module)
        told = f"{before.removesuffix('python ').removesuffix('python -m ')} python TOLD {after}"
        os.waitpid(fork(told, f"{kind}.7", {}), 0)

work = None
try:
    main()
except Forked as forked:
    work = forked.work
if work:
    work()
"""
TOLD = """
import json, logging, django.db
from django.conf import settings
options = settings.DATABASES["default"]["OPTIONS"]
logging.getLogger("told").warning("here")
print(json.dumps([options.get("pool", {}).get("max_size"), options["options"],
                  django.db.connection.settings_dict["OPTIONS"] == options]), flush=True)
"""


def test_a_fork_has_the_settings_of_its_kind(tmp_path):
    """This also holds for a site with its own settings module that imports the project's."""
    (tmp_path / "of_a_site.py").write_text("from config.settings.local import *\n")
    told_by = tmp_path / "told.py"
    told_by.write_text(TOLD)
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "of_a_site",
        "PYTHONPATH": str(tmp_path),
        "DATABASE_URL": "postgresql://localhost/none",
        "LOG_FORMAT": "json",
    }
    finished = run_python("-c", TELLING.replace("TOLD", str(told_by)), env=environment, check=True)
    told = []
    for line in finished.stdout.splitlines():
        most, options, is_known = json.loads(line)
        assert is_known
        told.append((most, re.findall(r"statement_timeout=(\d+)", options)))
    # Jobs set no statement timeout, so the database's own applies.
    assert told == [(19, ["5000"]), (43, ["5000"]), (19, []), (None, [])]
    names = [json.loads(line)["process"] for line in finished.stderr.splitlines()]
    assert names == ["web.7", "clock.7", "jobs.7", "coach.7"]
