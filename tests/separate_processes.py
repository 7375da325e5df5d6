"""Web and clock processes that run separately on the test database."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.conf import settings

from tests.pooler import environment_of_pooler
from tests.ports import find_free_port
from tests.programs import ROOT, answers
from tests.workers import point_to_tests, wait_until


@dataclass
class Processes:
    """The processes that a test has started. `end` terminates these and no others."""

    environment: dict[str, str]
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def web(self) -> tuple[str, subprocess.Popen[bytes]]:
        port = find_free_port()
        process = self._start(
            "-m", "uvicorn", "config.asgi:application", "--port", str(port),
            "--ws", "websockets-sansio", "--log-level", "warning",
        )  # fmt: skip
        address = f"http://127.0.0.1:{port}"
        wait_until(lambda: answers(f"{address}/healthz"))
        return address, process

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
    """Yield a starter of processes, and end them after the block. The test needs `transactional_db`.

    `given` are further environment variables.
    """
    url = point_to_tests(os.environ["DATABASE_URL"])
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        # The owner's login does for both: the application's connections switch to its role.
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
