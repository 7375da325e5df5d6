"""The processes that a bench starts: waiting for them, reading their CPU time and memory, signalling them."""

import contextlib
import os
import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from pathlib import Path

import psutil  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parents[1]


class SiteError(Exception):
    """A part of a site does not start or does not recover. The message names it."""


def wait_until(
    holds: Callable[[], object],
    seconds: float,
    reason: Callable[[], str] = lambda: "nothing",
    *,
    pause: float = 0.1,
) -> None:
    """Wait until `holds` returns true. After `seconds`, raise SiteError with the end of the reason."""
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            raise SiteError(reason()[-2000:])
        time.sleep(pause)


def answers(address: str) -> bool:
    """Return whether a URL answers with success."""
    try:
        with urllib.request.urlopen(address, timeout=3):  # noqa: S310 - a bench's own site
            return True
    except (urllib.error.URLError, OSError):
        return False


def cpu_seconds(pids: Iterable[int]) -> float:
    """Return the processor time of running processes, and of their children that have ended."""
    return float(sum(sum(psutil.Process(pid).cpu_times()[:4]) for pid in pids))


def cpu_seconds_below(pid: int) -> float:
    """Return the processor time of a process and of all its descendants."""
    return cpu_seconds([pid, *descendants(pid)])


def descendants(pid: int) -> list[int]:
    try:
        return [child.pid for child in psutil.Process(pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def names_of(supervisor: subprocess.Popen[bytes] | None) -> dict[int, str]:
    """Return the names of the processes that a supervisor has started, by process id."""
    found = {}
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(supervisor.pid).children() if supervisor is not None else ():
            with contextlib.suppress(psutil.Error):  # it has just ended
                if re.fullmatch(r"[a-z]+\.\d+", name := child.name()):
                    found[child.pid] = name
    return found


def processes_with(name: str, value: str) -> list[int]:
    """Return the ids of other processes in whose environment this variable has this value."""
    return [
        process.pid
        for process in psutil.process_iter(["environ"])
        if (process.info["environ"] or {}).get(name) == value and process.pid != os.getpid()
    ]


def send_signal(number: int, pids: Iterable[int]) -> None:
    """Send a signal to processes, skipping those that have ended."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def server_of(pid_file: Path, word: str) -> int | None:
    """Return the process id in a pid file, or None if that process's command does not contain `word`.

    The check is needed because process ids are reused.
    """
    try:
        pid = int(pid_file.read_text().split()[0])
        command = " ".join(psutil.Process(pid).cmdline())
    except (OSError, ValueError, IndexError, psutil.Error):
        return None
    return pid if word in command else None
