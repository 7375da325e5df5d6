"""Keeps the processes of the Procfile running, and replaces them one after another.

`python -m config.run.supervisor` starts WEB_PROCESSES, WORKER_PROCESSES, CLOCK_PROCESSES and BEAT_PROCESSES
of them: by default 2 web processes and 1 of each other, but none of those that only a busy site needs
(`history`). A deployment may have only one beat, so the other machines have BEAT_PROCESSES=0. A process that
ends is restarted: at once if it was killed, after a growing pause if it failed. SIGTERM ends all; SIGUSR1
restarts them without an interruption: a web process, a clock and a worker end when their successor has
started. `python -m config.run.supervisor web` does this for one kind: the unit deploy/openrummy@.service.
"""

import contextlib
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from prometheus_client.multiprocess import mark_process_dead

from config.run.roster import Orphan, Roster
from config.run.warm_parent import ROLES, WarmParent
from config.run.web import LISTEN_FD, READY_FD, open_listener

logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
# While processes are starting, and where the system cannot report that one has ended.
SECONDS_BETWEEN_CHECKS = 0.1
# Otherwise the supervisor waits for events and polls only this often.
LONGEST_WAIT = 5.0
# The parent of a forked process reports its end only a moment later.
SECONDS_TO_TELL = 0.01
SECONDS_TO_END = 10
# A web process reports that it is ready; other processes count as ready after SECONDS_UNTIL_ASSUMED_READY.
SECONDS_TO_START = 30
SECONDS_UNTIL_ASSUMED_READY = 3
# A process that lived this long has started successfully.
SECONDS_OF_SUCCESSFUL_START = 5
# A process that keeps failing is restarted with growing pauses, up to this one.
LONGEST_PAUSE = 30
# Shut everything down if a process fails this many times before its first successful start.
STARTS = 5
# Signals from outside: kill, the system's out-of-memory killer, an operator.
KILLED = frozenset({-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP})
SHORTEST_PAUSE = 1
# 0: another process does this work until an operator starts processes for it.
PROCESSES = {"web": 2, "history": 0}
STARTED_FIRST = frozenset({"web", "clock"})
# Two of these at once would do everything twice.
ONE_AT_A_TIME = frozenset({"beat", "jobs"})


class CannotStartError(Exception):
    """A process ended before it was ready; the message names it."""


@dataclass
class Process:
    """A running process of a kind, and how often it has failed in a row."""

    kind: str
    number: int
    running: subprocess.Popen[bytes] | Orphan
    began: float
    failures: int = 0
    start_at: float | None = None  # when it is started again, if it has ended
    is_replaced: bool = False  # its successor is about to begin

    @property
    def name(self) -> str:
        return f"{self.kind}.{self.number}"


