"""A whole site for fault injection: bin/run in a folder and on a port of its own."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil  # type: ignore[import-untyped]

from bench.processes import (
    ROOT,
    SiteError,
    answers,
    names_of,
    processes_with,
    send_signal,
    server_of,
    wait_until,
)
from config.run.embedded.place import EmbeddedFolders
from config.run.embedded.servers import plan_servers
from tests.ports import find_free_port

SECONDS_TO_START = 180
SECONDS_TO_VANISH = 10
# Printed by bin/run once the demo data exist and the site is up.
SAID = b"OpenRummy is at"
# The site has its own servers, whatever the environment says.
OF_ANOTHER_SITE = {
    *("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_REPLICA_URL"),
    *("REDIS_URL", "DJANGO_SETTINGS_MODULE", "SECRET_KEY"),
}


@contextmanager
def run_site(*, keep_log: str | None = None, **environment: str) -> Iterator["Site"]:
    """Run a site, with these variables added to the environment of bin/run. Exit if any process is left behind."""
    with TemporaryDirectory(prefix="openrummy-bench-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        site, left = Site(Path(folder), environment), []
        try:
            site.start()
            site.await_ready()
            yield site
        finally:
            left = site.stop()
            if keep_log:
                shutil.copy(site.log, keep_log)
    if left:
        sys.exit("\n".join(left))


class Site:
    """A running site. Only processes of its own folder are ever signalled."""

    def __init__(self, var: Path, given: Mapping[str, str]) -> None:
        self.var = var
        self._given = given
        self.port = find_free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = var / "log"
        self._log = self.log.open("ab")
        self.launcher: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = {
            **{name: value for name, value in os.environ.items() if name not in OF_ANOTHER_SITE},
            "OPENRUMMY_VAR": str(self.var),
            "TMPDIR": str(self.var),  # what a launcher that is killed leaves there goes with it
            "PORT": str(self.port),
            "WEB_PROCESSES": "2",
            "TABLES_AT_ONCE": "1000",
            "LOG_LEVEL": "WARNING",
            **self._given,
        }
        self.launcher = subprocess.Popen(
            [sys.executable, "-m", "config.run.launch"],
            cwd=ROOT,
            env=environment,
            stdout=self._log,
            stderr=self._log,
        )

    def await_ready(self) -> None:
        def is_ready() -> bool:
            if self.launcher is None or self.launcher.poll() is not None:
                raise SiteError(f"bin/run has ended:\n{self.log.read_text()[-2000:]}")
            return self.answers() and SAID in self.log.read_bytes()

        wait_until(is_ready, SECONDS_TO_START, self.log.read_text)

    def answers(self, page: str = "/healthz") -> bool:
        return answers(f"{self.address}{page}")

    def end(self) -> None:
        if self.launcher is not None and self.launcher.poll() is None:
            self.launcher.send_signal(signal.SIGTERM)
            self.launcher.wait(60)

    def start_again(self) -> None:
        self.log.write_bytes(b"")
        self.start()
        self.await_ready()

    def stop(self) -> list[str]:
        """Stop the site. Return the processes that were left and had to be killed; there should be none."""
        self.end()
        self._log.close()
        until = time.monotonic() + SECONDS_TO_VANISH
        while (left := self._list_processes()) and time.monotonic() < until:
            time.sleep(0.2)
        send_signal(signal.SIGKILL, left)
        return [f"left behind: {name} ({pid})" for pid, name in left.items()]

    def processes(self, kind: str) -> list[int]:
        """Return the process ids of the running processes of a kind."""
        return [pid for name, pid in self.leaders() if name.partition(".")[0] == kind]

    def leaders(self) -> set[tuple[str, int]]:
        """Return the names and ids of the supervisor's processes, without their children."""
        return {(name, pid) for pid, name in names_of(self.launcher).items()}

    def environment(self) -> dict[str, str]:
        """Return the environment variables of the processes: the addresses of database and Valkey, and the secret."""
        return plan_servers(self.var, {})[0]

    def postmaster(self) -> int | None:
        data = EmbeddedFolders.under(self.var).postgres / "data"
        return server_of(data / "postmaster.pid", str(data))

    def valkey(self) -> int | None:
        return server_of(EmbeddedFolders.under(self.var).var / "valkey/valkey.pid", "valkey-server")

    def find_launcher(self) -> int | None:
        """Return the launcher's process id, or None until it supervises the processes."""
        try:
            return int((self.var / "run.pid").read_text())
        except (FileNotFoundError, ValueError):
            return None

    def _list_processes(self) -> dict[int, str]:
        """Return the names of the site's processes by id, without the launcher."""
        launcher = self.launcher.pid if self.launcher is not None else 0
        found = {}
        for pid in processes_with("OPENRUMMY_VAR", str(self.var)):
            with suppress(psutil.Error):  # it has just ended
                found[pid] = str(psutil.Process(pid).name())
        found.pop(launcher, None)
        return found
