"""Prepared statements, which run through libpq, behave like a cursor: values, errors, transactions."""

import os
import sys
from contextlib import closing
from uuid import UUID

import pytest
from django.conf import settings
from django.db import DataError, IntegrityError, OperationalError, connection, transaction

from core.database.prepared import Prepared, read_bytes, read_flag, read_integers
from tests.given import reload
from tests.programs import run_python
from tests.wallet.cash_players import make_player
from tests.wallet.rawsql import as_owner, run

pytestmark = pytest.mark.django_db

ECHO = Prepared(
    "test_echo",
    """SELECT $1::text, $2::bigint, $3::bytea, $4::uuid, '{3,1,2}'::smallint[], '{}'::smallint[],
              true, false""",
    (bytes.decode, int, read_bytes, bytes.decode, read_integers, read_integers, *[read_flag] * 2),
)
NOBODY = Prepared("test_nobody", "SELECT 1 WHERE $1::bigint = 2", (int,))
WRONG = Prepared("test_wrong", "SELECT 1 / $1::bigint", (int,))
MISSING = Prepared("test_missing", "SELECT 1 FROM nowhere WHERE 1 = $1::bigint", (int,))


@pytest.mark.parametrize(
    "values",
    [
        ("Ünï 'quoted' \\ ₹", -(2**62), bytes(range(256)), UUID(int=7)),
        ("", 0, b"", UUID(int=0)),
        (None, None, None, None),
    ],
)
def test_values_come_back_as_they_went(values):
    row = ECHO.first(*values)
    assert row is not None
    text, number, stored, uuid, numbers, none, *flags = row
    assert (text, number, stored) == values[:3]
    assert uuid == (None if values[3] is None else str(values[3]))
    assert (numbers, none, flags) == ([3, 1, 2], [], [True, False])


def test_a_query_without_a_row_returns_none():
    assert NOBODY.first(1) is None
    assert NOBODY.first(2) == [1]


def test_errors_are_djangos_and_a_savepoint_saves_the_transaction():
    with pytest.raises(DataError, match="division by zero"), transaction.atomic():
        WRONG.first(0)
    assert WRONG.first(1) == [1]
    with pytest.raises(Exception, match="nowhere") as caught, transaction.atomic():
        MISSING.first(1)
    assert type(caught.value).__module__ == "django.db.utils"
    assert NOBODY.first(2) == [1]


@pytest.mark.django_db(transaction=True)
def test_a_statement_runs_in_the_transaction_of_its_caller():
    user = make_player("Asha")
    rename = Prepared(
        "test_rename", "UPDATE accounts_user SET player_name = $1::text WHERE id = $2::bigint"
    )
    with transaction.atomic():
        rename.first("Other Name", user.pk)
        transaction.set_rollback(True)
    assert reload(user).player_name == "Asha"
    with transaction.atomic():
        rename.first("Other Name", user.pk)
    assert reload(user).player_name == "Other Name"
    other = make_player("Bela")
    with pytest.raises(IntegrityError):
        rename.first("Other Name", other.pk)


@pytest.mark.django_db(transaction=True)
def test_a_new_connection_prepares_its_statements_again():
    assert NOBODY.first(2) == [1]
    connection.close()
    assert NOBODY.first(2) == [1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "happens",
    [
        "ALTER TABLE test_migrated ALTER COLUMN value TYPE bigint",
        pytest.param("DEALLOCATE ALL", marks=pytest.mark.own_session),
    ],
    ids=["a migration", "an old pooler"],
)
def test_an_outdated_statement_is_prepared_again(happens):
    """The first execution after the change fails, and its caller tries again on a new connection."""
    stored = Prepared(
        f"test_stored_{len(happens)}", "SELECT value FROM test_migrated WHERE $1::int = 1", (int,)
    )
    with as_owner():
        run("CREATE TABLE test_migrated AS SELECT 7 AS value")
        run(f"GRANT SELECT ON test_migrated TO {settings.DATABASE_APP_ROLE}")
    try:
        assert stored.first(1) == [7]
        with as_owner():
            run(happens)
        with pytest.raises(OperationalError, match="out of date"):
            stored.first(1)
        connection.close()
        assert stored.first(1) == [7]
        assert NOBODY.first(2) == [1]
    finally:
        with as_owner():
            run("DROP TABLE test_migrated")


@pytest.mark.django_db(transaction=True)
def test_a_lock_timeout_is_an_operational_error():
    slow = Prepared("test_slow", "SELECT pg_sleep($1::int)", (bytes.decode,))
    with transaction.atomic():
        run("SET LOCAL statement_timeout = 50")
        with pytest.raises(OperationalError, match="timeout"), transaction.atomic():
            slow.first(5)
    assert NOBODY.first(2) == [1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.own_session
def test_a_lost_connection_is_an_operational_error():
    ((backend,),) = run("SELECT pg_backend_pid()")
    other = connection.copy()
    with closing(other), other.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
        cursor.execute("SELECT pg_terminate_backend(%s, 30000)", [backend])
    with pytest.raises(OperationalError):
        NOBODY.first(2)
    connection.close()
    assert NOBODY.first(2) == [1]


def test_a_crashed_server_is_not_blamed_on_the_statement():
    """Callers retry an OperationalError. Another error would put a table out of order."""
    given = {"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "TEST_PROCESSES"}
    environment = {name: value for name, value in os.environ.items() if name not in given}
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings.local", "DATABASE_POOL": "0"}
    beside_a_server = ("-m", "config.run.embedded.throwaway", sys.executable, "-m")
    crash = "tests.core.database.crashed_server"
    finished = run_python(*beside_a_server, crash, env=environment, timeout=120)
    assert finished.stdout.split() == ["OperationalError", "2"], finished.stderr
