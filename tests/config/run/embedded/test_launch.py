"""bin/run, the first thing that a newcomer sees of the project, in every state of the machine."""

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

import pytest
import requests

from config.run.launch import main
from tests.ports import find_free_port
from tests.programs import ROOT, Finished, run_python
from tests.workers import wait_until


def environment(var: Path, **more: str) -> dict[str, str]:
    """Return the environment of a local run, without the variables of the test run's servers."""
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
def test_an_invalid_port_is_refused(
    port: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["launch"])
    monkeypatch.setenv("PORT", port)
    assert main() == 1
    refused = f"openrummy: PORT must be a number from 1 to 65535, not {port!r}.\n"
    assert capsys.readouterr().err == refused


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
    # Redis is checked after the database, for which the tests' own is used.
    given = {} if name == "DATABASE_URL" else {"DATABASE_URL": os.environ["DATABASE_OWNER_URL"]}
    finished = launch(var, PORT=str(find_free_port()), **given, **{name: url})
    assert finished.returncode == 1
    assert finished.stderr.startswith(f"openrummy: {name} ")
    assert finished.stderr.count("\n") == 1


ACCOUNT = "Player Meera: meera@example.com, password rummy-demo-1"


def test_a_run_serves_the_lobby_alone_and_leaves_no_process(var: Path) -> None:
    with start_run(var, find_free_port()) as run:
        run.await_lobby()
        second = launch(var, PORT=str(find_free_port()))
        assert second.returncode == 1
        assert second.stderr == "openrummy: OpenRummy runs in this folder already; stop it first.\n"
        assert processes_naming(var)
    assert run.process.returncode == 0
    assert processes_naming(var) == []
    assert run.phases == [
        "starting PostgreSQL and Valkey",
        "making the database",
        "making the demo data",
        "waiting for the first answer",
    ]
    assert ACCOUNT in run.said
    assert "ERROR" not in run.said
    assert run.said.endswith("Ctrl-C stops it.\n\n")  # and nothing about single processes


@dataclass
class Run:
    """A running bin/run and the file with its output."""

    address: str
    process: "subprocess.Popen[bytes]"
    output: Path

    @property
    def said(self) -> str:
        return self.output.read_text()

    @property
    def phases(self) -> list[str]:
        return re.findall(r"^openrummy: (.+) \.\.\. \d+\.\d s$", self.said, re.MULTILINE)

    def await_lobby(self) -> None:
        """Wait until the lobby shows the demo tables and the accounts are printed."""

        def is_shown() -> bool:
            assert self.process.poll() is None, "bin/run has ended"
            try:
                return (
                    "Mango Grove" in requests.get(f"{self.address}tables/?free=1", timeout=5).text
                )
            except OSError:
                return False

        wait_until(is_shown)
        wait_until(lambda: "Ctrl-C stops it." in self.said)


@contextmanager
def start_run(var: Path, port: int) -> Iterator[Run]:
    """Start bin/run, and stop it with Ctrl-C after the block."""
    output = var.with_name("output")
    with output.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "config.run.launch"],
            env=environment(var, PORT=str(port)),
            cwd=ROOT,
            start_new_session=True,
            stdout=file,
            stderr=file,
        )
    try:
        yield Run(f"http://127.0.0.1:{port}/", process, output)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.wait(60)


def processes_naming(var: Path) -> list[str]:
    """Return the programs of the running processes whose command line or environment names this folder."""
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
