"""Points tables of Indian rummy, at one chip a point unless a test says otherwise."""

from typing import Any

from tables.models import Table
from tables.seating.opening import TableTerms, open_table


def open_points_table(name: str = "Court", *, seats: int = 2, **terms: Any) -> Table:
    given = {"game": "indian", "preset": "points", "point_value": 1, **terms}
    return open_table(TableTerms(name=name, max_seats=seats, **given))
