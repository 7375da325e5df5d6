"""Web and clock processes of their own on the test database."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

from tests.pooler import environment_of_pooler
from tests.ports import find_free_port

ROOT = Path(__file__).resolve().parents[1]


@dataclass
class Processes:
    """The processes that a test has started; only these are ever ended."""

    environment: dict[str, str]
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def web(self) -> tuple[str, subprocess.Popen[bytes]]:
        port = find_free_port()
        process = self._start(
            "-m", "uvicorn", "config.asgi:application", "--port", str(port),
            "--ws", "websockets-sansio", "--log-level", "warning",
        )  # fmt: skip
        address = f"http://127.0.0.1:{port}"
        for _ in range(200):
            try:
                urllib.request.urlopen(f"{address}/healthz", timeout=5).close()  # noqa: S310
            except OSError:
                time.sleep(0.1)
            else:
                return address, process
        raise AssertionError("the web process does not answer")

    def clock(self) -> subprocess.Popen[bytes]:
        return self._start("manage.py", "clock")

    def _start(self, *command: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen([sys.executable, *command], env=self.environment, cwd=ROOT)
        self.running.append(process)
        return process

    def end(self) -> None:
        for process in self.running:
            if process.poll() is None:
                process.terminate()
        for process in self.running:
            process.wait(15)


@contextmanager
def separate_processes(**given: str) -> Iterator[Processes]:
    """Ended with the test, which needs `transactional_db`; `given`: more of their environment."""
    database = str(connection.settings_dict["NAME"])
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{database}").geturl()
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        # One login for both: the application's connections step down to its role.
        "DATABASE_URL": url,
        **environment_of_pooler(url),
        "DATABASE_POOL_SIZE": "6",
        "SECRET_KEY": settings.SECRET_KEY,
        **given,
    }
    started = Processes(environment)
    try:
        yield started
    finally:
        started.end()


def kill(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait(10)
