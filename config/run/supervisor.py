"""Keeps the processes of the Procfile running, and replaces them one after another.

`python -m config.run.supervisor` imports the site once and forks WEB_PROCESSES, WORKER_PROCESSES, CLOCK_PROCESSES
and BEAT_PROCESSES processes: by default 2 web processes and 1 of each other kind, but none of the kinds that only a
busy site needs (`history`). A deployment may have only one beat, so all machines but one set BEAT_PROCESSES=0. A
process that ends is restarted: at once if it was killed, after a growing pause if it failed. SIGTERM ends all.

SIGUSR1 replaces all processes without an interruption. The supervisor executes its new code and keeps its process
id, children and listeners. It imports the new site, and forks a successor of each process before that process ends.
If the new code cannot be imported, the old processes go on. When the supervisor is killed, the system ends its
children.

`python -m config.run.supervisor web` does this for one kind only, as in the unit deploy/openrummy@.service.
`bin/run` becomes a supervisor of Procfile.local (config/run/launch.py).
"""

import json
import logging
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from config.run.forking import HANDLED, LISTEN_FD, READY_FD, Forked, fork, import_site
from config.run.listening import open_listener

logger = logging.getLogger("config.run.supervisor")  # it runs as __main__

ROOT: Final = Path(__file__).resolve().parents[2]
# The variable with the state that a supervisor passes on when it executes its program anew.
HANDOVER: Final = "SUPERVISOR_HANDOVER"
SECONDS_TO_END = 10
# In a local run somebody is waiting. A killed job is delivered again, and sockets reconnect.
SECONDS_TO_END_LOCALLY = 2
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
STARTED_FIRST = frozenset({"web", "clock", "greeting"})
# Two of these at once would do everything twice.
ONE_AT_A_TIME = frozenset({"beat", "jobs", "servers", "greeting"})
# PostgreSQL and Valkey of a local run. They outlive replacements, end last, and take their time for it.
SERVERS = "servers"
SECONDS_TO_END_SERVERS = 60
# Kinds of process that end by themselves when their work is done.
ONCE = frozenset({"greeting"})


class CannotStartError(Exception):
    """A process ended before it was ready. The message names it."""


@dataclass
class Process:
    """A process of a kind, with the number of its failures in a row. Its exit `code` is None until it has ended."""

    kind: str
    number: int
    pid: int
    began: float
    failures: int = 0
    start_at: float | None = None  # when it is started again, if it has ended
    code: int | None = None
    is_replaced: bool = False  # its successor is about to begin

    @property
    def name(self) -> str:
        return f"{self.kind}.{self.number}"


@dataclass
class Handover:
    """State that survives when the supervisor executes new code.

    It contains the processes, open descriptors, and the folder of the processes' counters.
    """

    listeners: list[int] = field(default_factory=list)
    processes: list[Process] = field(default_factory=list)
    lock: int | None = None  # held until the last process has ended
    folder: str = ""
    # Kinds of which a process has lived for a while.
    came_up: list[str] = field(default_factory=list)
    is_restart: bool = False  # every process is to be replaced

    def execute(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        """Execute a Python program in place of this one. Raises OSError if it cannot be executed."""
        kept = [*self.listeners, *([] if self.lock is None else [self.lock])]
        for descriptor in kept:
            os.set_inheritable(descriptor, True)  # noqa: FBT003 - of the standard library
        # Until the program has its handlers a signal waits, and does not end it.
        signal.pthread_sigmask(signal.SIG_BLOCK, HANDLED)
        try:
            handing = {**environment, HANDOVER: json.dumps(asdict(self))}
            os.execve(sys.executable, [sys.executable, *arguments], handing)  # noqa: S606 - ourselves
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, HANDLED)

    @classmethod
    def take(cls) -> "Handover":
        """Return the state that the previous program has left in the environment, or an empty one if there was none."""
        left: dict[str, Any] = json.loads(os.environ.pop(HANDOVER, "{}"))
        left["processes"] = [Process(**one) for one in left.get("processes", ())]
        taken = cls(**left)
        for descriptor in (*taken.listeners, taken.lock):
            if descriptor is not None:
                os.set_inheritable(descriptor, False)  # noqa: FBT003 - likewise
        return taken


