"""What bin/run starts: servers, migrations, demo data and the four processes of the Procfile."""

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
from collections.abc import Iterator
from pathlib import Path

from config.embedded.place import PlaceError
from config.embedded.postgres import PostgresError
from config.embedded.servers import ServerUnreachableError, running_servers
from config.embedded.valkey import ValkeyError

ROOT = Path(__file__).resolve().parents[1]
LARGEST_PORT = 65_535


class LaunchError(Exception):
    """Said in one sentence; the exit status is 1."""


def main() -> int:
    try:
        return _run()
    except (LaunchError, PlaceError, PostgresError, ServerUnreachableError, ValkeyError) as error:
        sys.stderr.write(f"openrummy: {error}\n")
        return 1


def _run() -> int:
    host = os.environ.get("HOST", "127.0.0.1")
    port = _free_port(host, os.environ.get("PORT", "8000"))
    var = Path(os.environ.get("OPENRUMMY_VAR", ROOT / "var"))
    with _only_here(var), running_servers(var, os.environ) as servers:
        environment = {
            **os.environ,
            **servers,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
            "DJANGO_SETTINGS_MODULE": os.environ.get(
                "DJANGO_SETTINGS_MODULE", "config.settings.local"
            ),
            "OPENRUMMY_VAR": str(var),
            "HOST": host,
            "PORT": str(port),
            "BEAT_SCHEDULE": str(var / "celerybeat-schedule"),
            "PYTHONUNBUFFERED": "1",
        }
        _manage(environment, "migrate", "--verbosity", "0")
        return _serve(environment, f"http://{host}:{port}/")


def _free_port(host: str, given: str) -> int:
    if not given.isascii() or not given.isdigit() or not 0 < int(given) <= LARGEST_PORT:
        raise LaunchError(f"PORT must be a number from 1 to 65535, not {given!r}.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, int(given)))
        except OSError as error:
            raise LaunchError(
                f"Port {given} of {host} cannot be used ({error.strerror}); "
                f"choose another one: PORT=8001 bin/run"
            ) from error
    return int(given)


@contextlib.contextmanager
def _only_here(var: Path) -> Iterator[None]:
    """Two runs in one folder would stop each other's servers."""
    try:
        var.mkdir(parents=True, exist_ok=True)
        file = (var / "lock").open("a")
    except OSError as error:
        raise LaunchError(f"Cannot write to {var}: {error.strerror}.") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LaunchError("OpenRummy runs in this folder already; stop it first.") from None
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


def _serve(environment: dict[str, str], address: str) -> int:
    """Run the Procfile until Ctrl-C, SIGTERM, or one of its processes ends."""
    honcho = subprocess.Popen(  # noqa: S603 - our own Procfile
        [sys.executable, "-m", "honcho", "start", "-f", str(ROOT / "Procfile"), "-d", str(ROOT)],
        env=environment,
        cwd=ROOT,
        start_new_session=True,  # Ctrl-C reaches this process alone, which then ends the others
    )

    def stop(_signum: int, _frame: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            honcho.send_signal(signal.SIGTERM)

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGHUP, stop)
    failed = threading.Event()
    greeting = (honcho, address, environment, failed)
    threading.Thread(target=_greet, args=greeting, daemon=True).start()
    code = honcho.wait()
    if failed.is_set():
        return 1
    stopped_by_us = code in {-signal.SIGTERM, 128 + signal.SIGTERM}
    return 0 if stopped_by_us else code


def _greet(
    honcho: subprocess.Popen[bytes],
    address: str,
    environment: dict[str, str],
    failed: threading.Event,
) -> None:
    """See to the demo data while the processes start; print the address once it answers."""
    try:
        accounts = _manage(environment, "seed_demo")
    except LaunchError as error:
        sys.stderr.write(f"openrummy: {error}\n")
        failed.set()
        honcho.send_signal(signal.SIGTERM)
        return
    while honcho.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}healthz", timeout=5):  # noqa: S310 - our own address
                break
        except urllib.error.HTTPError:
            break  # it answers; what is wrong is in its log
        except (OSError, urllib.error.URLError):
            time.sleep(0.1)
    else:
        return
    sys.stdout.write(f"\n  OpenRummy is at {address}\n\n{accounts}\n  Ctrl-C stops it.\n\n")
    sys.stdout.flush()
    try:
        _manage(environment, "seed_tournaments")
    except LaunchError as error:
        sys.stderr.write(f"openrummy: {error}\n")


if __name__ == "__main__":
    sys.exit(main())
