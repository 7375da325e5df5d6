"""Reading the ledger's rows by page and by time, without an index on the time."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection

from wallet.ledger.balances import read_account_rows
from wallet.ledger.chart import AccountRef
from wallet.models import Entry, Reason

PAGE_LENGTH = 25


POINTS_OF_A_CHART = 200


_FIRST_NUMBER = """
WITH RECURSIVE search (before, found) AS (
  SELECT 0::bigint, %(last)s::bigint + 1
  UNION ALL
  SELECT CASE WHEN e.happened_at < %(at)s THEN e.seq ELSE before END,
         CASE WHEN e.happened_at < %(at)s THEN found ELSE e.seq END
  FROM search JOIN wallet_entry e
    ON e.account_id = %(account)s AND e.seq = (before + found) / 2
  WHERE found - before > 1
)
SELECT min(found) FROM search
"""


@dataclass(frozen=True, slots=True)
class StatementPage:
    """A page of entries, newest first. `older` is the argument `before` for the next page, or None."""

    entries: tuple[Entry, ...]
    older: int | None


def read_statement_page(
    ref: AccountRef,
    *,
    before: int | None = None,
    length: int = PAGE_LENGTH,
    reasons: Collection[Reason] = (),
    numbers: range | None = None,
) -> StatementPage:
    """Return a page of an account's entries, newest first. With `before`, the page begins below that number.

    New entries therefore shift no older page. `reasons` limits the page to transfers for these reasons; if it
    is empty, no reason is filtered out. `numbers` limits the page to the entries with these numbers.
    """
    # Read the account's id first. With it the planner reads a long statement from the end of the primary
    # key; with a join or a subquery it would sort all entries.
    account_id = read_account_rows(ref).values_list("id", flat=True).first()
    if account_id is None:
        return StatementPage(entries=(), older=None)
    entries = Entry.objects.filter(account_id=account_id)
    if numbers is not None:
        entries = entries.filter(seq__gte=numbers.start, seq__lt=numbers.stop)
    if before is not None:
        entries = entries.filter(seq__lt=before)
    if reasons:
        entries = entries.filter(transfer__reason__in=reasons)
    rows = list(entries.select_related("transfer__journal").order_by("-seq")[: length + 1])
    page = tuple(rows[:length])
    return StatementPage(entries=page, older=page[-1].seq if len(rows) > length else None)


def find_numbers_between(
    ref: AccountRef, *, since: datetime | None = None, until: datetime | None = None
) -> range:
    """Return the numbers of an account's entries from `since` until before `until`."""
    account = read_account_rows(ref).values_list("id", "seq").first()
    if account is None:
        return range(1, 1)
    account_id, last = account
    first = 1 if since is None else _find_first_number(account_id, last, at=since)
    stop = last + 1 if until is None else _find_first_number(account_id, last, at=until)
    return range(first, max(first, stop))


def list_balance_points(ref: AccountRef, numbers: range) -> list[tuple[datetime, int]]:
    """Return (time, balance afterwards) for the entries with these numbers, oldest first.

    At most POINTS_OF_A_CHART entries are returned, always including the first and the last.
    """
    step = -(-len(numbers) // (POINTS_OF_A_CHART - 1)) or 1
    wanted = sorted({*numbers[::step], *numbers[-1:]})
    account_id = read_account_rows(ref).values_list("id", flat=True).first()
    entries = Entry.objects.filter(account_id=account_id, seq__in=wanted).order_by("seq")
    return list(entries.values_list("happened_at", "balance_after"))


def _find_first_number(account_id: int, last: int, *, at: datetime) -> int:
    """Return the number of the first entry at `at` or later, or `last` + 1.

    An account's entries are numbered without gaps in the order of their times, so a binary search needs
    no index by time.
    """
    with connection.cursor() as cursor:
        cursor.execute(_FIRST_NUMBER, {"account": account_id, "last": last, "at": at})
        (number,) = cursor.fetchone()
    return int(number)


# The largest disorder of concurrent rows: longer than any transaction.
_OUT_OF_ORDER = timedelta(minutes=10)
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
    """A ledger table and its time column. Ids are in order of time, except among concurrent transactions."""

    table: str
    column: str


TRANSFERS = Timed("wallet_transfer", "happened_at")
JOURNALS = Timed("wallet_journal", "recorded_at")


def ids_between(timed: Timed, *, since: datetime, until: datetime | None = None) -> range:
    """Return a range of ids that holds all rows from `since` until before `until`.

    It also holds rows of a few minutes before and after.
    """
    first = _find_first(timed, since - _OUT_OF_ORDER)
    stop = _find_first(timed, until + _OUT_OF_ORDER) if until is not None else _find_last(timed) + 1
    return range(first, stop)


def find_transfers(since: datetime, until: datetime) -> range:
    """Return a range of ids that holds every transfer from `since` until before `until`.

    It also holds transfers of a few minutes before and after, so compare `happened_at` too.
    """
    return ids_between(TRANSFERS, since=since, until=until)


def _find_first(timed: Timed, at: datetime) -> int:
    return _number(_FIRST.format(table=timed.table, column=timed.column), {"at": at})


def _find_last(timed: Timed) -> int:
    return _number(f"SELECT coalesce(max(id), 0) FROM {timed.table}", {})  # noqa: S608 - our own names


def _number(statement: str, values: dict[str, datetime]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.fetchone()[0])
