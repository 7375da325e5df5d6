"""Real Celery workers on the tests' database and Redis, for tests of jobs."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import redis
from celery import current_app
from django.conf import settings
from django.db import connection

from tests.programs import ROOT


def point_to_tests(url: str) -> str:
    """Return the URL of the tests' database on the server of this URL."""
    return urlsplit(url)._replace(path=f"/{connection.settings_dict['NAME']}").geturl()


def environment() -> dict[str, str]:
    """Return the environment of an application process that uses the tests' database."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        "DATABASE_URL": point_to_tests(os.environ["DATABASE_URL"]),
        "DATABASE_POOL": "0",
        "BOTS_WAIT_FOR_PEOPLE": "0",
        "SECRET_KEY": settings.SECRET_KEY,
        "PYTHONPATH": str(ROOT),
    }


@dataclass
class Workers:
    """The workers that a test has started. `end` kills these and no others."""

    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, *options: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [
                sys.executable, "-m", "celery", "--quiet", "--app", "config", "worker",
                "--pool", "solo", "--loglevel", "info", *options,
            ],
            env=environment(),
            cwd=ROOT,
        )  # fmt: skip
        self.running.append(process)
        return process

    def end(self) -> None:
        for process in self.running:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
        for process in self.running:
            process.wait(15)


def empty_redis() -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.flushall()


def count_waiting_jobs() -> dict[str, int]:
    """Return the number of waiting jobs by queue."""
    with redis.Redis.from_url(settings.JOBS_REDIS_URL, decode_responses=True) as client:
        lists = [key for key in client.scan_iter() if client.type(key) == "list"]
        return {key: client.llen(key) for key in lists}


def do_waiting_jobs(name: str) -> None:
    """Run the waiting jobs of a queue in this process, as a worker would."""
    current_app.loader.import_default_modules()
    with current_app.connection_for_read() as connection, connection.SimpleQueue(name) as queue:
        for _ in range(queue.qsize()):
            message = queue.get(block=False)
            arguments, named, _embedded = message.payload
            current_app.tasks[message.headers["task"]](*arguments, **named)
            message.ack()


def wait_until(reached, *, seconds=90, meanwhile=lambda: None):
    """Wait until `reached` returns a true value, else fail. A worker takes three seconds to start, or many
    times that on a busy machine.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if reached():
            return
        meanwhile()
        time.sleep(0.05)
    raise AssertionError(f"it did not come to that; jobs that wait: {count_waiting_jobs()}")
