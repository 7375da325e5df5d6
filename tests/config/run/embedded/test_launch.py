"""The first thing that somebody sees of the project: bin/run, in every state of the machine."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.config.run.embedded.site import measure_until
from tests.ports import find_free_port
from tests.programs import ROOT, Finished, run_python


def environment(var: Path, **more: str) -> dict[str, str]:
    """Nothing of the suite's own servers."""
    kept = {"PATH", "HOME", "LANG"}
    own = {name: value for name, value in os.environ.items() if name in kept}
    return {**own, "OPENRUMMY_VAR": str(var), "PYTHONPATH": str(ROOT), **more}


def launch(var: Path, **more: str) -> Finished:
    return run_python("-m", "config.run.launch", env=environment(var, **more), timeout=60)


@pytest.mark.parametrize(
    ("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
)
def test_a_port_in_use_is_reported_in_one_sentence(var: Path, family: int, host: str) -> None:
    with socket.socket(family) as server:
        server.bind((host, 0))
        server.listen()
        port = server.getsockname()[1]
        finished = launch(var, HOST=host, PORT=str(port))
    assert finished.returncode == 1
    assert finished.stderr.count("\n") == 1
    assert f"Port {port} of {host} cannot be used (Address already in use)" in finished.stderr


@pytest.mark.parametrize("port", ["0", "65536", "http", "-1", "८०००"])
def test_an_invalid_port_is_refused(var: Path, port: str) -> None:
    finished = launch(var, PORT=port)
    assert finished.returncode == 1
    assert finished.stderr == (f"openrummy: PORT must be a number from 1 to 65535, not {port!r}.\n")


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("DATABASE_URL", "postgresql://nobody:wrong@127.0.0.1:1/none"),
        ("DATABASE_URL", "postgresql://["),
        ("DATABASE_URL", "mysql://127.0.0.1/x"),
        ("DATABASE_URL", "nonsense"),
        ("REDIS_URL", "redis://127.0.0.1:1/0"),
        ("REDIS_URL", "nonsense"),
    ],
)
def test_a_broken_url_is_reported_in_one_sentence(var: Path, name: str, url: str) -> None:
    finished = launch(var, PORT=str(find_free_port()), **{name: url})
    assert finished.returncode == 1
    assert finished.stderr.startswith(f"openrummy: {name} ")
    assert finished.stderr.count("\n") == 1


def test_a_run_serves_the_lobby_alone_and_leaves_no_process(var: Path) -> None:
    with start_run(var) as running:
        second = launch(var, PORT=str(find_free_port()))
        assert second.returncode == 1
        assert second.stderr == "openrummy: OpenRummy runs in this folder already; stop it first.\n"
        assert processes_naming(var)
    assert running.code == 0
    assert processes_naming(var) == []
    assert running.phases == [
        "starting PostgreSQL and Valkey",
        "making the database",
        "making the demo data",
        "waiting for the first answer",
    ]
    assert "Player Meera: meera@example.com, password rummy-demo-1" in running.said
    assert "ERROR" not in running.said
    assert running.said.endswith("Ctrl-C stops it.\n\n")  # and no word of each process
    with start_run(var) as again:
        pass
    assert again.phases == ["starting PostgreSQL and Valkey", "waiting for the first answer"]
    assert "Player Meera: meera@example.com, password rummy-demo-1" in again.said
    assert "ERROR" not in again.said


@dataclass
class Run:
    """The output of a run, and its exit status once it has ended."""

    said: str = ""
    code: int | None = None

    @property
    def phases(self) -> list[str]:
        return re.findall(r"^openrummy: (.+) \.\.\. \d+\.\d s$", self.said, re.MULTILINE)


def begin_launch(var: Path, port: int, **given: Any) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "config.run.launch"],
        env=environment(var, PORT=str(port)),
        cwd=ROOT,
        start_new_session=True,
        **given,
    )


@contextmanager
def start_run(var: Path) -> Iterator[Run]:
    """Yield once the run has printed its accounts and serves the lobby; Ctrl-C at the end."""
    port, run, output = find_free_port(), Run(), var.with_name("output")
    with output.open("w") as file:
        running = begin_launch(var, port, stdout=file, stderr=file)
    try:
        wait_for_lobby(f"http://127.0.0.1:{port}/", running)
        measure_until(lambda: "Ctrl-C stops it." in output.read_text(), seconds=60)
        yield run
    finally:
        running.send_signal(signal.SIGINT)
        run.code = running.wait(30)
        run.said = output.read_text()


def wait_for_lobby(address: str, running: subprocess.Popen[bytes]) -> None:
    """Wait until the demo tables are shown."""

    def is_shown() -> bool:
        assert running.poll() is None, "bin/run has ended"
        try:
            return "Mango Grove" in requests.get(f"{address}tables/", timeout=5).text
        except OSError:
            return False

    measure_until(is_shown, seconds=120)


def processes_naming(var: Path) -> list[str]:
    """Command lines of running processes that belong to this run."""
    commands = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
            except OSError:
                continue
            if str(var).encode() in words and int(folder.name) != os.getpid():
                commands.append(words.split(b"\0")[0].decode())
    return commands
