"""Small helpers of all tests: a value that must be there, a row as it is now."""

import re
from typing import TypeVar

from django.db.models import Model

T = TypeVar("T")
Row = TypeVar("Row", bound=Model)


def require(value: T | None) -> T:
    assert value is not None
    return value


def reload(row: Row) -> Row:
    """Return the row as it is in the database now."""
    row.refresh_from_db()
    return row


def descriptions(page: str) -> tuple[set[str], set[str]]:
    """Return the ids by which a page describes its fields, and those of them that nothing has."""
    named = {
        name for names in re.findall(r'aria-describedby="([^"]+)"', page) for name in names.split()
    }
    return named, {name for name in named if f'id="{name}"' not in page}
