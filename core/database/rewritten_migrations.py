"""Refuses to migrate a database that was made by other migrations with the same names.

Migrations of commits between releases are sometimes rewritten. Django recognizes migrations only by name. It would
stop in the middle of the migration, with a traceback about a table that exists already or a column that is missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NoReturn

from django.apps.registry import Apps
from django.core.management import CommandError
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import CreateModel, Migration

Plan = Sequence[tuple[Migration, bool]]

_COLUMNS: Final = """
SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
 WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_table_is_visible(pg_class.oid) AND attnum > 0 AND NOT attisdropped
"""
_REFUSED: Final = (
    "This database cannot be upgraded, because its migrations were rewritten after it was made: {}."
    " Nothing was changed. Go back to the code that made it, or begin with an empty database"
    ' (docs/upgrade.md, "Between releases").'
)


def refuse_rewritten_migrations(*, using: str, plan: Plan, apps: Apps, **_signal: Any) -> None:
    """Raise CommandError if the database differs from what its recorded migrations create. A receiver of `pre_migrate`.

    Does nothing if there is nothing to migrate: the database of a newer version may be used by older code.
    """
    if plan and (reason := _find_contradiction(connections[using], plan, apps)):
        refuse(reason)


def refuse(reason: str) -> NoReturn:
    raise CommandError(_REFUSED.format(reason))


def _find_contradiction(connection: BaseDatabaseWrapper, plan: Plan, apps: Apps) -> str | None:
    existing: dict[str, set[str]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS)
        for table, column in cursor.fetchall():
            existing.setdefault(table, set()).add(column)
    found = [*_list_missing(existing, apps), *_list_made_before(existing, plan)]
    return next(iter(found), None)


def _list_missing(existing: Mapping[str, set[str]], apps: Apps) -> Iterator[str]:
    for model in apps.get_models(include_auto_created=True):
        meta = model._meta  # noqa: SLF001 - Django's documented interface
        if not meta.managed or meta.proxy:
            continue
        if meta.db_table not in existing:
            yield f"it has no table {meta.db_table}"
            continue
        for column in sorted(str(field.column) for field in meta.local_concrete_fields):
            if column not in existing[meta.db_table]:
                yield f"its table {meta.db_table} has no column {column}"


def _list_made_before(existing: Mapping[str, set[str]], plan: Plan) -> Iterator[str]:
    for migration, is_backwards in plan:
        for operation in [] if is_backwards else migration.operations:
            if isinstance(operation, CreateModel) and not operation.options.get("proxy"):
                usual = f"{migration.app_label}_{operation.name_lower}"
                table = operation.options.get("db_table", usual)
                if table in existing:
                    yield f"it has the table {table}, which {migration} is about to make"
