"""The rights of the application's database role, and the check that a serving process has no further rights.

The owner migrates. The application reads and writes ordinary tables, reads the ledger, and changes the ledger
only through the posting functions. The rights are granted again after every migration.

A connection switches to the application's role, but a login with more rights could switch back (`SET ROLE
NONE`). Therefore the login itself is checked. A process whose login could write to the ledger refuses to
serve. If the database did not answer at the start, each later connection is checked before it is used.

A pooler in transaction mode (docs/scaling.md) shares sessions among clients, so there the login itself
carries the role and the time limits. Migrations set them. A process whose session lacks them refuses to serve
too.
"""

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError
from django.db import OperationalError, ProgrammingError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from psycopg import sql

from core.models.audit import AUDIT_TABLE

# The tables that only the posting functions write.
LEDGER_TABLES = (
    "wallet_account",
    "wallet_journal",
    "wallet_transfer",
    "wallet_entry",
    "wallet_hold",
    "wallet_hold_line",
    "wallet_hold_resolution",
    "wallet_seal",
    "wallet_seal_horizon",
)
# Tables that everybody may only append to.
APPEND_ONLY_TABLES = (AUDIT_TABLE,)

_MAKE_ROLE = """
DO $$ DECLARE
  -- Before PostgreSQL 16 every member may step into the role.
  v_needed text := CASE WHEN current_setting('server_version_num')::int < 160000
                   THEN 'MEMBER' ELSE 'SET' END;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {name}) THEN
    CREATE ROLE {role} NOLOGIN;
  END IF;
  IF NOT pg_has_role(current_user, {name}, v_needed) THEN
    GRANT {role} TO CURRENT_USER;
  END IF;
END $$
"""
# The login of the processes that serve, where migrations have a login of their own.
_MAKE_LOGIN = """
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {login_name}) THEN
    CREATE ROLE {login} LOGIN PASSWORD {password} IN ROLE {role};
  ELSIF NOT pg_has_role({login_name}, {name}, 'MEMBER') THEN
    GRANT {role} TO {login};
  END IF;
END $$
"""
_GRANT = """
GRANT USAGE ON SCHEMA public TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role};
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role};
REVOKE INSERT, UPDATE, DELETE ON django_migrations, {ledger} FROM {role};
REVOKE UPDATE, DELETE, TRUNCATE ON {append_only} FROM {role};
"""
# Partitions are read and written only through wallet_entry (wallet/ledger/database.py).
_REVOKE_PARTS = """
DO $$ DECLARE v_part regclass; BEGIN
  FOR v_part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'wallet_entry'::regclass LOOP
    EXECUTE format('REVOKE ALL ON %s FROM %I', v_part, {name});
  END LOOP;
END $$
"""
_GRANT_FUNCTIONS = """
DO $$ DECLARE v_function regprocedure; BEGIN
  FOR v_function IN SELECT oid FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND starts_with(proname, 'ledger_')
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', v_function, {name});
  END LOOP;
END $$
"""


# Tables and sequences of others, on which the owner of the site's tables may grant nothing.
_OF_OTHERS = """
SELECT relname, pg_get_userbyid(relowner), current_user FROM pg_class
 WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
   AND NOT pg_has_role(current_user, relowner, 'USAGE')
   AND NOT CASE relkind
       WHEN 'S' THEN has_sequence_privilege(oid, 'USAGE, SELECT, UPDATE')
       ELSE has_table_privilege(oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER') END
 ORDER BY relname LIMIT 1
"""


def refuse_tables_of_others(using: str, **_signal: Any) -> None:
    """Raise CommandError if a migration's grants would fail at another owner's table. A receiver of `pre_migrate`."""
    with connections[using].cursor() as cursor:
        cursor.execute(_OF_OTHERS)
        found = cursor.fetchone()
    if found is None or found[2] == settings.DATABASE_APP_ROLE:
        return
    raise CommandError(
        'The schema "public" of this database holds "{0}", which belongs to "{1}" and not to "{2}", so the'
        " application cannot get its rights on the tables there. Nothing was changed. Move it away (ALTER"
        ' TABLE public."{0}" SET SCHEMA …), or give the site a database of its own.'.format(*found)
    )


