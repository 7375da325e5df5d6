"""SQL that an attacker or a careless administrator might write, and refusals that change nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection, transaction

from core.refusals import RefusalKind
from tests.refusals import refused
from wallet.ledger.roles import LEDGER_TABLES

Snapshot = list[tuple[Any, ...]]
LEDGER = ("LedgerAccount", "Journal", "Transfer", "Entry", "Hold", "HoldResolution")


def snapshot(*names: str) -> Snapshot:
    """Return every row of these wallet models, or of all of them if no name is given."""
    models = apps.get_app_config("wallet").get_models()
    of_each = [
        f"SELECT '{model.__name__}', row::text FROM {model._meta.db_table} row"  # noqa: S608 - own tables
        for model in models
        if not names or model.__name__ in names
    ]
    return run(f"{' UNION ALL '.join(of_each)} ORDER BY 1, 2")


@contextmanager
def expect_unchanged(
    refusal: RefusalKind | type[Exception], match: str | None = None
) -> Iterator[pytest.ExceptionInfo[Any]]:
    """Expect a refusal, and check that it leaves every row of the wallet unchanged."""
    before = snapshot()
    with refused(refusal, match=match) as caught:
        yield caught
    assert snapshot() == before


def run(sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def as_owner() -> Iterator[None]:
    """Run statements as the owner of the tables, whom only triggers can stop."""
    with transaction.atomic():
        run("SET LOCAL ROLE NONE")
        yield
        run(f"SET LOCAL ROLE {settings.DATABASE_APP_ROLE}")


@contextmanager
def without_guards(*tables: str) -> Iterator[None]:
    """Run statements as the owner with these tables' triggers off. Without names, the ledger's are off."""
    with as_owner():
        run("SET CONSTRAINTS ALL IMMEDIATE")
        for table in tables or LEDGER_TABLES:
            run(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        yield
        run("SET CONSTRAINTS ALL IMMEDIATE")
        for table in tables or LEDGER_TABLES:
            run(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def refusal(sql: str, *parameters: Any) -> str:
    """Expect a statement to fail without changing a row. Return the violated constraint or the SQLSTATE."""
    with expect_unchanged(DatabaseError) as error, transaction.atomic():
        run(sql, *parameters)
    cause: Any = error.value.__cause__
    return str(cause.diag.constraint_name or cause.sqlstate)


def lines(*texts: str) -> str:
    """Return a `wallet_line[]` built from "SOURCE,owner,DESTINATION,owner,CURRENCY,amount,REASON" strings."""
    return "{" + ",".join(f'"{line(text)}"' for text in texts) + "}"


def line(text: str) -> str:
    source, owner, destination, other, *rest = text.split(",")
    return f"({source},{owner},0,{destination},{other},0,{','.join(rest)})"


POST = "SELECT journal_id, replayed FROM ledger_post(%s, %s::wallet_line[])"


def post(key: str, *texts: str) -> tuple[int, bool]:
    ((journal_id, replayed),) = run(POST, key, lines(*texts))
    return journal_id, replayed


def expect_refused_post(key: str, *texts: str) -> str:
    return refusal(POST, key, lines(*texts))


def tamper(*statements: str) -> None:
    """Run statements as the owner with all guards of the ledger off, and restore the guards."""
    with without_guards():
        for statement in statements:
            run(statement)
