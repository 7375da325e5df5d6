"""The ledger's SQL files (wallet/sql/ledger), and its partitions of old entries (ADR 0008)."""

import re
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from wallet.ledger.roles import grant_to_application

FOLDER = Path(__file__).resolve().parents[1] / "sql/ledger"
_NOT_A_FUNCTION = ("types", "tables", "triggers")


def function_names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.sql") if path.stem not in _NOT_A_FUNCTION)


def read_sql(name: str) -> str:
    """Return a file's text, for `migrations.RunSQL`."""
    return (FOLDER / f"{name}.sql").read_text()


def read_all_sql() -> str:
    """Return all SQL for an empty database, in the order of execution."""
    # Functions call others that are defined later, so their bodies are checked only at the first call.
    parts = ["SET LOCAL check_function_bodies = off;", read_sql("types"), read_sql("tables")]
    parts += map(read_sql, function_names())
    return "\n".join([*parts, read_sql("triggers")])


_DOMAIN = re.compile(
    r"CREATE DOMAIN (\w+) AS text CONSTRAINT (\w+_is_known) (CHECK \(.*?\)\));", re.DOTALL
)


def renew_vocabulary() -> str:
    """Return SQL that gives an existing database the kinds, currencies and reasons of types.sql.

    Values are only added, never removed, so PostgreSQL need not check the stored rows again.
    """
    return "\n".join(
        f"ALTER DOMAIN {domain} DROP CONSTRAINT {name};\n"
        f"ALTER DOMAIN {domain} ADD CONSTRAINT {name} {check} NOT VALID;"
        for domain, name, check in _DOMAIN.findall(read_sql("types"))
    )


# Postings queue behind this lock request, so it gives up soon.
_LOCK_TIMEOUT = "2s"


class NotTheOwnerError(Exception):
    """The application's role has attempted something that only the owner may do."""


def partition_ledger(*, above: int) -> str | None:
    """Move the entries written so far into a partition, and return the partition's name.

    Return None, and move nothing, if there are fewer than `above` entries.

    Raises NotTheOwnerError for the application's role. Raises OperationalError if the table could not be
    locked within two seconds; then nothing has changed.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT current_user = %s", [settings.DATABASE_APP_ROLE])
        if cursor.fetchone() == (True,):
            raise NotTheOwnerError
        cursor.execute(
            "SELECT count(*) FROM (SELECT FROM ONLY wallet_entry LIMIT %s) AS found", [above]
        )
        (number,) = cursor.fetchone()
        if number < above:
            return None
        cursor.execute(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'")
        cursor.execute("SELECT wallet_partition_ledger()")
        (name,) = cursor.fetchone()
        # Entries are now written to a new table, which needs its grants.
        grant_to_application(connection.alias)
        return str(name)


def tidy(part: str) -> None:
    """Freeze the rows of a partition. They no longer change, so autovacuum need not scan them again."""
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM (FREEZE, ANALYZE) {connection.ops.quote_name(part)}")