class Supervisor:
    """Runs the processes of a Procfile, or with `only` those of one kind.

    Web processes share one listener, or have one each.
    """

    def __init__(
        self, commands: Mapping[str, str], given: Handover, *, only: str | None = None
    ) -> None:
        # Python's arguments that run what goes on as this supervisor.
        self.program = sys.orig_argv[1:]
        self._commands = commands if only is None else {only: commands[only]}
        self._given = given
        self._processes = given.processes
        self._waking, self._woken = os.pipe()
        self._stopped = False
        self._restart_wanted = False
        self._is_imported = False
        given.folder = given.folder or tempfile.mkdtemp(prefix="openrummy-run-")
        # Each process stores its counters here, so that any of them can report the totals (/metrics).
        self._counts = Path(given.folder) / "counts"
        self._counts.mkdir(parents=True, exist_ok=True)
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(self._counts)
        os.environ.setdefault("BEAT_SCHEDULE", str(Path(given.folder) / "schedule"))

    def run(self) -> None:
        """Run until SIGTERM or Ctrl-C. Raises CannotStartError if a kind never starts, and Forked in a new process."""
        self._handle_signals()
        try:
            self._import()
            if self._is_imported:
                left = list(self._processes)
                self._start_all()
                if self._given.is_restart:
                    self._replace_all(left)
            while not self._stopped:
                if self._restart_wanted:
                    self._execute_anew(is_restart=True)
                self._revive()
                # Both calls above read signals, so a signal may have arrived already: do not wait for it.
                if not self._has_news():
                    self._wait()
        except Forked:
            raise
        except BaseException:
            self._end_all()
            raise
        self._end_all()

    def _is_ending(self) -> bool:
        return self._stopped

    def _has_news(self) -> bool:
        return self._stopped or self._restart_wanted

    def _handle_signals(self) -> None:
        """Write each signal's number to a pipe, and do nothing else in the handler."""
        os.set_blocking(self._waking, False)
        os.set_blocking(self._woken, False)
        signal.set_wakeup_fd(self._woken)
        for signum in HANDLED:
            signal.signal(signum, lambda *_: None)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HANDLED)

    def _import(self) -> None:
        """Import the site. If that fails, running processes go on.

        The first start imports only the code of the kinds that start first, and raises CannotStartError if that fails.
        The code for jobs is imported later.
        """
        is_new = all(process.kind == SERVERS for process in self._processes)
        first = STARTED_FIRST.intersection(self._commands)
        kinds = first if is_new and first else self._commands
        try:
            import_site([self._commands[kind] for kind in kinds])
        except (Exception, SystemExit) as error:  # whatever is wrong with it
            logger.exception("the code cannot be imported; what runs goes on as it is")
            if is_new:
                raise CannotStartError("The site cannot be imported.") from error
            return
        self._read_signals()
        self._is_imported = True
        for process in self._processes:
            if process.start_at is not None:
                process.start_at = time.monotonic()

    def _wait(self, seconds: float | None = None) -> None:
        """Wait for a signal, at most for this many seconds.

        Without `seconds`, wait at most until a process is due to be started again.
        """
        if seconds is None:
            resting = [one.start_at for one in self._processes if one.start_at is not None]
            seconds = max(0, min(resting) - time.monotonic()) if resting else None
        if select.select([self._waking], [], [], seconds)[0]:
            self._read_signals()

    def _read_signals(self) -> None:
        with suppress(BlockingIOError):
            came = {*os.read(self._waking, 4_096)}
            self._stopped |= bool(came & {signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
            self._restart_wanted |= signal.SIGUSR1 in came

    def _execute_anew(self, *, is_restart: bool) -> None:
        """Execute the code that is installed now. Returns only if that fails."""
        self._restart_wanted = False
        # Try the import in another process: if this one executed code that cannot be imported, no supervisor
        # would be left to report it.
        asked = subprocess.run(
            [sys.executable, "-c", "import config.run.supervisor"], cwd=ROOT, check=False
        )
        # Signals until now are in the pipe, which ends with this program; later signals stay pending for the next.
        signal.pthread_sigmask(signal.SIG_BLOCK, HANDLED)
        self._read_signals()
        self._given.is_restart = is_restart or self._restart_wanted
        if asked.returncode == 0 and not self._stopped:
            with suppress(OSError):
                self._given.execute(self.program, os.environ)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HANDLED)
        if self._stopped:
            return
        logger.error("the new code cannot be executed; the old processes go on")

    # --- Starting ---------------------------------------------------------------------------------

    def _start_all(self) -> None:
        """Start the missing processes.

        Pages and deadlines come first, so that people do not wait for the jobs as well.
        """
        there = {process.name for process in self._processes}
        wanted = [] if self._stopped else self._list_wanted()
        missing = [one for one in wanted if "{}.{}".format(*one) not in there]
        first = [one for one in missing if one[0] in STARTED_FIRST]
        if web := next((one for one in first if one[0] == "web"), None):
            reading, writing = os.pipe()
            started = self._start(*web, ready=(reading, writing))
            self._processes.append(started)
            self._processes += [self._start(*one, closes=[reading]) for one in first if one != web]
            self._has_begun(started, reading)  # if it has not started, it is restarted as usual
        self._import()
        for kind, number in missing:
            if not self._stopped and (web is None or (kind, number) not in first):
                self._processes.append(self._start(kind, number))

    def _list_wanted(self) -> list[tuple[str, int]]:
        return [
            (kind, number)
            for kind in self._commands
            if kind not in ONCE.intersection(self._given.came_up)
            for number in range(1, self._count_processes(kind) + 1)
        ]

    def _count_processes(self, kind: str) -> int:
        usual = PROCESSES.get(kind, 1) or int([*self._commands] == [kind])
        wanted = int(os.environ.get(f"{kind.upper()}_PROCESSES") or usual)
        return min(wanted, 1) if kind in ONE_AT_A_TIME else wanted

    def _start(
        self,
        kind: str,
        number: int,
        *,
        ready: tuple[int, int] | None = None,
        closes: Sequence[int] = (),
    ) -> Process:
        """Start a process. It can report on the pipe `ready` that it is ready."""
        environment, listeners = {}, self._given.listeners
        keeps = []
        if kind == "web":
            keeps.append(listeners[(number - 1) % len(listeners)])
            environment[LISTEN_FD] = str(keeps[0])
        if ready is not None:
            closes = [*closes, ready[0]]
            keeps.append(ready[1])
            environment[READY_FD] = str(ready[1])
        closes = [*closes, self._waking, self._woken, *({*listeners} - {*keeps})]
        # Servers that are killed would have to be recovered.
        farewell = signal.SIGTERM if kind == SERVERS else signal.SIGKILL
        pid = fork(
            self._commands[kind],
            f"{kind}.{number}",
            environment,
            keeps=keeps,
            closes=closes,
            at_parents_death=farewell,
        )
        if ready is not None:
            os.close(ready[1])
        return Process(kind, number, pid, time.monotonic())

    def _revive(self) -> None:
        """Restart processes that have ended."""
        now = time.monotonic()
        for process in list(self._processes):
            if process.is_replaced:
                continue
            if process.start_at is None:
                if self._has_ended(process):
                    self._plan_restart(process, now)
            elif process.start_at <= now and self._is_imported:
                again = self._start(process.kind, process.number)
                again.failures = process.failures
                self._processes[self._processes.index(process)] = again
            elif process.start_at <= now:
                process.failures += 1
                process.start_at = now + _pause_after(process.failures)
                self._execute_anew(is_restart=False)  # perhaps the code has been fixed

    def _has_ended(self, process: Process) -> bool:
        if process.code is None:
            ended, status = os.waitpid(process.pid, os.WNOHANG)
            if ended:
                process.code = os.waitstatus_to_exitcode(status)
                self._forget(process)
        return process.code is not None

    def _plan_restart(self, process: Process, now: float) -> None:
        """Set the time, after a pause, at which a process that has ended is started again."""
        code, lived = process.code, now - process.began
        if process.kind in ONCE and code == 0:
            self._given.came_up.append(process.kind)
            self._processes.remove(process)
            return
        came_up = self._given.came_up
        if lived > SECONDS_OF_SUCCESSFUL_START and process.kind not in {*ONCE, *came_up}:
            came_up.append(process.kind)
        logger.error("%s ended by itself (%s); it is started again", process.name, code)
        if code in KILLED:
            process.failures = 0
            process.start_at = now + max(0, SHORTEST_PAUSE - lived)
            return
        process.failures = process.failures + 1 if lived < LONGEST_PAUSE else 0
        if process.failures >= STARTS and process.kind not in came_up:
            raise CannotStartError(f"{process.name} does not come up ({code})")
        process.start_at = now + _pause_after(process.failures)

    # --- Replacing --------------------------------------------------------------------------------

    def _replace_all(self, processes: Sequence[Process]) -> None:
        old = [one for one in processes if one.kind != SERVERS and one.kind not in ONCE]
        logger.warning("replacing %s processes, one after another", len(old))
        for process in old:
            # A process that has ended in the meantime has already been replaced.
            if process in self._processes and process.start_at is None:
                try:
                    self._processes[self._processes.index(process)] = self._replace(process)
                except CannotStartError as error:
                    process.is_replaced = False
                    logger.error("%s; the old processes go on", error)  # noqa: TRY400 - no defect of ours
                    return
            if self._stopped:
                return
        logger.warning("every process has been replaced")

    def _replace(self, old: Process) -> Process:
        old.is_replaced = True
        if old.kind in ONE_AT_A_TIME:
            self._end([old], SECONDS_TO_END)
            return self._start(old.kind, old.number)
        reading, writing = os.pipe()
        new = self._start(old.kind, old.number, ready=(reading, writing))
        if not self._has_begun(new, reading):
            self._end([new], SECONDS_TO_END)
            reason = "is not wanted any more" if self._stopped else "does not come up"
            raise CannotStartError(f"the new {new.name} {reason}")
        self._end([old], SECONDS_TO_END)
        return new

    def _has_begun(self, new: Process, reading: int) -> bool:
        """Wait until a process has started, and return whether it has.

        A web process writes to the pipe; any other must live for a while.
        """
        tells = new.kind == "web"
        until = new.began + (SECONDS_TO_START if tells else SECONDS_UNTIL_ASSUMED_READY)
        try:
            while (seconds := until - time.monotonic()) > 0 and not self._stopped:
                self._revive()  # other processes that end meanwhile must not wait so long for their restart
                if self._is_ending():
                    break
                resting = [one.start_at for one in self._processes if one.start_at is not None]
                seconds = min([seconds, *(max(0, at - time.monotonic()) for at in resting)])
                heard, _, _ = select.select([self._waking, reading], [], [], seconds)
                self._read_signals()
                if reading in heard and (tells or self._has_ended(new)):
                    return os.read(reading, 1) == b"1"  # nothing to read: it has ended
                if self._has_ended(new):
                    return False
            return not tells and not self._stopped
        finally:
            os.close(reading)

    # --- Ending -----------------------------------------------------------------------------------

    def _end_all(self) -> None:
        running = [process for process in self._processes if process.start_at is None]
        servers = [process for process in running if process.kind == SERVERS]
        others = [process for process in running if process.kind != SERVERS]
        self._end(others, SECONDS_TO_END_LOCALLY if servers else SECONDS_TO_END)
        self._end(servers, SECONDS_TO_END_SERVERS)
        shutil.rmtree(self._given.folder, ignore_errors=True)

    def _end(self, processes: Sequence[Process], seconds: float) -> None:
        """Ask processes to end. Those that are still running after this many seconds are killed with their children."""
        for process in processes:
            if not self._has_ended(process):
                os.kill(process.pid, signal.SIGTERM)
        until = time.monotonic() + seconds
        while left := [process for process in processes if not self._has_ended(process)]:
            if time.monotonic() > until:
                break
            self._wait(max(0, until - time.monotonic()))
        for process in left:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            _, status = os.waitpid(process.pid, 0)
            process.code = os.waitstatus_to_exitcode(status)
            self._forget(process)

    def _forget(self, process: Process) -> None:
        """Drop a dead process's gauges, such as open connections, from the metrics. Its counters are kept."""
        from prometheus_client.multiprocess import (  # noqa: PLC0415 - it reads the environment once
            mark_process_dead,
        )

        mark_process_dead(process.pid, str(self._counts))  # type: ignore[no-untyped-call]


def _pause_after(failures: int) -> float:
    return min(float(2**failures - 1), LONGEST_PAUSE)


def read_procfile(text: str) -> dict[str, str]:
    """Return a mapping from kinds of process to commands. A line is `kind: command`; # begins a comment."""
    lines = [line.strip() for line in text.splitlines()]
    pairs = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return {kind.strip(): command.strip() for kind, _, command in pairs}


def open_listeners(host: str, port: int, environment: Mapping[str, str]) -> list[int]:
    """Open one listener for all web processes or, with WEB_LISTENERS=own, one for each, on successive ports.

    With a listener for each, a proxy can choose the process (docs/scaling.md).
    """
    is_own = environment.get("WEB_LISTENERS") == "own"
    number = int(environment.get("WEB_PROCESSES") or PROCESSES["web"]) if is_own else 1
    return [open_listener(host, port + place).detach() for place in range(number)]


def make_supervisor(given: Handover) -> Supervisor:
    """Return a supervisor of the Procfile's processes, or only of the kind that the program's argument names."""
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=logging.INFO)
    os.chdir(ROOT)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")
    os.environ["PROCESS_NAME"] = "supervisor"
    commands = read_procfile((ROOT / os.environ.get("PROCFILE", "Procfile")).read_text())
    if sys.argv[1:] not in ([], *([kind] for kind in commands)):
        sys.exit(f"openrummy: name none or one of {', '.join(commands)}")
    return Supervisor(commands, given, only=next(iter(sys.argv[1:]), None))


def main() -> None:
    given = Handover.take()
    supervisor = make_supervisor(given)
    if not given.listeners and sys.argv[1:] in ([], ["web"]):
        host, port = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8000"))
        given.listeners += open_listeners(host, port, os.environ)
    work = None
    try:
        supervisor.run()
    except CannotStartError as error:
        sys.exit(f"openrummy: {error}")
    except Forked as forked:
        work = forked.work
    if work is not None:
        del given, supervisor
        work()


if __name__ == "__main__":
    main()
