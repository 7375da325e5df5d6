from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from wallet.ledger.balances import account_rows
from wallet.ledger.chart import AccountRef
from wallet.models import (
    Entry,
    Reason,
)

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
    """Entries, newest first; `older` is the `before` of the next page."""

    entries: tuple[Entry, ...]
    older: int | None


def statement_page(
    ref: AccountRef,
    *,
    before: int | None = None,
    length: int = PAGE_LENGTH,
    reasons: Collection[Reason] = (),
    numbers: range | None = None,
) -> StatementPage:
    """Pages by the account's own numbering, so new entries never shift an older page.

    `reasons`: only entries of these; empty for all. `numbers`: only entries with these numbers.
    """
    # First the account's id alone: knowing it, the planner sees that a long statement is read from
    # the end of the entries' primary key; joined or as a subquery it would sort all of it.
    account_id = account_rows(ref).values_list("id", flat=True).first()
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


def numbers_between(
    ref: AccountRef, *, since: datetime | None = None, until: datetime | None = None
) -> range:
    """The numbers of an account's entries from `since` until before `until`."""
    account = account_rows(ref).values_list("id", "seq").first()
    if account is None:
        return range(1, 1)
    account_id, last = account
    first = 1 if since is None else _first_number(account_id, last, at=since)
    stop = last + 1 if until is None else _first_number(account_id, last, at=until)
    return range(first, max(first, stop))


def balance_points(ref: AccountRef, numbers: range) -> list[tuple[datetime, int]]:
    """Balances after entries of these numbers, in their order, at most POINTS_OF_A_CHART; the first
    and the last one are among them."""
    step = -(-len(numbers) // (POINTS_OF_A_CHART - 1)) or 1
    wanted = sorted({*numbers[::step], *numbers[-1:]})
    account_id = account_rows(ref).values_list("id", flat=True).first()
    entries = Entry.objects.filter(account_id=account_id, seq__in=wanted).order_by("seq")
    return list(entries.values_list("happened_at", "balance_after"))


def _first_number(account_id: int, last: int, *, at: datetime) -> int:
    """The number of the first entry at `at` or later, `last` + 1 if there is none.

    An account's entries are numbered without a gap in the order of their times, so halving finds
    it in as many steps as `last` has bits, without an index by time.
    """
    with connection.cursor() as cursor:
        cursor.execute(_FIRST_NUMBER, {"account": account_id, "last": last, "at": at})
        (number,) = cursor.fetchone()
    return int(number)
