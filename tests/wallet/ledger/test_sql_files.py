"""The files in wallet/sql/ledger, which must equal the functions in the database."""

import re

import pytest
from django.db import connection

from tests.wallet.rawsql import run
from wallet.ledger.database import function_names, read_sql

pytestmark = pytest.mark.django_db
DEFINITIONS = """
SELECT p.proname, pg_get_functiondef(p.oid) FROM pg_proc AS p
WHERE p.pronamespace = 'public'::regnamespace
  AND (p.proname LIKE 'ledger\\_%%' OR p.proname LIKE 'wallet\\_%%')
  AND p.prolang IN (SELECT oid FROM pg_language WHERE lanname IN ('plpgsql', 'sql'))
"""


def definitions():
    return dict(run(DEFINITIONS))


def test_a_migrated_database_has_these_functions_and_no_others():
    assert sorted(definitions()) == function_names()


@pytest.mark.parametrize("name", function_names())
def test_a_function_is_that_of_its_file(name, as_owner):
    migrated = definitions()[name]
    with as_owner():
        connection.cursor().execute(read_sql(name))
    assert definitions()[name] == migrated


def test_a_file_that_was_changed_without_a_migration_is_found(as_owner):
    migrated = definitions()["ledger_void_hold"]
    changed = re.sub(r"\bBEGIN\b", "BEGIN -- changed", read_sql("ledger_void_hold"), count=1)
    with as_owner():
        connection.cursor().execute(changed)
    assert definitions()["ledger_void_hold"] != migrated
