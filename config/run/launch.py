"""Starts bin/run: servers and migrations, then it becomes the supervisor of Procfile.local."""

import contextlib
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Final

import psycopg

from accounts.push.web_push import load_private_key
from config.run.embedded.place import is_alive
from config.run.embedded.process import EMBEDDED, ERROR
from config.run.forking import READY_FD, Forked, fork
from config.run.listening import open_listener
from config.run.preparation import Preparation, print_phase
from config.run.supervisor import SERVERS, Handover, Process, read_procfile

ROOT: Final = Path(__file__).resolve().parents[2]
PROCFILE: Final = "Procfile.local"
LARGEST_PORT: Final = 65_535
# Attempts to migrate, which fails if a server has just died.
TRIES: Final = 5
SECONDS_BETWEEN_TRIES: Final = 2
# For the processes of a run that was killed, which end by themselves.
SECONDS_TO_VANISH: Final = 60
ENDING: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class LaunchError(Exception):
    """Printed as one sentence; the exit status is 1."""


class AlreadyRunsError(LaunchError):
    """Another bin/run uses this folder."""


def main() -> int:
    work = None
    try:
        if sys.argv[1:] == ["restart"]:
            _restart()
        else:
            _run()
    except LaunchError as error:
        sys.stderr.write(f"openrummy: {error}\n")
        return 1
    except Forked as forked:
        work = forked.work
    if work is not None:
        work()
    return 0


def _run() -> None:
    host, port = os.environ.get("HOST", "127.0.0.1"), _read_port(os.environ.get("PORT", "8000"))
    var = _find_var()
    # Nothing to restart yet. Without a handler the signal would end this process.
    signal.signal(signal.SIGUSR1, lambda *_: None)
    for signum in ENDING:
        signal.signal(signum, _end_early)
    lock = _lock_folder(var)
    (var / "run.pid").unlink(missing_ok=True)  # of a run that was killed
    _open_listener(host, port).close()
    os.environ |= {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "DJANGO_SETTINGS_MODULE": os.environ.get("DJANGO_SETTINGS_MODULE", "config.settings.local"),
        "OPENRUMMY_VAR": str(var),
        "PROCFILE": PROCFILE,
        "HOST": host,
        "PORT": str(port),
        "BEAT_SCHEDULE": str(var / "celerybeat-schedule"),
        "PYTHONUNBUFFERED": "1",
        "WEB_PROCESSES": os.environ.get("WEB_PROCESSES") or "1",
    }
    servers = _Servers()
    try:
        pipe = servers.fork()
        with print_phase("starting PostgreSQL and Valkey"):
            os.environ |= servers.read_servers(pipe)
        if not os.environ.get("VAPID_PRIVATE_KEY"):
            os.environ["VAPID_PRIVATE_KEY"] = load_private_key(var / "push-key")
        _prepare(var)
        # Serving processes must not know the owner's login.
        del os.environ["DATABASE_OWNER_URL"]
        listener = _open_listener(host, port)
        (var / "run.pid").write_text(f"{os.getpid()}\n")
        sys.stdout.flush()
        given = Handover([listener.fileno()], servers.processes, lock.fileno())
        given.execute(["-m", "config.run.supervisor"], os.environ)
    except Forked:
        raise
    except BaseException:
        servers.stop()
        raise


def _end_early(signum: int, _frame: object) -> None:
    """Stop the servers on the way out."""
    for ending in ENDING:
        signal.signal(ending, signal.SIG_IGN)
    raise SystemExit(128 + signum)


class _Servers:
    """The process that keeps PostgreSQL and Valkey (config/run/embedded/process.py)."""

    def __init__(self) -> None:
        self.processes: list[Process] = []

    def fork(self) -> int:
        """Start the process. Return the pipe that it says the servers' variables on."""
        reading, writing = os.pipe()
        command = read_procfile((ROOT / PROCFILE).read_text())[SERVERS]
        process = Process(SERVERS, 1, 0, time.monotonic())
        process.pid = fork(
            command,
            process.name,
            {READY_FD: str(writing)},
            closes=[reading],
            at_parents_death=signal.SIGTERM,
        )
        self.processes = [process]
        os.close(writing)
        return reading

    def read_servers(self, pipe: int) -> dict[str, str]:
        """Return the variables of running servers: those that are given, or embedded ones."""
        given = [name for name in ("DATABASE_URL", "REDIS_URL") if os.environ.get(name)]
        with os.fdopen(pipe) as hearing:
            said: dict[str, str] = json.loads(hearing.read() or "{}")
        if ERROR in said:
            raise LaunchError(said[ERROR])
        if "REDIS_URL" not in said:
            raise LaunchError("PostgreSQL and Valkey do not start; the lines above say why.")
        if not (embedded := {"DATABASE_URL", "REDIS_URL"}.difference(given)):
            self.stop()
            return {**said, "SERVERS_PROCESSES": "0"}
        return {**said, EMBEDDED: " ".join(embedded)}

    def stop(self) -> None:
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGTERM)
            os.waitpid(process.pid, 0)
        self.processes = []


