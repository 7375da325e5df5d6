"""Starts bin/run: servers, migrations, demo data and the processes of the Procfile."""

import contextlib
import fcntl
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import psycopg

from accounts.push.web_push import load_private_key
from config.run.embedded.servers import SERVER_ERRORS, run_servers
from config.run.preparation import Preparation, print_phase
from config.run.roster import Roster
from config.run.supervisor import CannotStartError, Supervisor
from config.run.web import family_of, open_listener

ROOT = Path(__file__).resolve().parents[2]
LARGEST_PORT = 65_535
# Attempts for a manage.py command, which fails if a server has just died.
TRIES = 5
SECONDS_TO_SEED = 20
SECONDS_BETWEEN_TRIES = 2
# Signals to handle before a supervisor exists. Python raises KeyboardInterrupt for Ctrl-C.
ENDING = (signal.SIGTERM, signal.SIGHUP)


class LaunchError(Exception):
    """Printed as one sentence; the exit status is 1."""


class AlreadyRunsError(LaunchError):
    """Another bin/run uses this folder."""


EXPECTED = (CannotStartError, LaunchError, *SERVER_ERRORS)


def main() -> int:
    try:
        if sys.argv[1:] == ["restart"]:
            _restart()
        else:
            _run()
    except EXPECTED as error:
        sys.stderr.write(f"openrummy: {error}\n")
        return 1
    return 0


def _run() -> None:
    host, port = os.environ.get("HOST", "127.0.0.1"), _read_port(os.environ.get("PORT", "8000"))
    var = _find_var()
    asked_to_end: list[int] = []
    # Nothing to restart yet. Without a handler the signal would end this process.
    signal.signal(signal.SIGUSR1, lambda *_: None)
    for signum in ENDING:  # a server that is half started could not be stopped
        signal.signal(signum, lambda signum, _: asked_to_end.append(signum))
    with _lock_folder(var):
        (var / "run.pid").unlink(missing_ok=True)  # of a run that was killed
        roster = Roster(var / "processes.json")
        if roster.orphans:
            count = len(roster.orphans)
            sys.stdout.write(f"openrummy: {count} processes are left of a run that was killed\n")
        else:
            _try_port(host, port)
        with ExitStack() as at_the_end:
            with print_phase("starting PostgreSQL and Valkey"):
                servers = at_the_end.enter_context(run_servers(var, os.environ, kept=True))
            try:
                for signum in ENDING:
                    signal.signal(signum, _end_early)
                if asked_to_end:
                    _end_early(asked_to_end[0], None)
                _run_on(servers, var, host, port, roster)
            finally:
                roster.end_orphans()  # that nobody has replaced


def _end_early(signum: int, _frame: object) -> None:
    """Stop the started processes on the way out."""
    raise SystemExit(128 + signum)


def _run_on(servers: dict[str, str], var: Path, host: str, port: int, roster: Roster) -> None:
    environment = {
        **os.environ,
        **servers,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "DJANGO_SETTINGS_MODULE": os.environ.get("DJANGO_SETTINGS_MODULE", "config.settings.local"),
        "OPENRUMMY_VAR": str(var),
        "HOST": host,
        "PORT": str(port),
        "VAPID_PRIVATE_KEY": os.environ.get("VAPID_PRIVATE_KEY")
        or load_private_key(var / "push-key"),
        "BEAT_SCHEDULE": str(var / "celerybeat-schedule"),
        "PYTHONUNBUFFERED": "1",
        "WEB_PROCESSES": os.environ.get("WEB_PROCESSES") or "1",
    }
    preparation = Preparation(ROOT, var / "prepared.json", environment["DATABASE_OWNER_URL"])
    is_new = not preparation.is_done
    if is_new:
        with print_phase("making the database"):
            # Seeding the demo data runs the system checks.
            _manage_patiently(environment, "migrate", "--skip-checks", "--verbosity", "0")
    (var / "run.pid").write_text(f"{os.getpid()}\n")
    # Serving processes must not know the owner's login.
    environment.pop("DATABASE_OWNER_URL")
    named = f"[{host}]" if ":" in host else host
    site = _Site(environment, f"http://{named}:{port}/", preparation, is_new=is_new)
    _serve(site, _open_listener(host, port, roster), roster)


@dataclass(frozen=True, slots=True)
class _Site:
    """A site that is starting. `is_new` means that it has no demo data of this code yet."""

    environment: dict[str, str]
    address: str
    preparation: Preparation
    is_new: bool


