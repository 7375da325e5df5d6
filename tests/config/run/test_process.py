"""One process of the Procfile for itself, as its unit of systemd starts it."""

import configparser
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from config.run.supervisor import read_procfile
from tests.config.run.embedded.site import free_port
from tests.workers import wait_until

ROOT = Path(__file__).resolve().parents[3]
KINDS = read_procfile((ROOT / "Procfile").read_text())


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:  # noqa: S310 - our own address
            return bool(answer.status == 200)
    except OSError:
        return False


def test_the_unit_starts_one_kind_and_the_document_names_them_all():
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(ROOT / "deploy/openrummy@.service")
    assert "exec python -m config.run.process %i" in unit["Service"]["ExecStart"]
    assert unit["Service"]["Restart"] == "always"
    named = "openrummy@{" + ",".join(sorted(KINDS, key=list(KINDS).index)) + "}"
    text = (ROOT / "docs/operations.md").read_text()
    listed = text[text.index("openrummy@{") :].partition("}")[0].removeprefix("openrummy@{")
    assert set(listed.split(",")) == set(KINDS), named


@pytest.mark.parametrize("arguments", [[], ["none"], ["web", "clock"]])
def test_what_is_no_process_is_refused_with_the_names(arguments):
    command = [sys.executable, "-m", "config.run.process", *arguments]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 1
    assert finished.stderr == f"openrummy: name one of {', '.join(KINDS)}\n"


def test_a_web_process_takes_the_place_of_its_unit_and_ends_when_it_is_told(transactional_db):
    port = free_port()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    running = subprocess.Popen(
        [sys.executable, "-m", "config.run.process", "web"],
        cwd=ROOT.parent,
        env={**os.environ, "PATH": path, "PORT": str(port), "PYTHONPATH": str(ROOT)},
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"))
        # The number that systemd knows is that of the web process itself.
        command = Path(f"/proc/{running.pid}/cmdline").read_bytes().split(b"\0")
        assert command[1:3] == [b"-m", b"config.run.web"]
    finally:
        running.send_signal(signal.SIGTERM)
        assert running.wait(20) in {0, -signal.SIGTERM}
