"""The rights of the application's database role, granted again after every migration.

The owner migrates. The application reads and writes ordinary tables, reads the ledger, and changes
it through the posting functions alone.
"""

from typing import Any

from django.conf import settings
from django.db import connections, transaction
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
# What is only ever added to by anybody.
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
# Read and written through wallet_entry alone (wallet/ledger/partitions.py).
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


def grant_to_application(using: str, **_signal: Any) -> None:
    """Runs as the owner; a session that has already stepped down to the role changes nothing."""
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


def _make_login(cursor: Any, words: dict[str, sql.Composable]) -> None:
    """Its password is not changed later: that is done by hand (docs/operations.md)."""
    login, password = settings.DATABASE_APP_LOGIN
    if login in {"", settings.DATABASE_APP_ROLE}:
        return
    # What the server's log may show of the statement is then no password.
    verifier = cursor.connection.pgconn.encrypt_password(
        password.encode(), login.encode(), b"scram-sha-256"
    )
    login_words = {
        "login": sql.Identifier(login),
        "login_name": sql.Literal(login),
        "password": sql.Literal(verifier.decode()),
    }
    cursor.execute(sql.SQL(_MAKE_LOGIN).format(**words, **login_words))
