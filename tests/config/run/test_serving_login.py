"""A process with a login that can write the ledger refuses to serve players."""

import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.backends.signals import connection_created
from psycopg import sql

from tests.pooler import POOL_SIZE, needs_pgbouncer, run_pooler
from tests.programs import ROOT, answers, run_python
from tests.workers import point_to_tests, wait_until
from wallet.ledger.roles import (
    LEDGER_TABLES,
    WrongLoginError,
    grant_to_application,
    refuse_to_serve_with_a_wrong_login,
    set_up_pooler_login,
)

LOGIN = "a_login_of_its_own"
PROCESSES = {
    "web": ["-m", "config.run.web"],
    "clock": ["manage.py", "clock"],
    "worker": ["-m", "celery", "--quiet", "--app", "config", "worker", "--pool", "solo"],
}

pytestmark = pytest.mark.django_db(transaction=True)


def owner_url():
    return point_to_tests(os.environ["DATABASE_OWNER_URL"])


@pytest.fixture
def new_login_url():
    """The URL of a login that does not exist yet, as in a new deployment."""
    parts = urlsplit(point_to_tests(os.environ["DATABASE_URL"]))
    host = parts.netloc.rpartition("@")[2]
    yield parts._replace(netloc=f"{LOGIN}:a-password@{host}").geturl()
    with psycopg.connect(owner_url(), autocommit=True) as owner:
        owner.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(LOGIN)))


@pytest.fixture
def login_url(new_login_url, settings):
    """The URL of a login that was created as migrations create it."""
    settings.DATABASE_APP_LOGIN = (LOGIN, "a-password")
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
        grant_to_application("default")  # the last step of `migrate`
        cursor.execute(f"SET ROLE {settings.DATABASE_APP_ROLE}")
    return new_login_url


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
    return run_python(*words, env=environment(url, **more), timeout=60)


def migrate(url, **more):
    command = ["manage.py", "migrate", "--verbosity", "0"]
    done = run(command, url, DATABASE_OWNER_URL=owner_url(), **more)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("kind", PROCESSES)
def test_no_process_serves_with_the_owners_login(kind):
    ended = run(PROCESSES[kind], owner_url(), DATABASE_POOL="0")
    assert ended.returncode == 1
    said = ended.stderr.strip().splitlines()[-1]
    assert "The database login openrummy may write the ledger past its functions." in said
    assert "DATABASE_URL" in said
    assert "Traceback" not in ended.stderr


def test_migrations_make_a_login_that_serves(new_login_url, unused_tcp_port):
    migrate(new_login_url)
    with psycopg.connect(new_login_url, autocommit=True) as session:
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
    assert serves(new_login_url, unused_tcp_port)


def serves(url, port, **more):
    """Start a web process, wait until it answers, and end it. Return True."""
    web = subprocess.Popen(
        [sys.executable, "-m", "config.run.web"],
        env=environment(url, PORT=str(port), DATABASE_POOL_SIZE="2", **more),
        cwd=ROOT,
    )
    try:
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/rules/"))
    finally:
        web.terminate()
        web.wait(20)
    return True


@contextmanager
def connect_with(**parameters):
    """Connect this process with these parameters within the block. Afterwards remove the check of logins."""
    usual = dict(connection.settings_dict)
    connection.close()
    connection.settings_dict.update(parameters)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(usual)
        assert connection_created.disconnect(dispatch_uid="wallet.ledger.roles")


def test_a_login_that_may_become_a_writer_is_refused(login_url):
    """NOINHERIT hides the rights of a role that the login can still switch to."""
    with psycopg.connect(owner_url(), autocommit=True) as owner:
        owner.execute(sql.SQL("ALTER ROLE {} NOINHERIT").format(sql.Identifier(LOGIN)))
        owner.execute("CREATE ROLE a_writer")
        try:
            owner.execute("GRANT INSERT ON wallet_entry TO a_writer")
            owner.execute(sql.SQL("GRANT a_writer TO {}").format(sql.Identifier(LOGIN)))
            refused = f"The database login {LOGIN} may become a_writer, which may write"
            with (
                connect_with(USER=LOGIN, PASSWORD="a-password"),
                pytest.raises(WrongLoginError, match=refused),
            ):
                refuse_to_serve_with_a_wrong_login()
        finally:
            owner.execute("REVOKE INSERT ON wallet_entry FROM a_writer")
            owner.execute("DROP ROLE a_writer")


