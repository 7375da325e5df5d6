"""A PostgreSQL primary and its streaming replica; a test can kill either."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import psycopg

from bench.processes import descendants
from config.run.embedded.place import EmbeddedFolders, find_postgres
from config.run.embedded.postgres import DATABASE, Passwords, Postgres

SECONDS_TO_FOLLOW = 30


class ReplicationError(Exception):
    """Raised if a server cannot be copied, followed or promoted."""


@dataclass
class Database:
    """A server in its own folder, reached through its Unix socket."""

    postgres: Postgres
    place: EmbeddedFolders
    passwords: Passwords

    @classmethod
    def under(cls, var: Path, passwords: Passwords) -> Self:
        place = EmbeddedFolders.under(var)
        return cls(Postgres(place, passwords), place, passwords)

    @property
    def data(self) -> Path:
        return self.place.postgres / "data"

    def ask(self, question: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run a query as PostgreSQL's superuser. Return its rows."""
        with self.connect() as opened:
            cursor = opened.execute(question.encode(), values or None)
            return cursor.fetchall() if cursor.description else []

    def connect(self) -> psycopg.Connection[tuple[Any, ...]]:
        return psycopg.connect(
            host=str(self.place.sockets), user="postgres", password=self.passwords.superuser,
            dbname=DATABASE, autocommit=True, connect_timeout=2,
        )  # fmt: skip

    @property
    def _postmaster(self) -> int:
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def kill(self) -> None:
        """Kill the server as if its machine had failed, without a shutdown."""
        os.kill(self._postmaster, signal.SIGKILL)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all its processes within the block: connections stay open, but nothing answers."""
        stopped = [self._postmaster]
        os.kill(stopped[0], signal.SIGSTOP)  # stopped first, so that it starts no more processes
        stopped += descendants(stopped[0])
        try:
            for pid in stopped:
                os.kill(pid, signal.SIGSTOP)
            yield
        finally:
            for pid in reversed(stopped):
                os.kill(pid, signal.SIGCONT)

    def follow(self, primary: "Database", *, name: str) -> None:
        """Become a streaming replica of the primary. `name` is the replica's name for synchronous commits."""
        programs = self.place.make_readable(find_postgres()) / "bin"
        source = (
            f"host={primary.place.sockets} user=postgres"
            f" password={self.passwords.superuser} application_name={name}"
        )
        copied = self.place.servant.run(
            [
                str(programs / "pg_basebackup"), f"--pgdata={self.data}", f"--dbname={source}",
                "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast",
            ]
        )  # fmt: skip
        if copied.returncode:
            raise ReplicationError(f"pg_basebackup: {copied.stderr.strip()}")
        self.postgres.start()
        self.await_position_of(primary)

    def await_position_of(self, primary: "Database") -> None:
        """Wait until this replica has replayed everything that the primary has written by now."""
        [[position]] = primary.ask("SELECT pg_current_wal_lsn()::text")
        until = time.monotonic() + SECONDS_TO_FOLLOW
        while self.ask("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", position) != [(True,)]:
            if time.monotonic() > until:
                raise ReplicationError("the replica does not follow")
            time.sleep(0.02)

    def promote(self) -> None:
        """Promote the replica, and wait until it accepts writes."""
        [[is_promoted]] = self.ask("SELECT pg_promote(wait => true, wait_seconds => 30)")
        if not is_promoted:
            raise ReplicationError("the replica was not promoted")


def url_of(role: str, *databases: Database, sessions: str) -> str:
    """Return a URL that lists several servers. libpq picks the first whose sessions are of this kind
    (`read-write`, `standby`).
    """
    passwords = databases[0].passwords
    password = {"openrummy": passwords.owner, "openrummy_app": passwords.application}[role]
    hosts = ",".join(str(one.place.sockets) for one in databases)
    return (
        f"postgresql://{role}:{password}@/{DATABASE}?host={hosts}&target_session_attrs={sessions}"
    )
