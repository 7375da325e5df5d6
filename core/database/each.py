"""A loop for jobs over many rows: a row that fails in every run does not keep the job from the rows behind it."""

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

from core.database.outage import is_away

logger = logging.getLogger(__name__)

Row = TypeVar("Row")


def act_on_each(rows: Iterable[Row], act: Callable[[Row], int | None], *, doing: str) -> int:
    """Call `act` with each row, and return the sum of its results.

    A failure is logged with `doing` and the row, and the loop continues. If the database is away, the error is
    raised and the remaining rows wait for the next run. `act` begins a separate transaction for each row.
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
