"""Ledger partitions by rename: moves old entries out of the hot table (ADR 0008)."""

from django.conf import settings
from django.db import connection, transaction

from wallet.ledger.roles import grant_to_application

# Postings wait as long as this asks for the table, so it does not ask for long.
_PATIENCE = "2s"


class NotTheOwnerError(Exception):
    """The application's role may not do this."""


def partition_ledger(*, above: int) -> str | None:
    """Make a part of what was written so far, if that is at least `above` entries; its name.

    Raises OperationalError if the table was not free for two seconds: nothing is changed then.
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
        cursor.execute(f"SET LOCAL lock_timeout = '{_PATIENCE}'")
        cursor.execute("SELECT wallet_partition_ledger()")
        (name,) = cursor.fetchone()
        # The table that is written from now on is a new one.
        grant_to_application(connection.alias)
        return str(name)


def tidy(part: str) -> None:
    """Nothing will change in it any more: the server need not look through it again."""
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM (FREEZE, ANALYZE) {connection.ops.quote_name(part)}")