class Supervisor:
    """Runs the Procfile's processes with an environment, web processes on one listener or on one each."""

    def __init__(
        self,
        environment: Mapping[str, str],
        *listeners: socket.socket,
        roster: Roster | None = None,
        is_forking: bool = False,
        only: str | None = None,
    ) -> None:
        """With `is_forking`, run the ROLES of a warm parent in place of the Procfile's commands, with one listener.

        With `only`, run processes of that kind.
        """
        self._folder = TemporaryDirectory(prefix="openrummy-run-")
        # Each process stores its counters here, so that any of them can report the totals (/metrics).
        self._counts = Path(self._folder.name) / "counts"
        self._counts.mkdir()
        self._environment = {
            "BEAT_SCHEDULE": str(Path(self._folder.name) / "schedule"),
            **environment,
            "PROMETHEUS_MULTIPROC_DIR": str(self._counts),
        }
        self._listeners = listeners
        self._warm = None
        if is_forking:
            self._kinds: Sequence[str] = list(ROLES)
            [listener] = listeners
            self._warm = WarmParent(
                self._environment, listener, is_wanted=lambda: not self._stopped
            )
        else:
            self._commands = read_procfile((ROOT / "Procfile").read_text())
            self._kinds = list(self._commands) if only is None else [only]
        self._processes: list[Process] = []
        self._roster = roster
        self._came_up: set[str] = set()  # kinds of which a process has lived for a while
        self._stopped = False
        self._restart_wanted = False
        self._woken: socket.socket | None = None  # while it runs

    @property
    def is_running(self) -> bool:
        return not self._stopped

    def stop(self) -> None:
        """End everything. May be called from a signal handler or another thread."""
        self._stopped = True
        self._wake()

    def restart(self) -> None:
        """Replace every process. May be called from a signal handler or another thread."""
        self._restart_wanted = True
        self._wake()

    def run(self) -> None:
        """Run until `stop`. Raises CannotStartError if a kind never starts."""
        waking, self._woken = socket.socketpair()
        self._woken.settimeout(0)
        try:
            self._take_over()
            left = list(self._processes)
            self._start_all()
            if left:
                self._replace_all(left)
            while not self._stopped:
                if self._restart_wanted:
                    self._restart_wanted = False
                    self._replace_all(list(self._processes))
                self._revive()
                self._wait(waking)
        finally:
            self._end([process.running for process in self._processes])
            if self._warm is not None:
                self._warm.end_parent()
            self._folder.cleanup()
            waking.close()
            self._woken.close()

    def _wake(self) -> None:
        if self._woken is not None:
            with contextlib.suppress(OSError):  # it is awake anyway, or all has ended
                self._woken.send(b"!")

    def _wait(self, waking: socket.socket) -> None:
        """Wait until a process ends or is to be started again, or until `stop` or `restart` is called."""
        now = time.monotonic()
        resting = [one.start_at for one in self._processes if one.start_at is not None]
        seconds = min(max(0, min(resting, default=now + LONGEST_WAIT) - now), LONGEST_WAIT)
        running = [one.running.pid for one in self._processes if one.start_at is None]
        with open_watches(running) as watches:
            if len(watches) < len(running):
                seconds = min(seconds, SECONDS_BETWEEN_CHECKS)
            ready, _, _ = select.select([waking.fileno(), *watches], [], [], seconds)
        if waking.fileno() in ready:
            waking.recv(1_024)
        elif ready:
            time.sleep(SECONDS_TO_TELL)

    def _take_over(self) -> None:
        """Let the processes of a killed supervisor continue until their successors are ready."""
        wanted = {f"{kind}.{number}": (kind, number) for kind, number in self._list_wanted()}
        too_many = []
        for orphan in self._roster.orphans if self._roster is not None else ():
            if orphan.name in wanted:
                process = Process(*wanted.pop(orphan.name), orphan, time.monotonic())
                self._processes.append(process)
            else:
                too_many.append(orphan)
        self._end(too_many)

    def _start_all(self) -> None:
        """Start all processes, pages and deadlines first, so that people do not wait for the jobs as well."""
        there = {process.name for process in self._processes}
        missing = [one for one in self._list_wanted() if "{}.{}".format(*one) not in there]
        first = [one for one in missing if one[0] in STARTED_FIRST]
        if web := next((one for one in first if one[0] == "web"), None):
            reading, writing = os.pipe()
            try:
                started = self._start(*web, ready=writing)
                self._processes.append(started)
                os.close(writing)
                self._processes += [self._start(*one) for one in first if one != web]
                self._has_begun(started, reading)  # if it has not, it is revived as ever
            finally:
                os.close(reading)
        for kind, number in missing:
            if not self._stopped and (web is None or (kind, number) not in first):
                self._processes.append(self._start(kind, number))

    def _list_wanted(self) -> list[tuple[str, int]]:
        return [
            (kind, number) for kind in self._kinds for number in range(1, self._number_of(kind) + 1)
        ]

    def _number_of(self, kind: str) -> int:
        usual = PROCESSES.get(kind, 1) or int(self._kinds == [kind])
        wanted = int(self._environment.get(f"{kind.upper()}_PROCESSES") or usual)
        return min(wanted, 1) if kind in ONE_AT_A_TIME else wanted

    def _start(self, kind: str, number: int, *, ready: int | None = None) -> Process:
        name = f"{kind}.{number}"
        if self._warm is not None:
            running = self._warm.start(kind, name, ready=ready)
        else:
            running = self._run_command(kind, number, ready)
        if self._roster is not None:
            self._roster.add(running.pid, name)
        return Process(kind, number, running, time.monotonic())

    def _run_command(self, kind: str, number: int, ready: int | None) -> subprocess.Popen[bytes]:
        handed = []
        environment = {**self._environment, "PROCESS_NAME": f"{kind}.{number}"}
        if kind == "web":
            listener = self._listeners[(number - 1) % len(self._listeners)]
            handed.append(listener.fileno())
            environment[LISTEN_FD] = str(listener.fileno())
        if ready is not None:
            handed.append(ready)
            environment[READY_FD] = str(ready)
        return subprocess.Popen(  # noqa: S603 - our own Procfile
            ["/bin/sh", "-c", f"exec {self._commands[kind]}"],
            env=environment,
            cwd=ROOT,
            pass_fds=handed,
            start_new_session=True,  # Ctrl-C reaches the supervisor alone, which ends the others
        )

    def _revive(self) -> None:
        """Restart processes that have ended."""
        now = time.monotonic()
        for place, process in enumerate(self._processes):
            if process.is_replaced:
                continue
            if process.start_at is None:
                if now - process.began > SECONDS_OF_SUCCESSFUL_START:
                    self._came_up.add(process.kind)
                if process.running.poll() is not None:
                    process.start_at = now + self._pause_after(process, now)
            elif process.start_at <= now:
                again = self._start(process.kind, process.number)
                again.failures = process.failures
                self._processes[place] = again

    def _pause_after(self, process: Process, now: float) -> float:
        """Record that a process has ended. Return the seconds to pause before its restart."""
        code, lived = process.running.returncode, now - process.began
        self._forget(process.running.pid)
        logger.error("%s ended by itself (%s); it is started again", process.name, code)
        if code in KILLED:
            process.failures = 0
            return max(0, SHORTEST_PAUSE - lived)
        process.failures = process.failures + 1 if lived < LONGEST_PAUSE else 0
        if process.failures >= STARTS and process.kind not in self._came_up:
            raise CannotStartError(f"{process.name} does not come up ({code})")
        return min(float(2**process.failures - 1), LONGEST_PAUSE)

    def _replace_all(self, processes: Sequence[Process]) -> None:
        logger.warning("replacing %s processes, one after another", len(processes))
        if self._warm is not None:
            self._warm.end_parent()  # it has the old code
        for old in processes:
            # A process that has ended in the meantime has already been replaced.
            if old in self._processes and old.start_at is None:
                try:
                    self._processes[self._processes.index(old)] = self._replace(old)
                except CannotStartError as error:
                    old.is_replaced = False
                    logger.error("%s; the old processes go on", error)  # noqa: TRY400 - no defect of ours
                    return
            if self._stopped:
                return
        logger.warning("every process has been replaced")

    def _replace(self, old: Process) -> Process:
        old.is_replaced = True
        if old.kind in ONE_AT_A_TIME:
            self._end([old.running])
            return self._start(old.kind, old.number)
        reading, writing = os.pipe()
        try:
            new = self._start(old.kind, old.number, ready=writing)
            os.close(writing)
            if not self._has_begun(new, reading):
                self._end([new.running])
                reason = "is not wanted any more" if self._stopped else "does not come up"
                raise CannotStartError(f"the new {new.name} {reason}")
        finally:
            os.close(reading)
        self._end([old.running])
        return new

    def _has_begun(self, new: Process, reading: int) -> bool:
        """Return whether a process has started: a web process writes to the pipe, any other has to live for a while."""
        wait = SECONDS_TO_START if new.kind == "web" else SECONDS_UNTIL_ASSUMED_READY
        until = new.began + wait
        while time.monotonic() < until and not self._stopped:
            self._revive()  # the others: what ends meanwhile is not left alone for so long
            readable, _, _ = select.select([reading], [], [], SECONDS_BETWEEN_CHECKS)
            if readable and new.kind == "web":
                return os.read(reading, 1) == b"1"  # nothing to read: it has ended
            if new.running.poll() is not None:
                return False
        return new.kind != "web"

    def _end(self, running: Sequence[subprocess.Popen[bytes] | Orphan]) -> None:
        """Ask a process to end, and after a while kill it with its children."""
        for process in running:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        until = time.monotonic() + SECONDS_TO_END
        for process in running:
            try:
                process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            self._forget(process.pid)

    def _forget(self, process_id: int) -> None:
        """Forget a process: its open connections no longer count, but its counters do."""
        if self._roster is not None:
            self._roster.remove(process_id)
        mark_process_dead(process_id, str(self._counts))  # type: ignore[no-untyped-call]


