"""Starts bin/run: runs the servers, imports the site, migrates, then becomes the supervisor of Procfile.local."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import socket
import sys
import time
from pathlib import Path
from typing import IO, Final

import psycopg

from config.run.embedded.place import is_alive
from config.run.embedded.process import EMBEDDED, ERROR
from config.run.forking import READY_FD, Forked, fork, import_site
from config.run.listening import open_listener
from config.run.preparation import Preparation, print_phase
from config.run.supervisor import (
    SERVERS,
    STARTED_FIRST,
    CannotStartError,
    Handover,
    Process,
    make_supervisor,
    read_procfile,
)

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
    """bin/run cannot start. The message is printed as one sentence, and the exit status is 1."""


class AlreadyRunsError(LaunchError):
    """Another bin/run is using this folder."""


def main() -> int:
    work = None
    try:
        if sys.argv[1:] == ["restart"]:
            _restart()
        else:
            _run()
    except (CannotStartError, LaunchError) as error:
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
    # Left by a run that was killed.
    (var / "run.pid").unlink(missing_ok=True)
    shutil.rmtree(var / "supervisor", ignore_errors=True)
    _open_listener(host, port).close()
    _set_environment(var, host, port)
    given = Handover(lock=lock, folder=str(var / "supervisor"))
    supervisor = make_supervisor(given)
    supervisor.program = ["-m", "config.run.supervisor"]
    try:
        pipe = _fork_servers(given)
        with print_phase("starting PostgreSQL and Valkey"):
            owner_url = _await_servers(pipe, var, given)
        _prepare(var, owner_url)
        given.listeners.append(_open_listener(host, port).detach())
        (var / "run.pid").write_text(f"{os.getpid()}\n")
    except Forked:
        raise
    except BaseException:
        _stop_servers(given)
        raise
    supervisor.run()


def _set_environment(var: Path, host: str, port: int) -> None:
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


def _fork_servers(given: Handover) -> IO[str]:
    """Start the process that keeps PostgreSQL and Valkey alive (config/run/embedded/process.py).

    Return the pipe on which it reports.
    """
    command = read_procfile((ROOT / PROCFILE).read_text())[SERVERS]
    reading, writing = os.pipe()
    number = fork(
        command,
        f"{SERVERS}.1",
        {READY_FD: str(writing)},
        closes=[reading],
        at_parents_death=signal.SIGTERM,
    )
    given.processes.append(Process(SERVERS, 1, number, time.monotonic()))
    os.close(writing)
    return os.fdopen(reading)


def _await_servers(pipe: IO[str], var: Path, given: Handover) -> str:
    """Wait until both servers run. Return the owner's database URL, and put the other variables into the environment.

    Imports the site meanwhile, which takes as long as starting the servers.
    """
    named = {name for name in ("DATABASE_URL", "REDIS_URL") if os.environ.get(name)}
    embedded = {"DATABASE_URL", "REDIS_URL"} - named
    with pipe:
        variables = _read_answer(pipe)
        # Serving processes must not know the owner's login.
        os.environ.pop("DATABASE_OWNER_URL", None)
        owner_url = variables.pop("DATABASE_OWNER_URL")
        os.environ |= {**variables, EMBEDDED: " ".join(embedded)}
        if not os.environ.get("VAPID_PRIVATE_KEY"):
            os.environ["VAPID_PRIVATE_KEY"] = _load_push_key(var)
        commands = read_procfile((ROOT / PROCFILE).read_text())
        import_site([commands[kind] for kind in STARTED_FIRST])
        _read_answer(pipe)
    if not embedded:
        _stop_servers(given)
        os.environ["SERVERS_PROCESSES"] = "0"
    return owner_url


def _read_answer(pipe: IO[str]) -> dict[str, str]:
    said: dict[str, str] = json.loads(pipe.readline() or "{}")
    if ERROR in said:
        raise LaunchError(said[ERROR])
    if not said:
        raise LaunchError("PostgreSQL and Valkey do not start; the lines above say why.")
    return said


def _stop_servers(given: Handover) -> None:
    for process in given.processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGTERM)
        os.waitpid(process.pid, 0)
    given.processes.clear()


def _load_push_key(var: Path) -> str:
    from accounts.push.web_push import load_private_key  # noqa: PLC0415 - while the servers start

    return load_private_key(var / "push-key")


def _end_early(signum: int, _frame: object) -> None:
    """Exit on a signal, so that the servers are stopped. Further signals are ignored."""
    for ending in ENDING:
        signal.signal(ending, signal.SIG_IGN)
    raise SystemExit(128 + signum)


def _prepare(var: Path, owner_url: str) -> None:
    """Migrate the database, unless it was already migrated by exactly this code."""
    preparation = Preparation(ROOT, var / "prepared.json", owner_url)
    if preparation.is_done:
        return
    (var / "prepared.json").unlink(missing_ok=True)
    with print_phase("making the database"):
        _migrate(owner_url)
        try:
            preparation.record_done()
        except psycopg.Error as error:  # a server that has just died; the next start prepares again
            sys.stderr.write(f"openrummy: what was prepared could not be noted: {error}\n")


def _migrate(owner_url: str) -> None:
    """Run the migrations. Retries if they fail, because a server that has just died will be back soon."""
    # Seeding the demo data runs the system checks.
    command = "python manage.py migrate --skip-checks --verbosity 0"
    owner = {"DATABASE_OWNER_URL": owner_url, "DATABASE_AS_OWNER": "1"}
    for left in reversed(range(TRIES)):
        _, status = os.waitpid(fork(command, "migrate", owner), 0)
        if status == 0:
            return
        if left:
            sys.stderr.write("openrummy: The database cannot be made. It is tried again.\n")
            time.sleep(SECONDS_BETWEEN_TRIES)
    raise LaunchError("The database cannot be made; the lines above say why.")


def _find_var() -> Path:
    return Path(os.environ.get("OPENRUMMY_VAR", ROOT / "var"))


def _restart() -> None:
    """Ask the bin/run of this folder to restart its processes."""
    var = _find_var()
    with contextlib.suppress(AlreadyRunsError):
        _lock_folder(var)
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


def _lock_folder(var: Path) -> int:
    """Lock the folder until the last process of this run has ended, because two runs would stop each other's servers.

    Every process of the run holds the lock. If a supervisor was killed, waits for its remaining processes to end.
    Raises AlreadyRunsError if another bin/run is using the folder, and LaunchError if the folder is not writable.
    """
    try:
        var.mkdir(parents=True, exist_ok=True)
        lock = os.open(var / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise LaunchError(f"Cannot write to {var}: {error.strerror}.") from error
    until = time.monotonic() + SECONDS_TO_VANISH
    while not _try_to_lock(lock):
        owner = os.pread(lock, 20, 0).decode().strip()
        if not owner.isdigit() or is_alive(int(owner)) or time.monotonic() > until:
            os.close(lock)
            raise AlreadyRunsError("OpenRummy runs in this folder already; stop it first.")
        time.sleep(0.05)
    os.truncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock


def _try_to_lock(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
