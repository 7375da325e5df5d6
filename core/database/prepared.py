"""Prepared statements for moves and postings: prepared once per connection, and executed directly through libpq.

A cursor takes a fifth of a move's processor time. It also releases the interpreter lock several times per
statement, and other threads then take the lock (docs/adr/0004-the-move-path.md). Use cursors for everything else.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import pq

Value = str | int | bytes | UUID | None
Read = Callable[[bytes], Any]

_DONE: Final = {pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK}
# A column's type has changed (by a migration, before this process is replaced), or a pooler has given this
# session to another client.
_PREPARED_FOR_ANOTHER: Final = {b"0A000", b"26000"}
_names: WeakKeyDictionary[psycopg.Connection[Any], set[bytes]] = WeakKeyDictionary()


class Prepared:
    """A statement with parameters $1, $2 … and a parser for each column's text.

    Every parameter needs a type in the statement: `$1::bigint`.
    """

    def __init__(self, name: str, sql: str, columns: Sequence[Read] = ()) -> None:
        self._name = name.encode()
        self._sql = sql.encode()
        self._columns = columns

    def first(self, *parameters: Value) -> list[Any] | None:
        """Run the statement on Django's connection, in its transaction. Return the first row or None.

        Raises the same exceptions as Django's cursor.
        """
        here = connections[DEFAULT_DB_ALIAS]  # `connection` would look it up each time
        if here.connection is None:
            here.ensure_connection()
        with here.wrap_database_errors:
            result = self._run(here.connection, parameters)
        if not self._columns or not result.ntuples:
            return None
        texts = (result.get_value(0, column) for column in range(len(self._columns)))
        return [
            None if text is None else read(text)
            for read, text in zip(self._columns, texts, strict=True)
        ]

    def _run(self, opened: psycopg.Connection[Any], parameters: Sequence[Value]) -> pq.abc.PGresult:
        server = opened.pgconn
        if not opened.autocommit and server.transaction_status == pq.TransactionStatus.IDLE:
            _check(server, server.exec_(b"BEGIN"))
        names = _names.setdefault(opened, set())
        if self._name not in names:
            _check(server, server.prepare(self._name, self._sql))
            names.add(self._name)
        values = [_encode(value) for value in parameters]
        formats = [int(isinstance(value, bytes)) for value in parameters]
        result = server.exec_prepared(self._name, values, formats)  # type: ignore[arg-type]
        if result.status not in _DONE and _get_code(result) in _PREPARED_FOR_ANOTHER:
            opened.close()  # the next statement is prepared again
            self._sql += (
                b" "  # a different text, because PgBouncer identifies prepared statements by text
            )
            raise psycopg.OperationalError("this connection's statements are out of date")
        return _check(server, result)


def _check(server: pq.abc.PGconn, result: pq.abc.PGresult) -> pq.abc.PGresult:
    if result.status in _DONE:
        return result
    # Server errors carry a code. libpq's own errors have none: the server is gone, which the connection's
    # status does not always reflect yet.
    if _get_code(result) is None:
        raise psycopg.OperationalError(server.get_error_message())
    raise psycopg.errors.error_from_result(result)


def _get_code(result: pq.abc.PGresult) -> bytes | None:
    return result.error_field(pq.DiagnosticField.SQLSTATE)


def _encode(value: Value) -> bytes | None:
    """Encode a parameter in PostgreSQL's text format. Bytes stay as they are, in binary format."""
    return value if value is None or isinstance(value, bytes) else str(value).encode()


def read_flag(text: bytes) -> bool:
    """Parse a boolean."""
    return text == b"t"


def read_bytes(text: bytes) -> bytes:
    """Parse a bytea."""
    return bytes.fromhex(text[2:].decode())


def read_integers(text: bytes) -> list[int]:
    """Parse an array of integers."""
    return [int(number) for number in text[1:-1].split(b",") if number]
