"""The embedded PostgreSQL: creating, starting and stopping it."""

import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from config.run.embedded.place import (
    POSTGRES_SOCKET_NAME,
    EmbeddedFolders,
    find_postgres,
    is_alive,
    is_listening,
)

DATABASE = "openrummy"
OWNER = "openrummy"
APPLICATION = "openrummy_app"


class PostgresError(Exception):
    """The server did not start. The message says where its log is."""


@dataclass(frozen=True, slots=True)
class Passwords:
    superuser: str
    owner: str
    application: str

    @classmethod
    def fresh(cls) -> "Passwords":
        return cls(*(secrets.token_urlsafe(24) for _ in range(3)))


class Postgres:
    """One cluster in `place.postgres`, reached only through `place.sockets`."""

    def __init__(
        self, place: EmbeddedFolders, passwords: Passwords, *, durable: bool = True
    ) -> None:
        self._place = place
        self._passwords = passwords
        self._durable = durable
        self._data = place.postgres / "data"
        self._log = place.postgres / "postgres.log"
        self._bin = place.make_readable(find_postgres()) / "bin"

    def start(self) -> None:
        """Start the server, or use the one that an earlier run has left running."""
        if not (self._data / "PG_VERSION").exists():
            self._initialise()
        self._forget_the_dead()
        if self._control("status").returncode == 0:
            return
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self._place.sockets),
            "max_connections": "200",
            "shared_buffers": "256MB",
            "max_wal_size": "2GB",
            "log_min_messages": "fatal",
        }
        if not self._durable:  # a throw-away server of the tests
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
            # Between tests tables are empty but not small. An ANALYZE at that moment would make the planner
            # expect no rows in any table, and a test with thousands of rows would take minutes.
            settings["autovacuum"] = "off"
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        started = self._control("start", "-w", "-t", "60", "-l", str(self._log), "-o", options)
        if started.returncode:
            raise PostgresError(f"PostgreSQL did not start; its log is {self._log}.")

    def _forget_the_dead(self) -> None:
        """Remove the locks of a killed server.

        The killed server's process id stays in use until its parent, possibly init, has reaped it, which may take
        seconds. Until then PostgreSQL believes that the server is alive. Its remaining child processes still hold
        its memory and keep a new server from starting.
        """
        socket_lock = self._place.sockets / f"{POSTGRES_SOCKET_NAME}.lock"
        for lock in (self._data / "postmaster.pid", socket_lock):
            try:
                number = int(lock.read_text().split()[0])
            except (FileNotFoundError, ValueError, IndexError):
                continue
            if not is_alive(number):
                lock.unlink(missing_ok=True)

    def is_gone(self) -> bool:
        return not is_listening(self._place.sockets / POSTGRES_SOCKET_NAME)

    def stop(self) -> None:
        self._control("stop", "-m", "fast", "-w", "-t", "30")

    def make_roles(self) -> None:
        """Create the role of the owner, who runs migrations, the role of the application, and their database."""
        with psycopg.connect(self._url("postgres", "postgres"), autocommit=True) as server:
            existing = {row[0] for row in server.execute("SELECT rolname FROM pg_roles").fetchall()}
            roles = [
                # Tests create databases, and the wallet's migration grants rights to the application's
                # role.
                (OWNER, self._passwords.owner, sql.SQL("LOGIN CREATEDB CREATEROLE")),
                (APPLICATION, self._passwords.application, sql.SQL("LOGIN")),
            ]
            for name, password, attributes in roles:
                verb = sql.SQL("ALTER" if name in existing else "CREATE")
                server.execute(
                    sql.SQL("{} ROLE {} {} PASSWORD {}").format(
                        verb, sql.Identifier(name), attributes, sql.Literal(password)
                    )
                )
            server.execute(
                sql.SQL("GRANT {} TO {} WITH ADMIN OPTION").format(
                    sql.Identifier(APPLICATION), sql.Identifier(OWNER)
                )
            )
            if not self._durable:
                # Tests empty tables that are guarded by triggers (tests/conftest.py).
                server.execute(
                    sql.SQL("GRANT SET ON PARAMETER session_replication_role TO {}").format(
                        sql.Identifier(OWNER)
                    )
                )
            database = server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE])
            if database.fetchone() is None:
                server.execute(
                    sql.SQL("CREATE DATABASE {} OWNER {}").format(
                        sql.Identifier(DATABASE), sql.Identifier(OWNER)
                    )
                )

    @property
    def owner_url(self) -> str:
        return self._url(OWNER, DATABASE)

    @property
    def application_url(self) -> str:
        return self._url(APPLICATION, DATABASE)

    def _url(self, role: str, database: str) -> str:
        password = {
            "postgres": self._passwords.superuser,
            OWNER: self._passwords.owner,
            APPLICATION: self._passwords.application,
        }[role]
        return f"postgresql://{role}:{password}@/{database}?host={self._place.sockets}"

    def _initialise(self) -> None:
        # initdb reads the password from a file, which the server's user must be able to open.
        with tempfile.NamedTemporaryFile("w", dir=self._place.sockets) as file:
            file.write(self._passwords.superuser)
            file.flush()
            if self._place.servant.is_other:
                Path(file.name).chmod(0o644)  # inside a folder that only the servant can enter
            made = self._place.servant.run(
                [
                    str(self._bin / "initdb"),
                    f"--pgdata={self._data}",
                    "--username=postgres",
                    f"--pwfile={file.name}",
                    "--auth=scram-sha-256",
                    "--encoding=UTF8",
                    "--locale=C",
                    *([] if self._durable else ["--no-sync"]),
                ]
            )
        if made.returncode:
            raise PostgresError(f"PostgreSQL could not be set up: {made.stderr.strip()}")

    def _control(self, *arguments: str) -> "_Finished":
        finished = self._place.servant.run(
            [str(self._bin / "pg_ctl"), "-D", str(self._data), *arguments]
        )
        return _Finished(finished.returncode)


@dataclass(frozen=True, slots=True)
class _Finished:
    returncode: int