@needs_pgbouncer
def test_a_login_through_a_pooler_has_its_role_and_limits(login_url, unused_tcp_port):
    with run_pooler({LOGIN: store_password()}) as pooler:
        given = {"DATABASE_POOLER_URL": pooler.pool_url(login_url)}
        ended = run(PROCESSES["clock"], login_url, **given)
        assert ended.returncode == 1
        assert f"Through the pooler the database login {LOGIN} has role = none." in ended.stderr
        assert 1 <= sessions(pooler) <= POOL_SIZE  # begun before the role is set
        migrate(login_url, **given)
        pooler.ask("RECONNECT")
        assert serves(login_url, unused_tcp_port, **given)
        assert 1 <= sessions(pooler) <= POOL_SIZE
        with psycopg.connect(given["DATABASE_POOLER_URL"], autocommit=True) as session:
            asked = "SELECT name, current_setting(name) FROM unnest(%s::text[]) name"
            cursor = session.execute(asked, [list(LIMITS)])
            assert dict(cursor.fetchall()) == LIMITS


LIMITS = {
    "role": "openrummy_app",
    "lock_timeout": "2s",
    "idle_in_transaction_session_timeout": "10s",
    "statement_timeout": "5s",
}


def store_password():
    """Set the login's password. Return the stored verifier."""
    with psycopg.connect(owner_url(), autocommit=True) as owner:
        kind = b"scram-sha-256"
        stored = owner.pgconn.encrypt_password(b"a-password", LOGIN.encode(), kind).decode()
        change = sql.SQL("ALTER ROLE {} PASSWORD {}")
        owner.execute(change.format(sql.Identifier(LOGIN), sql.Literal(stored)))
    return stored


def sessions(pooler):
    """Return how many PostgreSQL sessions the pooler has for the login."""
    return len([server for server in pooler.ask("SHOW SERVERS") if server["user"] == LOGIN])


def test_without_the_right_the_setup_prints_its_statements(settings, login_url):
    settings.DATABASE_POOLER_LOGIN = LOGIN
    asked = f'As the database\'s administrator run: ALTER ROLE "{LOGIN}" SET "role" ='
    with pytest.raises(ImproperlyConfigured, match=re.escape(asked)):
        set_up_pooler_login("default")  # the tests' role may not alter logins
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolconfig FROM pg_roles WHERE rolname = %s", [LOGIN])
        assert cursor.fetchone() == (None,)


@pytest.mark.parametrize(("pool", "statements"), [("1", None), ("0", "0")])
def test_only_jobs_bypass_the_pooler(pool, statements):
    """Web and clock processes use the pooler and set no options. Jobs connect directly, without a time limit."""
    url, pooler = "postgresql://me@db/openrummy", "postgresql://me@pooler:6432/openrummy"
    told = run(["-c", TELL], url, DATABASE_POOLER_URL=pooler, DATABASE_POOL=pool)
    host, options, no_cursors = json.loads(told.stdout)
    assert (host, no_cursors) == (("pooler", True) if pool == "1" else ("db", False))
    limits = re.findall(r"statement_timeout=(\d+)", options or "")
    assert limits == ([] if statements is None else [statements])
    assert bool(options) is (pool == "0")


TELL = """
import json
from django.conf import settings
database = settings.DATABASES["default"]
options = database["OPTIONS"].get("options")
print(json.dumps([database["HOST"], options, database["DISABLE_SERVER_SIDE_CURSORS"]]))
"""


def test_a_database_that_starts_later_is_checked_then():
    """The process starts without its database, and refuses a connection with a wrong login later."""
    port = connection.settings_dict["PORT"]
    with connect_with(PORT="1"):
        refuse_to_serve_with_a_wrong_login()  # the database does not answer yet
        connection.settings_dict["PORT"] = port
        for _again in range(2):
            with pytest.raises(WrongLoginError, match="The database login openrummy may write"):
                connection.ensure_connection()
            connection.close()
    connection.ensure_connection()
