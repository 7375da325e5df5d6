"""Replaces this process by one of the Procfile's: `python -m config.run.process clock`.

Used by systemd units, and by containers on Kubernetes. The command starts once the database has every migration of
this code, so that no process runs before the columns that it reads exist. A web process listens on HOST and PORT.
The command `wait` only waits for the migrations; an init container of deploy/chart uses it.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, NoReturn

from config.run.supervisor import read_procfile

ROOT = Path(__file__).resolve().parents[2]
_ASKED_EVERY_SECONDS: Final = 3
_WAIT: Final = "wait"


def main(arguments: list[str]) -> NoReturn:
    commands = read_procfile((ROOT / "Procfile").read_text())
    if len(arguments) != 1 or arguments[0] not in {*commands, _WAIT}:
        sys.exit(f"openrummy: name one of {', '.join(commands)}, {_WAIT}")
    os.chdir(ROOT)
    _wait_for_migrations()
    if arguments == [_WAIT]:
        sys.exit(0)
    command = commands[arguments[0]]
    os.execv("/bin/sh", ["/bin/sh", "-c", f"exec {command}"])  # noqa: S606 - our own Procfile


def _wait_for_migrations() -> None:
    """Wait until `migrate --check` finds nothing to do. Also waits for a database that is missing."""
    said = ""
    while (found := _find_missing_migration()) is not None:
        if found != said:
            sys.stderr.write(f"openrummy: waits for the database: {found}\n")
            sys.stderr.flush()
            said = found
        time.sleep(_ASKED_EVERY_SECONDS)


def _find_missing_migration() -> str | None:
    """Return the last line of the output of `migrate --check`, or None if the database is up to date."""
    asked = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--check"],
        # Use this process's own login: the owner's is not available.
        env={**os.environ, "DATABASE_AS_OWNER": "0", "DATABASE_POOL": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode == 0:
        return None
    lines = (asked.stderr or asked.stdout).strip().splitlines()
    return lines[-1].strip() if lines else "migrations are missing"


if __name__ == "__main__":
    main(sys.argv[1:])