def _prepare(var: Path) -> None:
    """Migrate the database, unless this code has done so before."""
    preparation = Preparation(ROOT, var / "prepared.json", os.environ["DATABASE_OWNER_URL"])
    if preparation.is_done:
        return
    (var / "prepared.json").unlink(missing_ok=True)
    with print_phase("making the database"):
        # Seeding the demo data runs the system checks.
        _manage_patiently("migrate", "--skip-checks", "--verbosity", "0")
        try:
            preparation.record_done()
        except psycopg.Error as error:  # a server that has just died; the next start prepares again
            sys.stderr.write(f"openrummy: what was prepared could not be noted: {error}\n")


def _find_var() -> Path:
    return Path(os.environ.get("OPENRUMMY_VAR", ROOT / "var"))


def _restart() -> None:
    """Ask the bin/run of this folder to restart its processes."""
    var = _find_var()
    with contextlib.suppress(AlreadyRunsError), _lock_folder(var):
        raise LaunchError("Nothing runs in this folder; start it with bin/run.")
    try:
        os.kill(int((var / "run.pid").read_text()), signal.SIGUSR1)
    except FileNotFoundError:
        raise LaunchError("It is still starting: its processes are new.") from None
    sys.stdout.write("The processes are replaced one after another; the log of bin/run says")
    sys.stdout.write(" when that is done.\n")


def _read_port(given: str) -> int:
    if not given.isascii() or not given.isdigit() or not 0 < int(given) <= LARGEST_PORT:
        raise LaunchError(f"PORT must be a number from 1 to 65535, not {given!r}.")
    return int(given)


def _open_listener(host: str, port: int) -> socket.socket:
    try:
        return open_listener(host, port)
    except OSError as error:
        raise LaunchError(
            f"Port {port} of {host} cannot be used ({error.strerror}); "
            f"choose another one: PORT=8001 bin/run"
        ) from error


def _lock_folder(var: Path) -> IO[str]:
    """Lock the folder until the last process of this run has ended: two runs would stop each other's servers.

    Every process of the run holds the lock. Wait for those that a killed supervisor has left, which are ending.
    """
    try:
        var.mkdir(parents=True, exist_ok=True)
        file = (var / "lock").open("a+")
    except OSError as error:
        raise LaunchError(f"Cannot write to {var}: {error.strerror}.") from error
    until = time.monotonic() + SECONDS_TO_VANISH
    while not _try_to_lock(file):
        file.seek(0)
        owner = file.read().strip()
        if not owner.isdigit() or is_alive(int(owner)) or time.monotonic() > until:
            raise AlreadyRunsError("OpenRummy runs in this folder already; stop it first.")
        time.sleep(0.05)
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def _try_to_lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _manage(*arguments: str) -> None:
    finished = subprocess.run(  # noqa: S603 - our own manage.py
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    if finished.returncode:
        sys.stderr.write(finished.stderr)
        reason = (finished.stderr.strip().splitlines() or ["no message"])[-1]
        raise LaunchError(f"manage.py {arguments[0]} failed: {reason}")


def _manage_patiently(*arguments: str) -> None:
    """Run a manage.py command, and retry if it fails: a server that has just died is about to be back."""
    for _try in range(TRIES - 1):
        try:
            return _manage(*arguments)
        except LaunchError as error:
            sys.stderr.write(f"openrummy: {error} It is tried again.\n")
            time.sleep(SECONDS_BETWEEN_TRIES)
    return _manage(*arguments)


if __name__ == "__main__":
    sys.exit(main())
