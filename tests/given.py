"""Small helpers for all tests."""

import re
from typing import TypeVar

from django.db.models import Model

T = TypeVar("T")
Row = TypeVar("Row", bound=Model)


def require(value: T | None) -> T:
    assert value is not None
    return value


def reload(row: Row) -> Row:
    """Refresh the row from the database and return it."""
    row.refresh_from_db()
    return row


def descriptions(page: str) -> tuple[set[str], set[str]]:
    """Return the ids in the page's `aria-describedby` attributes, and those that no element has."""
    named = {
        name for names in re.findall(r'aria-describedby="([^"]+)"', page) for name in names.split()
    }
    return named, {name for name in named if f'id="{name}"' not in page}
