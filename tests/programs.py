"""Helpers that run a program to its end, and that check whether an address answers."""

import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
Finished = subprocess.CompletedProcess[str]


def run_program(
    *command: str | Path,
    env: Mapping[str, str] | None = None,
    cwd: Path = ROOT,
    check: bool = False,
    timeout: float | None = None,
) -> Finished:
    """Run a program in the project's folder. Return its status and output."""
    finished = subprocess.run(
        command, cwd=cwd, env=env, check=False, timeout=timeout, capture_output=True, text=True
    )
    if check:
        assert finished.returncode == 0, f"{finished.stdout[-3_000:]}{finished.stderr}"
    return finished


def run_python(
    *arguments: str,
    env: Mapping[str, str] | None = None,
    check: bool = False,
    timeout: float | None = None,
) -> Finished:
    """Run this Python with these arguments. Return its status and output."""
    return run_program(sys.executable, *arguments, env=env, check=check, timeout=timeout)


def answers(address: str, seconds: float = 5) -> bool:
    """Return whether the page at this address answers with success."""
    try:
        urllib.request.urlopen(address, timeout=seconds).close()  # noqa: S310 - our own address
    except OSError:
        return False
    return True