@contextlib.contextmanager
def open_watches(process_ids: Iterable[int]) -> Iterator[list[int]]:
    """Return a descriptor for each running process, readable once it ends; none if the system has no such thing."""
    with contextlib.ExitStack() as until_read:
        watches: list[int] = []
        for process_id in process_ids if hasattr(os, "pidfd_open") else ():
            with contextlib.suppress(OSError):  # it has ended and is gone: the next look finds that
                watches.append(os.pidfd_open(process_id))
                until_read.callback(os.close, watches[-1])
        yield watches


def read_procfile(text: str) -> dict[str, str]:
    """Return commands by kind of process. A line is `kind: command`, # begins a comment."""
    lines = [line.strip() for line in text.splitlines()]
    pairs = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return {kind.strip(): command.strip() for kind, _, command in pairs}


def open_listeners(host: str, port: int, environment: Mapping[str, str]) -> list[socket.socket]:
    """Open one listener for all web processes, or with WEB_LISTENERS=own one for each, from this port on.

    With the latter a proxy can choose the process (docs/scaling.md).
    """
    is_own = environment.get("WEB_LISTENERS") == "own"
    number = int(environment.get("WEB_PROCESSES") or PROCESSES["web"]) if is_own else 1
    return [open_listener(host, port + place) for place in range(number)]


def main() -> int:
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=logging.INFO)
    kinds = [*read_procfile((ROOT / "Procfile").read_text())]
    if sys.argv[1:] not in ([], *([kind] for kind in kinds)):
        sys.exit(f"openrummy: name none or one of {', '.join(kinds)}")
    only = next(iter(sys.argv[1:]), None)
    host, port = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8000"))
    listeners = open_listeners(host, port, os.environ) if only in {None, "web"} else []
    supervisor = Supervisor(os.environ, *listeners, only=only)
    signal.signal(signal.SIGINT, lambda *_: supervisor.stop())
    signal.signal(signal.SIGTERM, lambda *_: supervisor.stop())
    signal.signal(signal.SIGUSR1, lambda *_: supervisor.restart())
    supervisor.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
