"""References without a foreign key, which a statement checks instead (docs/adr/0018-play-keyed-by-table.md)."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Final

from django.apps import apps
from django.db.models import ForeignKey

# Newest rows of each table. The check runs often, so on all but the largest sites it covers each row once.
NEWEST: Final = 100_000
_CHECK: Final = """
SELECT 'reference to nothing', format('{table} %s: {column} %s', newest.key, newest.reference)
FROM (SELECT {key} AS key, {column} AS reference FROM {table} ORDER BY {key} DESC LIMIT {newest}) newest
WHERE newest.reference IS NOT NULL
  AND NOT EXISTS (SELECT FROM {other} other WHERE other.{other_key} = newest.reference)
"""


@dataclass(frozen=True, slots=True)
class Reference:
    """A column that refers to rows of another table, and the primary keys of both tables."""

    table: str
    key: str
    column: str
    other: str
    other_key: str | None


def list_unguarded_references() -> Iterator[Reference]:
    """Yield the references, in all models, that no foreign key in the database guards.

    Entries of the ledger, whose key has two columns, have their own checks.
    """
    for model in apps.get_models():
        own = model._meta  # noqa: SLF001 - Django's name for what everybody may read
        for field in own.local_fields:
            has_key = getattr(field, "db_constraint", True)  # a field of its own without one
            if isinstance(field, ForeignKey) and not has_key and own.pk.column:
                other = field.related_model._meta  # noqa: SLF001 - likewise
                yield Reference(
                    own.db_table, own.pk.column, field.column, other.db_table, other.pk.column
                )


def check_of_references() -> str:
    """Return an SQL statement that finds rows with broken references. Its result has the columns (finding, subject)."""
    return "UNION ALL".join(
        _CHECK.format(**asdict(reference), newest=NEWEST)
        for reference in list_unguarded_references()
    )
