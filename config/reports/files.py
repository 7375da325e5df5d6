"""Reports as comma-separated values: plain decimal amounts, and times in the site's time zone."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from django.http import HttpResponse
from django.utils import timezone

from core.administration.lists import write_csv
from core.values.local_days import compute_day_start
from wallet.api import find_transfers
from wallet.models import Transfer, Withdrawal, YearEndTax
from wallet.money import Currency, format_plain_amount

MOST_LINES: Final = 200_000
_LINES_AT_A_TIME: Final = 5_000
Cells = Sequence[str | int]


class TooManyLines(Exception):  # noqa: N818 - an expected answer
    """The period has too many lines for a file; choose fewer days."""


def render_csv(name: str, heading: Sequence[str], rows: Iterable[Cells]) -> HttpResponse:
    answer = HttpResponse(
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
    )
    write_csv(answer, heading, rows)
    return answer


LEDGER_HEADING: Final = (
    "transfer", "time", "reason", "currency", "amount", "from", "to", "event", "about",
)  # fmt: skip


def list_ledger_rows(*, since: date, until: date) -> list[Cells]:
    """Return every transfer of these days, both included, in order. Raises TooManyLines."""
    rows = list(_list_transfers(since, until))
    if len(rows) > MOST_LINES:
        raise TooManyLines
    return rows


def _list_transfers(since: date, until: date) -> Iterator[Cells]:
    begins, ends = compute_day_start(since), compute_day_start(until + timedelta(days=1))
    ids = find_transfers(begins, ends)
    after, left = ids.start - 1, MOST_LINES + 1
    while left > 0:
        page = list(
            Transfer.objects.filter(pk__gt=after, pk__lt=ids.stop)
            .select_related("source", "destination", "journal")
            .order_by("pk")[: min(_LINES_AT_A_TIME, left)]
        )
        if not page:
            return
        for transfer in page:
            if begins <= transfer.happened_at < ends:
                yield _transfer(transfer)
                left -= 1
        after = page[-1].pk


def _transfer(transfer: Transfer) -> Cells:
    return (
        transfer.pk,
        timezone.localtime(transfer.happened_at).isoformat(timespec="seconds"),
        transfer.reason,
        transfer.currency,
        format_plain_amount(transfer.amount, Currency(transfer.currency)),
        str(transfer.source),
        str(transfer.destination),
        transfer.journal.key,
        transfer.journal.subject,
    )


TAX_HEADING: Final = (
    "player", "name", "day", "event", "net winnings", "tax", "rate in per cent", "rule", "state",
)  # fmt: skip


def list_tax_rows(*, since: date, until: date) -> list[Cells]:
    """Return the taxes deducted on these days, both included, in order of time.

    They come from paid withdrawals and from the end of a financial year.
    """
    begins, ends = compute_day_start(since), compute_day_start(until + timedelta(days=1))
    paid = Withdrawal.objects.filter(
        state=Withdrawal.State.PAID, ended_at__gte=begins, ended_at__lt=ends
    )
    years = YearEndTax.objects.filter(tax__gt=0, deducted_at__gte=begins, deducted_at__lt=ends)
    rows = [
        (
            row.ended_at,
            row.user,
            f"withdrawal:{row.reference}",
            row.net_winnings,
            row.tax,
            row.rule,
            row.state,
        )
        for row in paid.select_related("user", "rule")
    ] + [
        (
            row.deducted_at,
            row.user,
            f"year:{row.year}",
            row.net_winnings,
            row.tax,
            row.rule,
            row.state,
        )
        for row in years.select_related("user", "rule")
    ]
    return [
        (
            user.pk,
            user.player_name,
            timezone.localtime(at).date().isoformat(),
            event,
            format_plain_amount(won, Currency.INR),
            format_plain_amount(tax, Currency.INR),
            f"{rule.rate_bps / 100:g}",
            rule.code,
            state,
        )
        for at, user, event, won, tax, rule, state in sorted(rows, key=lambda row: (row[0], row[2]))
    ]