def _open_listener(host: str, port: int, roster: Roster) -> socket.socket:
    """Open a listener beside that of an earlier run's processes, which serve until ours are ready."""
    if roster.orphans and sys.platform == "linux":
        with contextlib.suppress(OSError):  # they were started by an older version
            return open_listener(host, port, is_shared=True, is_open=False)
    if roster.orphans:
        roster.end_orphans()
        _try_port(host, port)
    return open_listener(host, port, is_shared=True)


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


def _try_port(host: str, port: int) -> None:
    with socket.socket(family_of(host)) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise LaunchError(
                f"Port {port} of {host} cannot be used ({error.strerror}); "
                f"choose another one: PORT=8001 bin/run"
            ) from error


@contextlib.contextmanager
def _lock_folder(var: Path) -> Iterator[None]:
    """Lock the folder: two runs in one folder would stop each other's servers."""
    try:
        var.mkdir(parents=True, exist_ok=True)
        file = (var / "lock").open("a")
    except OSError as error:
        raise LaunchError(f"Cannot write to {var}: {error.strerror}.") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunsError(
                "OpenRummy runs in this folder already; stop it first."
            ) from None
        yield


def _manage(environment: dict[str, str], *arguments: str) -> str:
    finished = subprocess.run(  # noqa: S603 - our own manage.py
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env=environment,
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    if finished.returncode:
        sys.stderr.write(finished.stderr)
        reason = (finished.stderr.strip().splitlines() or ["no message"])[-1]
        raise LaunchError(f"manage.py {arguments[0]} failed: {reason}")
    return finished.stdout


def _manage_patiently(
    environment: dict[str, str], *arguments: str, is_wanted: Callable[[], bool] = lambda: True
) -> str:
    """Run a manage.py command, and retry if it fails: a server that has just died is about to be back."""
    for _try in range(TRIES - 1):
        try:
            return _manage(environment, *arguments)
        except LaunchError as error:
            if not is_wanted():
                raise
            sys.stderr.write(f"openrummy: {error} It is tried again.\n")
            time.sleep(SECONDS_BETWEEN_TRIES)
    return _manage(environment, *arguments)


def _serve(site: _Site, listener: socket.socket, roster: Roster) -> None:
    """Run the processes until Ctrl-C or SIGTERM; SIGUSR1 (bin/restart) restarts them."""
    supervisor = Supervisor(site.environment, listener, roster=roster, is_forking=True)
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, lambda *_: supervisor.stop())
    signal.signal(signal.SIGUSR1, lambda *_: supervisor.restart())
    failures: list[LaunchError] = []
    greeting = threading.Thread(target=_greet, args=(supervisor, site, failures), daemon=True)
    greeting.start()
    supervisor.run()
    greeting.join(SECONDS_TO_SEED)  # a command that makes demo data ends before its database does
    if failures:
        raise failures[0]


def _greet(supervisor: Supervisor, site: _Site, failures: list[LaunchError]) -> None:
    """Seed the demo data while the processes start, and print the address once it answers."""

    def is_wanted() -> bool:
        return supervisor.is_running

    try:
        accounts = _make_accounts(site, is_wanted)
        with print_phase("waiting for the first answer"):
            while not _answers(f"{site.address}healthz"):
                if not supervisor.is_running:
                    return
                time.sleep(0.1)
        sys.stdout.write(
            f"\n  OpenRummy is at {site.address}\n\n{accounts}\n  Ctrl-C stops it.\n\n"
        )
        sys.stdout.flush()
    except LaunchError as error:
        if supervisor.is_running:
            failures.append(error)
            supervisor.stop()


def _make_accounts(site: _Site, is_wanted: Callable[[], bool]) -> str:
    """Return the demo's accounts, created if they are missing."""
    if not site.is_new:
        return site.preparation.accounts
    with print_phase("making the demo data"):
        accounts = _manage_patiently(site.environment, "seed_demo", is_wanted=is_wanted)
    try:
        site.preparation.note_done(accounts)
    except psycopg.Error as error:  # a server that has just died; the next start prepares again
        sys.stderr.write(f"openrummy: what was prepared could not be noted: {error}\n")
    return accounts


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5):  # noqa: S310 - our own address
            return True
    except urllib.error.HTTPError:
        return True  # what is wrong is in its log
    except (OSError, urllib.error.URLError):
        return False


if __name__ == "__main__":
    sys.exit(main())
