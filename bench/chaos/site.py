"""A whole site of its own under faults: bin/run in a folder and on a port of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from config.embedded.place import Place

ROOT = Path(__file__).resolve().parents[2]
SECONDS_TO_START = 180
# What bin/run says when the demonstration data are there and it serves.
SAID = b"OpenRummy is at"
# How a process is recognised by its command line.
KINDS = {
    "web": ("-m", "config.web"),
    "clock": ("manage.py", "clock"),
    "worker": ("--app", "config", "worker"),
    "beat": ("--app", "config", "beat"),
}


class Site:
    """Only processes of this site's own folder are ever touched."""

    def __init__(self, var: Path) -> None:
        self.var = var
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._log = (var / "log").open("ab")
        self.launcher: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = {
            **{name: value for name, value in os.environ.items() if name not in GIVEN},
            "OPENRUMMY_VAR": str(self.var),
            "PORT": str(self.port),
            "WEB_PROCESSES": "2",
            "TABLES_AT_ONCE": "1000",
            "LOG_LEVEL": "WARNING",
        }
        self.launcher = subprocess.Popen(
            [sys.executable, "-m", "config.launch"],
            cwd=ROOT,
            env=environment,
            stdout=self._log,
            stderr=self._log,
        )

    def await_ready(self, seconds: float = SECONDS_TO_START) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.answers() and SAID in (self.var / "log").read_bytes():
                return
            assert self.launcher is not None  # noqa: S101 - start() was called
            if self.launcher.poll() is not None:
                raise SystemExit(f"bin/run has ended; its log is {self.var / 'log'}")
            time.sleep(0.1)
        raise SystemExit(f"bin/run does not answer; its log is {self.var / 'log'}")

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/healthz", timeout=2):  # noqa: S310 - ours
                return True
        except (urllib.error.URLError, OSError):
            return False

    def stop(self) -> None:
        if self.launcher is not None and self.launcher.poll() is None:
            self.launcher.send_signal(signal.SIGTERM)
            self.launcher.wait(60)
        self._log.close()

    def processes(self, kind: str) -> list[int]:
        """The running processes of a kind; of a worker its children too."""
        wanted = KINDS[kind]
        return [
            pid
            for pid, words, environment in _all()
            if f"OPENRUMMY_VAR={self.var}".encode() in environment
            and all(word in words for word in wanted)
        ]

    def environment(self) -> dict[str, str]:
        """What the processes are told: where database and Valkey are."""
        web = self.processes("web")[0]
        pairs = Path(f"/proc/{web}/environ").read_bytes().split(b"\0")
        return dict(pair.decode().split("=", 1) for pair in pairs if b"=" in pair)

    def postmaster(self) -> int | None:
        return _pid_in(Place.under(self.var).postgres / "data/postmaster.pid")

    def valkey(self) -> int | None:
        return _pid_in(Place.under(self.var).var / "valkey/valkey.pid")


GIVEN = {"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "SECRET_KEY"}


def _all() -> list[tuple[int, list[str], list[bytes]]]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
            environment = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue  # it has ended, or is somebody else's
        found.append((int(folder.name), words, environment))
    return found


def _pid_in(file: Path) -> int | None:
    try:
        pid = int(file.read_text().split()[0])
        os.kill(pid, 0)
    except (OSError, ValueError, IndexError):
        return None
    return pid
