"""Work of a job on many rows, where one that fails must not stop those behind it, run after run."""

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

from core.database.outage import is_away

logger = logging.getLogger(__name__)

Row = TypeVar("Row")


def act_on_each(rows: Iterable[Row], act: Callable[[Row], int | None], *, doing: str) -> int:
    """Call `act` with each row, and return the sum of what it returned.

    A failure is logged with `doing` and the row. Only without the database all rows wait for the next run. `act` begins
    a transaction of its own for each row.
    """
    done = 0
    for row in rows:
        try:
            done += act(row) or 0
        except Exception as error:
            if is_away(error):
                raise
            logger.exception("%s: %s has failed", doing, row)
    return done
