"""A whole site of its own under faults: bin/run in a folder and on a port of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

from config.run.embedded.place import Place
from config.run.roster import Roster

ROOT = Path(__file__).resolve().parents[2]
SECONDS_TO_START = 180
SECONDS_TO_VANISH = 10
# What bin/run says when the demonstration data are there and it serves.
SAID = b"OpenRummy is at"
# It has servers of its own, whatever the environment says.
OF_ANOTHER_SITE = {
    *("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_REPLICA_URL"),
    *("REDIS_URL", "DJANGO_SETTINGS_MODULE", "SECRET_KEY"),
}


class Site:
    """Only processes of this site's own folder are ever touched."""

    def __init__(self, var: Path, **given: str) -> None:
        """`given`: what bin/run finds in its environment besides."""
        self.var = var
        self._given = given
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
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

    def await_ready(self, seconds: float = SECONDS_TO_START) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.answers() and SAID in self.log.read_bytes():
                return
            assert self.launcher is not None  # noqa: S101 - start() was called
            if self.launcher.poll() is not None:
                raise SystemExit(f"bin/run has ended:\n{self.log.read_text()[-2000:]}")
            time.sleep(0.1)
        raise SystemExit(f"bin/run does not answer:\n{self.log.read_text()[-2000:]}")

    def answers(self, page: str = "/healthz") -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}{page}", timeout=2):  # noqa: S310 - ours
                return True
        except (urllib.error.URLError, OSError):
            return False

    def stop(self) -> list[str]:
        """Stop the site. Returns what was left of it and had to be ended: nothing should be."""
        if self.launcher is not None and self.launcher.poll() is None:
            self.launcher.send_signal(signal.SIGTERM)
            self.launcher.wait(60)
        self._log.close()
        until = time.monotonic() + SECONDS_TO_VANISH
        while (left := self._own()) and time.monotonic() < until:
            time.sleep(0.2)
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return [f"left behind: {name or 'a process'} ({pid})" for pid, name in left.items()]

    def processes(self, kind: str) -> list[int]:
        """The running processes of a kind."""
        return [pid for name, pid in self.leaders() if name.partition(".")[0] == kind]

    def parents(self) -> list[int]:
        """The warm parent that the others are forked from."""
        launcher = str(self.launcher.pid) if self.launcher is not None else ""
        found = []
        for pid in self._own():
            with suppress(OSError):
                parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
                words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                if parent == launcher and b"config.run.warm_parent" in words:
                    found.append(pid)
        return found

    def leaders(self) -> set[tuple[str, int]]:
        """Name and number of what the supervisor has started, without children of those."""
        return {(one.name, one.pid) for one in Roster(self.var / "processes.json").orphans}

    def environment(self) -> dict[str, str]:
        """Return the environment of the processes: the addresses of database and Valkey."""
        pairs = Path(f"/proc/{self.processes('web')[0]}/environ").read_bytes().split(b"\0")
        return dict(pair.decode().split("=", 1) for pair in pairs if b"=" in pair)

    def postmaster(self) -> int | None:
        data = Place.under(self.var).postgres / "data"
        return _server(data / "postmaster.pid", str(data))

    def valkey(self) -> int | None:
        return _server(Place.under(self.var).var / "valkey/valkey.pid", "valkey-server")

    def running_launcher(self) -> int | None:
        """Once it has begun to look after the processes."""
        try:
            return int((self.var / "run.pid").read_text())
        except (FileNotFoundError, ValueError):
            return None

    def _own(self) -> dict[int, str]:
        """The site's processes with what the supervisor calls them, if it has started them."""
        mark = f"OPENRUMMY_VAR={self.var}".encode()
        launcher = self.launcher.pid if self.launcher is not None else 0
        names = {pid: name for name, pid in self.leaders()}
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            pid = int(folder.name)
            try:
                environment = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue  # it has ended, or is somebody else's
            if mark in environment and pid not in (launcher, os.getpid()):
                found[pid] = names.get(pid, "")
        return found


def _server(file: Path, word: str) -> int | None:
    """The number in a file, if the process that has it is the server: numbers are given again."""
    try:
        pid = int(file.read_text().split()[0])
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except (OSError, ValueError, IndexError):
        return None
    return pid if word in words else None
