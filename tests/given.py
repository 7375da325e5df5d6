"""Small helpers of all tests: a value that must be there, a row as it is now."""

from typing import TypeVar

from django.db.models import Model

T = TypeVar("T")
Row = TypeVar("Row", bound=Model)


def the(value: T | None) -> T:
    assert value is not None
    return value


def fresh(row: Row) -> Row:
    """Return the row as it is in the database now."""
    row.refresh_from_db()
    return row