def grant_to_application(using: str, **_signal: Any) -> None:
    """Grant the application's role its rights. Does nothing in a session that itself runs as this role."""
    role = settings.DATABASE_APP_ROLE
    words = {
        "role": sql.Identifier(role),
        "name": sql.Literal(role),
        "ledger": sql.SQL(", ").join(map(sql.Identifier, LEDGER_TABLES)),
        "append_only": sql.SQL(", ").join(map(sql.Identifier, APPEND_ONLY_TABLES)),
    }
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        cursor.execute("SELECT current_user = %s", [role])
        if cursor.fetchone() == (True,):
            return
        for statement in (_MAKE_ROLE, _GRANT, _REVOKE_PARTS, _GRANT_FUNCTIONS):
            cursor.execute(sql.SQL(statement).format(**words))
        _make_login(cursor, words)
    if settings.DATABASE_POOLER_LOGIN:
        set_up_pooler_login(using)


def _make_login(cursor: Any, words: dict[str, sql.Composable]) -> None:
    """Create the application's login. The operator changes its password later by hand (docs/settings.md)."""
    login, password = settings.DATABASE_APP_LOGIN
    if login in {"", settings.DATABASE_APP_ROLE}:
        return
    # The server's log may show the statement, so it holds no plain password.
    verifier = cursor.connection.pgconn.encrypt_password(
        password.encode(), login.encode(), b"scram-sha-256"
    )
    login_words = {
        "login": sql.Identifier(login),
        "login_name": sql.Literal(login),
        "password": sql.Literal(verifier.decode()),
    }
    cursor.execute(sql.SQL(_MAKE_LOGIN).format(**words, **login_words))


def set_up_pooler_login(using: str) -> None:
    """Make each session of the pooler's login begin with the role and the time limits.

    If the owner may not do this, raises ImproperlyConfigured with the statements for the database's
    administrator.
    """
    login = settings.DATABASE_POOLER_LOGIN
    wanted = settings.DATABASE_POOLER_SESSION
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        cursor.execute("SELECT coalesce(rolconfig, '{}') FROM pg_roles WHERE rolname = %s", [login])
        row = cursor.fetchone()
        there = set(row[0]) if row else set()
        statements = "; ".join(
            sql.SQL("ALTER ROLE {} SET {} = {}")
            .format(sql.Identifier(login), sql.Identifier(name), sql.Literal(str(value)))
            .as_string(None)
            for name, value in wanted.items()
            if f"{name}={value}" not in there
        )
        if not statements:
            return
        try:
            cursor.execute(statements)
        except ProgrammingError as error:
            raise ImproperlyConfigured(
                f"The pooler's login cannot be set up ({str(error).partition(chr(10))[0]})."
                f" As the database's administrator run: {statements}"
            ) from error


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
# Settings of a session that are not those of the pooler's login.
_OTHERWISE = """
SELECT session_user, name, current_setting(name)
  FROM unnest(%s::text[], %s::text[]) AS wanted(name, value)
 WHERE CASE name WHEN 'role' THEN current_setting(name) <> value
       ELSE current_setting(name)::interval <> (value || 'ms')::interval END
"""
_UID = "wallet.ledger.roles"


class WrongLoginError(ImproperlyConfigured):
    """The login may not serve. `str()` returns the sentence for the operator."""


def refuse_to_serve_with_a_wrong_login() -> None:
    """Check the login of a process that is about to serve. Raises WrongLoginError.

    If the database does not answer now, each later connection is checked until one has passed.
    """
    connection_created.connect(_check_once, dispatch_uid=_UID)
    try:
        connection.ensure_connection()
    except OperationalError as error:
        logger.warning("the database login is looked at later: %s", error)
    finally:
        connection.close()


def _check_once(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_TOO_MUCH, [list(LEDGER_TABLES)])
        too_much = cursor.fetchone()
        if too_much is not None:
            login, role = too_much
            may = "may" if role == login else f"may become {role}, which may"
            raise WrongLoginError(
                f"The database login {login} {may} write the ledger past its functions. Give this"
                " process a login of its own in DATABASE_URL; docs/processes.md says how"
                " (Two logins in the database)."
            )
        if settings.DATABASE_THROUGH_POOLER:
            wanted = settings.DATABASE_POOLER_SESSION
            cursor.execute(_OTHERWISE, [list(wanted), [str(value) for value in wanted.values()]])
            if (otherwise := cursor.fetchone()) is not None:
                login, name, value = otherwise
                raise WrongLoginError(
                    f"Through the pooler the database login {login} has {name} = {value}. Run the"
                    " migrations with DATABASE_POOLER_URL set, and RECONNECT in the pooler's console;"
                    " docs/scaling.md says how (Through a pooler)."
                )
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [LEDGER_TABLES[0]])
        has_ledger = cursor.fetchone() == (True,)
    if has_ledger:  # before the first migration there is nothing to see
        connection_created.disconnect(dispatch_uid=_UID)
