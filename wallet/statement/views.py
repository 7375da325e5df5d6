import csv
from dataclasses import replace

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts.requests import PlayerRequest
from wallet.cash import cash_is_on
from wallet.chips.welcome import may_reload_chips
from wallet.ledger.lines import balance_points
from wallet.statement.balance_chart import balance_chart
from wallet.statement.columns import FILE_COLUMNS
from wallet.statement.query import (
    ACCOUNTS,
    TOPICS,
    StatementQuery,
    UnknownStatement,
    accounts_shown,
)

# Newest lines of a file; a player with more downloads the rest by `before`.
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
            "chart": balance_chart(balance_points(ref, numbers), ref.currency),
            "newest": "" if query.before is None else query.address(),
            "all_days": replace(query, first_day=None, last_day=None).address(),
            "older": "" if page.older is None else query.address(before=page.older),
            "account_tabs": [
                (ACCOUNTS[name][0], query.elsewhere(account=name), name == query.account)
                for name in accounts_shown()
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
    """The same lines as comma-separated values, amounts as plain decimals."""
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
