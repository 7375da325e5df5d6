"""Checks whether a database is ready for this code, without starting Django.

`migrate` and `seed_demo` take seconds even if there is nothing to do. They are skipped if they have run with
exactly the same files and the database has had no migration since. A restored or different database is migrated.
"""

import hashlib
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg

from config.run.forking import Forked

PACKAGES: Final = (
    "accounts",
    "config",
    "core",
    "games",
    "history",
    "lobby",
    "players",
    "tables",
    "tournaments",
    "wallet",
)
_SOURCES: Final = ("*.py", "*.sql")


class Preparation:
    """The code and database for which `migrate` last ran, stored in the file `note`."""

    def __init__(self, root: Path, note: Path, owner_url: str) -> None:
        self._root = root
        self._note = note
        self._owner_url = owner_url
        # Digest the files now: a file that changes while `migrate` runs counts as not prepared.
        self._code = self._digest()

    @property
    def is_done(self) -> bool:
        try:
            return bool(json.loads(self._note.read_text())["state"] == self._state())
        except (FileNotFoundError, ValueError, TypeError, KeyError):
            return False
        except psycopg.OperationalError:
            return False  # `migrate` waits for it, and says what is wrong

    def record_done(self) -> None:
        """Record that `migrate` has just run. Raises psycopg.Error."""
        self._note.write_text(json.dumps({"state": self._state()}))

    def _state(self) -> dict[str, str | None]:
        return {"code": self._code, "database": self._database()}

    def _digest(self) -> str:
        """Return a digest of the sizes and times of all files of the project and of the installed packages."""
        digest = hashlib.sha256()
        for path in self._files():
            status = path.stat()
            line = f"{path.relative_to(self._root)} {status.st_size} {status.st_mtime_ns}\n"
            digest.update(line.encode())
        return digest.hexdigest()

    def _files(self) -> Iterator[Path]:
        yield self._root / "requirements.txt"
        for package in PACKAGES:
            for pattern in _SOURCES:
                yield from sorted((self._root / package).rglob(pattern))

    def _database(self) -> str | None:
        """Return an identifier of the database and its last migration, or None if it was never migrated.

        Raises psycopg.Error.
        """
        try:
            with psycopg.connect(self._owner_url, connect_timeout=5) as connection:
                row = connection.execute(
                    "SELECT system_identifier::text || ' ' || oid || ' ' || ("
                    "  SELECT count(*) || ' ' || max(id) || ' ' || max(applied)"
                    "  FROM django_migrations)"
                    " FROM pg_control_system(), pg_database WHERE datname = current_database()"
                ).fetchone()
        except psycopg.errors.UndefinedTable:
            return None
        return None if row is None else row[0]


def read_accounts(note: Path) -> str | None:
    """Return the stored output of `seed_demo`, or None if it has not run since the last `migrate`."""
    try:
        stored: str | None = json.loads(note.read_text()).get("accounts")
    except FileNotFoundError:
        return None
    return stored


def record_accounts(note: Path, accounts: str) -> None:
    """Store `accounts`, the output of `seed_demo`, which has just run. Skipped if `migrate` could not be recorded."""
    if note.exists():
        note.write_text(json.dumps({**json.loads(note.read_text()), "accounts": accounts}))


@contextmanager
def print_phase(name: str) -> Iterator[None]:
    """Print the phase when it begins, and its duration in seconds when it has succeeded."""
    began = time.monotonic()
    _write(f"openrummy: {name} ...")
    try:
        yield
    except Forked:
        raise
    except BaseException:
        _write("\n")
        raise
    _write(f" {time.monotonic() - began:.1f} s\n")


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
