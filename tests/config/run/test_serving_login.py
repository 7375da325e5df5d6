"""A process with a login that can write the ledger refuses to serve players."""

import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.db import connection
from psycopg import sql

from tests.workers import wait_until
from wallet.ledger.roles import LEDGER_TABLES, ServesAsOwner, refuse_to_serve_as_owner

ROOT = Path(__file__).resolve().parents[3]
LOGIN = "a_login_of_its_own"
PROCESSES = {
    "web": ["-m", "config.run.web"],
    "clock": ["manage.py", "clock"],
    "worker": ["-m", "celery", "--quiet", "--app", "config", "worker", "--pool", "solo"],
}

pytestmark = pytest.mark.django_db(transaction=True)


def here(url, user=None, password=None):
    """The same server, the tests' database."""
    parts = urlsplit(url)._replace(path=f"/{connection.settings_dict['NAME']}")
    if user is not None:
        parts = parts._replace(netloc=f"{user}:{password}@{parts.netloc.rpartition('@')[2]}")
    return urlunsplit(parts)


def owner_url():
    return here(os.environ["DATABASE_OWNER_URL"])


@pytest.fixture
def login_url():
    """Of a login that migrations make, as in a new deployment."""
    url = here(os.environ["DATABASE_URL"], LOGIN, "a-password")
    yield url
    with psycopg.connect(owner_url(), autocommit=True) as owner:
        owner.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(LOGIN)))


def environment(url, **more):
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_OWNER_URL"}
    return {
        **kept,
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        "DATABASE_URL": url,
        "SECRET_KEY": "only for tests",
        "PYTHONPATH": str(ROOT),
        "PORT": "0",
        **more,
    }


def run(words, url, **more):
    return subprocess.run(
        [sys.executable, *words],
        env=environment(url, **more),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def migrate(url):
    done = run(["manage.py", "migrate", "--verbosity", "0"], url, DATABASE_OWNER_URL=owner_url())
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("kind", PROCESSES)
def test_no_process_serves_with_the_owner_s_login(kind):
    ended = run(PROCESSES[kind], owner_url(), DATABASE_POOL="0")
    assert ended.returncode == 1
    said = ended.stderr.strip().splitlines()[-1]
    assert "The database login openrummy may write the ledger past its functions." in said
    assert "DATABASE_URL" in said
    assert "Traceback" not in ended.stderr


def test_migrations_make_a_login_for_all_the_others_which_serves(login_url, unused_tcp_port):
    migrate(login_url)
    migrate(login_url)  # again is no more than once
    with psycopg.connect(login_url, autocommit=True) as session:
        assert session.execute("SELECT count(*) FROM wallet_entry").fetchone() == (0,)
        for step in ("SET ROLE NONE", "RESET ROLE", "SET ROLE openrummy_app"):
            session.execute(step.encode())
            for table in LEDGER_TABLES:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    session.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            session.execute("SET ROLE openrummy")
    with psycopg.connect(owner_url()) as owner:
        stored = owner.execute(
            "SELECT rolsuper, rolcreaterole, rolcreatedb, rolcanlogin FROM pg_roles"
            " WHERE rolname = %s",
            [LOGIN],
        )
        assert stored.fetchone() == (False, False, False, True)
    url = f"http://127.0.0.1:{unused_tcp_port}/rules/"
    web = subprocess.Popen(
        [sys.executable, "-m", "config.run.web"],
        env=environment(login_url, PORT=str(unused_tcp_port), DATABASE_POOL_SIZE="2"),
        cwd=ROOT,
    )
    try:
        wait_until(lambda: status_of(url) == 200)
    finally:
        web.terminate()
        web.wait(20)


def status_of(url):
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 - our own address
            return answer.status
    except (urllib.error.URLError, OSError):
        return None


def test_a_role_that_one_may_step_into_counts_too(login_url):
    """NOINHERIT hides what a login may become, but it may still become it."""
    migrate(login_url)
    with psycopg.connect(owner_url(), autocommit=True) as owner:
        owner.execute(sql.SQL("ALTER ROLE {} NOINHERIT").format(sql.Identifier(LOGIN)))
        owner.execute("CREATE ROLE a_writer")
        try:
            owner.execute("GRANT INSERT ON wallet_entry TO a_writer")
            owner.execute(sql.SQL("GRANT a_writer TO {}").format(sql.Identifier(LOGIN)))
            ended = run(PROCESSES["clock"], login_url)
        finally:
            owner.execute("REVOKE INSERT ON wallet_entry FROM a_writer")
            owner.execute("DROP ROLE a_writer")
    assert ended.returncode == 1
    assert f"The database login {LOGIN} may become a_writer, which may write" in ended.stderr


def test_a_database_that_comes_later_is_looked_at_then():
    """The process waits for it, and uses no connection of such a login."""
    there = dict(connection.settings_dict)
    connection.close()
    connection.settings_dict["PORT"] = "1"
    try:
        refuse_to_serve_as_owner()  # nothing to see yet
        connection.settings_dict.update(there)
        for _again in range(2):
            with pytest.raises(ServesAsOwner, match="The database login openrummy may write"):
                connection.ensure_connection()
            connection.close()
    finally:
        connection.settings_dict.update(there)
        stop_looking()
    connection.ensure_connection()


def stop_looking():
    from django.db.backends.signals import connection_created  # noqa: PLC0415

    assert connection_created.disconnect(dispatch_uid="wallet.ledger.roles")
