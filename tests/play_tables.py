"""Checks that play tables stay keyed by their table (docs/adr/0018-play-keyed-by-table.md).

`PARTITIONED=1 bin/test pytest tests/tables/play` runs tests with each play table HASH-partitioned by the game table's
id; changes are partitioned by day first. PostgreSQL then makes the same demands on keys and references as a
database that spreads tables over several servers. In every run, a test fails if one of its statements locks rows of
several game tables.
"""

import os
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pytest
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from core.database.prepared import Prepared, Value
from wallet.ledger.roles import grant_to_application

PARTITIONED: Final = bool(os.environ.get("PARTITIONED"))
PARTITIONS: Final = 3
# The play tables, with the column that names the game table of a row.
PLAY_TABLES: Final = {
    "tables_table": "id",
    "tables_seat": "table_id",
    "tables_queueplace": "table_id",
    "tables_match": "table_id",
    "tables_deal": "table_id",
    "tables_change": "table_id",
    "history_match_archive": "table_id",
    "tables_tablefault": "table_id",
}

# Partitioned by day, and by game table within each day.
_BY_DAY: Final = "tables_change"

_OPTIONS = "SELECT array_to_string(reloptions, ', ') FROM pg_class WHERE oid = %s::regclass"
_CONSTRAINTS = """
SELECT format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s', %s, conname, pg_get_constraintdef(oid))
FROM pg_constraint WHERE conrelid = %s::regclass AND contype = ANY (%s)"""
_INDEXES = """
SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') FROM pg_index
WHERE indrelid = %s::regclass
  AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
  AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = indexrelid)"""
_TRIGGERS = "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal"
# The partitions of a day share the parent's sequence.
_NUMBERED = """
SELECT attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
WHERE attrelid = %s::regclass AND attname = 'id' AND NOT relispartition
  AND (attidentity <> '' OR atthasdef)"""
_DAYS = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = %s::regclass"
_ROWS_OF_DAY = "SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE oid = %s::regclass"


def partition_play_tables() -> None:
    """Recreate each play table as a partitioned one, as the owner. The tables must be empty."""
    days = _ask(_DAYS, _BY_DAY)
    keys = [text for name in (*PLAY_TABLES, *days) for text in _keys_of(name)]
    references = [text for name in PLAY_TABLES for text in _ask(_CONSTRAINTS, name, name, ["f"])]
    triggers = [text for name in PLAY_TABLES for text in _ask(_TRIGGERS, name)]
    for name, key in PLAY_TABLES.items():
        like = f"(LIKE {name} INCLUDING ALL EXCLUDING IDENTITY EXCLUDING INDEXES)"
        if name != _BY_DAY:
            _split(name, key, like)
            continue
        _run(
            f"ALTER TABLE {name} ALTER id DROP DEFAULT",
            f"CREATE TABLE new_{name} {like} PARTITION BY RANGE (at_ms)",
        )
        for day in days:
            _split(day, key, f"PARTITION OF new_{name} {_ask(_ROWS_OF_DAY, day)[0]}")
    # Fails if any other table has a foreign key to one of them.
    _run(f"DROP TABLE {', '.join(PLAY_TABLES)}")
    _run(*(f"ALTER TABLE new_{name} RENAME TO {name}" for name in (*PLAY_TABLES, *days)))
    _run(*keys, *references, *triggers)
    grant_to_application(connection.alias)


def _split(name: str, key: str, like: str) -> None:
    """Create `new_{name}`, partitioned by a hash of the column `key`."""
    (options,) = _ask(_OPTIONS, name)
    _run(
        f"CREATE TABLE new_{name} {like} PARTITION BY HASH ({key})",
        *(
            f"CREATE TABLE {name}_{number} PARTITION OF new_{name}"
            f" FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})"
            + (f" WITH ({options})" if options else "")
            for number in range(PARTITIONS)
        ),
    )


def _keys_of(name: str) -> list[str]:
    keys = _ask(_CONSTRAINTS, name, name, ["p", "u"]) + _ask(_INDEXES, name)
    if _ask(_NUMBERED, name):  # before PostgreSQL 17, partitioned tables had no identity
        keys += [
            f"CREATE SEQUENCE {name}_id_seq OWNED BY {name}.id",
            f"ALTER TABLE {name} ALTER id SET DEFAULT nextval('{name}_id_seq')",
        ]
    return keys


def _ask(query: str, *values: str | list[str]) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return [row[0] for row in cursor.fetchall()]


def _run(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


_LOCKING: Final = re.compile(r"\bFOR\s+(?:NO\s+KEY\s+UPDATE|UPDATE|KEY\s+SHARE|SHARE)\b(.*)", re.S)
_MENTIONS: Final = re.compile(rf"\b({'|'.join(PLAY_TABLES)})\b")
_ONE_TABLE: Final = re.compile(
    r"""(?:\bt\.id|"tables_table"\."id"|tables_table WHERE id|\btable_id"?) = (?:%s|\$\d)"""
)


def locks_several_tables(sql: str) -> bool:
    """Return whether the statement locks rows of play tables without limiting them to one game table."""
    locking = _LOCKING.search(sql)
    if locking is None or not _MENTIONS.search(sql):
        return False
    if " OF " in locking[1] and '"' in locking[1] and not _MENTIONS.search(locking[1]):
        return False  # it locks only rows of another table that it joins
    return not _ONE_TABLE.search(sql)


_found: list[str] = []


def _note(sql: str) -> None:
    if "FOR " in sql and locks_several_tables(sql):
        _found.append(sql)


def _note_and_execute(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
    _note(str(sql))
    return execute(sql, params, many, context)


def _watch(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    if _note_and_execute not in connection.execute_wrappers:
        connection.execute_wrappers.append(_note_and_execute)


@pytest.fixture(scope="session", autouse=True)
def _statements_are_watched() -> Iterator[None]:
    first = Prepared.first

    def note_and_run(self: Prepared, *parameters: Value) -> Sequence[Any] | None:
        _note(self._sql.decode())
        return first(self, *parameters)

    patch = pytest.MonkeyPatch()
    patch.setattr(Prepared, "first", note_and_run)
    connection_created.connect(_watch)
    yield
    connection_created.disconnect(_watch)
    patch.undo()


@pytest.fixture(autouse=True)
def _locks_rows_of_one_table() -> Iterator[None]:
    """Fail a test whose statements have locked rows of several game tables."""
    _found.clear()
    yield
    assert _found == []
