"""From which number on the ledger's rows are of a time, without an index by time.

Numbers are given out in the order of time but for those that are written at the same moment, so
halving finds the place in as many steps as the largest number has bits.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db import connection
from django.utils import timezone
from django.utils.dateparse import parse_date

# How far two rows that are written at once may be out of order: longer than any transaction.
_OUT_OF_ORDER = timedelta(minutes=10)
_YEARS = range(2000, 2200)
_FIRST = """
WITH RECURSIVE search (low, high) AS (
  SELECT 0::bigint, (SELECT coalesce(max(id), 0) + 1 FROM {table})
  UNION ALL
  SELECT CASE WHEN probe.at < %(at)s THEN probe.id ELSE low END,
         CASE WHEN probe.at < %(at)s THEN high ELSE middle END
  FROM search
  CROSS JOIN LATERAL (SELECT (low + high) / 2 AS middle) halves
  LEFT JOIN LATERAL (
    SELECT id, {column} AS at FROM {table}
    WHERE id >= middle AND id < high ORDER BY id LIMIT 1
  ) probe ON true
  WHERE high - low > 1
)
SELECT min(high) FROM search
"""


@dataclass(frozen=True, slots=True)
class Timed:
    """A table of the ledger and its column of time."""

    table: str
    column: str


TRANSFERS = Timed("wallet_transfer", "happened_at")
JOURNALS = Timed("wallet_journal", "recorded_at")


def ids_between(timed: Timed, *, since: datetime, until: datetime | None = None) -> range:
    """Return a range of ids that holds all rows from `since` until before `until`, and a few minutes' more."""
    first = _first(timed, since - _OUT_OF_ORDER)
    stop = _first(timed, until + _OUT_OF_ORDER) if until is not None else _last(timed) + 1
    return range(first, stop)


def transfers_between(since: datetime, until: datetime) -> range:
    """Return a range of ids that holds every transfer from `since` until before `until`.

    It also holds a few minutes' transfers around them, so compare `happened_at` too.
    """
    return ids_between(TRANSFERS, since=since, until=until)


def day_of(text: str | None) -> date | None:
    """Return the day that a query string names ("2026-11-21"), or None for any other text."""
    try:
        day = parse_date(text or "")
    except ValueError:
        return None
    # Years that every calendar and time zone can take.
    return day if day is not None and _YEARS.start <= day.year < _YEARS.stop else None


def day_begins(day: date) -> datetime:
    """Return the beginning of a day in the operator's time zone."""
    return timezone.make_aware(datetime.combine(day, time.min))


def _first(timed: Timed, at: datetime) -> int:
    return _number(_FIRST.format(table=timed.table, column=timed.column), {"at": at})


def _last(timed: Timed) -> int:
    return _number(f"SELECT coalesce(max(id), 0) FROM {timed.table}", {})  # noqa: S608 - our own names


def _number(statement: str, values: dict[str, datetime]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.fetchone()[0])
