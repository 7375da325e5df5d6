"""A real PgBouncer in front of the tests' database, with deploy/pgbouncer.ini and a pool of three sessions.

`THROUGH_POOLER=1 bin/test pytest tests/wallet` runs tests, and the processes that they start, through it. Without
that variable, only tests in tests/config/run use a pooler.
"""

import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings

from config.run.embedded.place import choose_servant
from tests.programs import ROOT
from wallet.ledger.roles import set_up_pooler_login

THROUGH_POOLER = bool(os.environ.get("THROUGH_POOLER"))
POOL_SIZE = 3
PORT = 6432
# The first version that keeps prepared statements between transactions.
OLDEST = (1, 21)


def find_program() -> str | None:
    """Return the path of the PgBouncer that bin/checks unpacks, or of the machine's own, if new enough."""
    path = f"{ROOT}/var/pgbouncer:{os.environ['PATH']}:/usr/sbin"
    found = shutil.which("pgbouncer", path=path)
    if found is None:
        return None
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"(\d+)\.(\d+)", said)
    return found if version and tuple(map(int, version.groups())) >= OLDEST else None


needs_pgbouncer = pytest.mark.skipif(
    find_program() is None, reason="no PgBouncer 1.21 or newer on this machine"
)


def leave_out_own_sessions(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that need session state, which does not survive a transaction in a pooler."""
    if THROUGH_POOLER:
        left_out = [item for item in items if item.get_closest_marker("own_session")]
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)


def pytest_report_header() -> str:
    if not THROUGH_POOLER:
        return "database: straight"
    return f"database: through {find_program()}, {POOL_SIZE} sessions; without tests marked own_session"


@dataclass(frozen=True, slots=True)
class Pooler:
    """A running PgBouncer."""

    folder: Path

    def pool_url(self, url: str) -> str:
        """Return this PostgreSQL URL, changed to connect through the pooler."""
        parts = urlsplit(url)
        query = {**parse_qs(parts.query), "host": [str(self.folder)], "port": [str(PORT)]}
        return parts._replace(query=urlencode(query, doseq=True)).geturl()

    @property
    def address(self) -> dict[str, str]:
        """The pooler's HOST and PORT for Django's DATABASES setting."""
        return {"HOST": str(self.folder), "PORT": str(PORT)}

    def ask(self, command: str) -> list[dict[str, Any]]:
        """Run a command in the pooler's admin console. Return its rows."""
        url = f"postgresql://admin:admin@/pgbouncer?host={self.folder}&port={PORT}"
        with psycopg.connect(url, autocommit=True) as console:
            cursor = psycopg.ClientCursor(console, row_factory=psycopg.rows.dict_row)
            cursor.execute(command.encode())
            return cursor.fetchall() if cursor.description else []


@contextmanager
def run_pooler(passwords: Mapping[str, str], *, more: str = "", **changed: str) -> Iterator[Pooler]:
    """Run a PgBouncer for the tests' database. `passwords` maps each login to its password.

    `more` is added to the database's entry; `changed` overrides settings of the file.
    """
    found = find_program()
    assert found is not None, (
        f"no PgBouncer {OLDEST} on this machine: bin/test bash bin/checks pooler"
    )
    folder = Path(tempfile.mkdtemp(prefix="orp-"))
    _configure(folder, passwords, more, changed)
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([found, folder / "pgbouncer.ini"], stdout=log, stderr=log)
    try:
        until = time.monotonic() + 20
        while not (folder / f".s.PGSQL.{PORT}").exists():
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < until, (folder / "log").read_text()
            time.sleep(0.05)
        yield Pooler(folder)
    finally:
        process.send_signal(signal.SIGQUIT)  # SIGTERM would wait for the connected clients
        process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def _configure(
    folder: Path, passwords: Mapping[str, str], more: str, changed: Mapping[str, str]
) -> None:
    lines = [f'"{name}" "{word}"\n' for name, word in {**passwords, "admin": "admin"}.items()]
    (folder / "userlist.txt").write_text("".join(lines))
    configuration = ConfigParser(interpolation=None)
    configuration.read(ROOT / "deploy/pgbouncer.ini")
    server = urlsplit(os.environ["DATABASE_URL"])
    host = parse_qs(server.query).get("host", [server.hostname])[0]
    database = str(connection.settings_dict["NAME"])
    configuration["databases"] = {database: f"host={host} port={server.port or 5432} {more}"}
    configuration["pgbouncer"].update(
        listen_addr="",
        listen_port=str(PORT),
        unix_socket_dir=str(folder),
        auth_file=str(folder / "userlist.txt"),
        admin_users="admin",
        default_pool_size=str(POOL_SIZE),
        log_connections="0",
        log_disconnections="0",
        **changed,
    )
    who = choose_servant()
    if who.is_other:  # like PostgreSQL, PgBouncer does not run as root
        configuration["pgbouncer"]["user"] = pwd.getpwuid(who.uid).pw_name
        os.chown(folder, who.uid, who.gid)
    with (folder / "pgbouncer.ini").open("w") as file:
        configuration.write(file)


@contextmanager
def run_pooler_for_tests(**changed: str) -> Iterator[Pooler]:
    """Run a PgBouncer for the logins of the tests. `changed` overrides settings of the file."""
    urls = [urlsplit(os.environ[name]) for name in ("DATABASE_URL", "DATABASE_OWNER_URL")]
    passwords = {str(url.username): str(url.password) for url in urls}
    # A deployment's login has the application role already; the tests' owner has to switch to it.
    step_down = f"connect_query='SET ROLE {settings.DATABASE_APP_ROLE}'"
    with run_pooler(passwords, more=step_down, **changed) as pooler:
        yield pooler


_of_all: Pooler | None = None


@contextmanager
def run_pooler_for_all() -> Iterator[dict[str, Any]]:
    """Run a PgBouncer for the whole test run. Yield the settings of Django's database to change."""
    global _of_all  # noqa: PLW0603 - for the processes that tests start
    login = urlsplit(os.environ["DATABASE_URL"]).username
    with override_settings(DATABASE_POOLER_LOGIN=login):
        set_up_pooler_login(connection.alias)
    with run_pooler_for_tests() as pooler:
        _of_all = pooler
        yield {**pooler.address, "DISABLE_SERVER_SIDE_CURSORS": True}
        _of_all = None


def environment_of_pooler(url: str) -> dict[str, str]:
    """Return the variables that send a process through the pooler, or none if the tests use no pooler."""
    return {} if _of_all is None else {"DATABASE_POOLER_URL": _of_all.pool_url(url)}
