"""The page and the file of a statement."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts.models.users import PlayerRequest
from wallet.cash import cash_is_on
from wallet.chips.services import may_reload_chips
from wallet.ledger.entries import list_balance_points
from wallet.money import Currency
from wallet.statement.columns import FILE_COLUMNS
from wallet.statement.query import (
    ACCOUNTS,
    TOPICS,
    StatementQuery,
    UnknownStatement,
    list_visible_accounts,
)

_FEWEST_POINTS = 2


@dataclass(frozen=True, slots=True)
class BalanceChart:
    """A chart's `data` for the browser, and a summary for people who do not see the chart.

    `data` has seconds since 1970 and amounts in the smallest unit.
    """

    data: dict[str, Any]
    begins_at: datetime
    ends_at: datetime
    first: int
    last: int
    lowest: int
    highest: int


def balance_chart(
    points: Sequence[tuple[datetime, int]], currency: Currency
) -> BalanceChart | None:
    """Return the chart, or None with fewer than two points."""
    if len(points) < _FEWEST_POINTS:
        return None
    times, balances = zip(*points, strict=True)
    return BalanceChart(
        data={
            "currency": currency,
            "zone": settings.TIME_ZONE,
            "times": [round(moment.timestamp(), 3) for moment in times],
            "balances": balances,
        },
        begins_at=timezone.localtime(times[0]),
        ends_at=timezone.localtime(times[-1]),
        first=balances[0],
        last=balances[-1],
        lowest=min(balances),
        highest=max(balances),
    )


# The newest lines go into one file; older ones are downloaded with `before`.
_LINES_OF_A_FILE = 10_000


@login_required
def statement(request: PlayerRequest) -> HttpResponse:
    query = _query(request)
    ref = query.ref(request.user.pk)
    numbers = query.numbers(request.user.pk)
    page = query.lines(request.user.pk, numbers=numbers)
    return render(
        request,
        "wallet/statement.html",
        {
            "lines": page.lines,
            "currency": ref.currency,
            "query": query,
            "chart": balance_chart(list_balance_points(ref, numbers), ref.currency),
            "newest": "" if query.before is None else query.address(),
            "all_days": replace(query, first_day=None, last_day=None).address(),
            "older": "" if page.older is None else query.address(before=page.older),
            "account_tabs": [
                (ACCOUNTS[name][0], query.elsewhere(account=name), name == query.account)
                for name in list_visible_accounts()
            ],
            "topic_tabs": [
                (label, query.elsewhere(topic=topic), topic == query.topic)
                for topic, (label, _reasons) in TOPICS.items()
            ],
            "cash_is_on": cash_is_on(),
            "may_reload": may_reload_chips(user_id=request.user.pk, today=timezone.localdate()),
        },
    )


@login_required
def statement_file(request: PlayerRequest) -> HttpResponse:
    """Return the statement as comma-separated values with plain decimal amounts."""
    query = _query(request)
    page = query.lines(request.user.pk, length=_LINES_OF_A_FILE)
    answer = HttpResponse(
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{query.account}.csv"'},
    )
    file = csv.writer(answer)
    file.writerow([column.heading for column in FILE_COLUMNS])
    for line in page.lines:
        file.writerow([column.cell(line) for column in FILE_COLUMNS])
    return answer


def _query(request: PlayerRequest) -> StatementQuery:
    try:
        return StatementQuery.read(request.GET)
    except UnknownStatement as error:
        raise Http404 from error
