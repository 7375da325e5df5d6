"""A process that serves players must not be able to become the ledger's owner.

A connection steps down to the application's role, but a login that is more can step up again
(`SET ROLE NONE`), and a pooler in between may drop the step down altogether. So the login itself is
looked at: a process that serves with one that could write the ledger ends, or, where the database
did not answer at the start, uses no connection.
"""

import logging
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from wallet.ledger.roles import LEDGER_TABLES

logger = logging.getLogger(__name__)

# Roles that the login is or may become, and that may write what the posting functions write.
_TOO_MUCH = """
SELECT session_user, r.rolname FROM pg_roles r
 WHERE pg_has_role(session_user, r.oid, 'MEMBER')
   AND (r.rolsuper OR EXISTS (
        SELECT FROM unnest(%s::text[]) name WHERE has_table_privilege(
          r.oid, to_regclass(name), 'INSERT, UPDATE, DELETE, TRUNCATE')))
 ORDER BY r.rolname <> session_user, r.rolname LIMIT 1
"""
_UID = "wallet.ledger.serving_role"


class ServesAsOwner(ImproperlyConfigured):
    """`str()` is the sentence for the operator."""

    def __init__(self, login: str, role: str) -> None:
        may = "may" if role == login else f"may become {role}, which may"
        super().__init__(
            f"The database login {login} {may} write the ledger past its functions. Give this"
            " process a login of its own in DATABASE_URL; docs/operations.md says how"
            " (Two logins in the database)."
        )


def refuse_to_serve_as_owner() -> None:
    """For a process that is about to serve. Raises ServesAsOwner, now or at each connection."""
    connection_created.connect(_look_once, dispatch_uid=_UID)
    try:
        connection.ensure_connection()
    except OperationalError as error:
        logger.warning("the database login is looked at later: %s", error)
    finally:
        connection.close()


def _look_once(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_TOO_MUCH, [list(LEDGER_TABLES)])
        too_much = cursor.fetchone()
        if too_much is not None:
            raise ServesAsOwner(*too_much)
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [LEDGER_TABLES[0]])
        has_ledger = cursor.fetchone() == (True,)
    if has_ledger:  # before the first migration there is nothing to see
        connection_created.disconnect(dispatch_uid=_UID)
