"""Reports as files: amounts as numbers, and times in the site's time zone."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.administration.cells import Cell
from core.values.local_days import compute_day_start
from wallet.api import find_transfers
from wallet.models import Transfer, Withdrawal, YearEndTax
from wallet.money import Currency, to_decimal

MOST_LINES: Final = 200_000
_LINES_AT_A_TIME: Final = 5_000
Cells = Sequence[Cell]


class TooManyLines(Exception):  # noqa: N818 - an expected answer
    """The period has too many lines for a file. Fewer days must be chosen."""


LEDGER_HEADING: Final = (
    _("transfer"), _("time"), _("reason"), _("currency"), _("amount"), _("source"), _("destination"),
    _("event"), _("about"),
)  # fmt: skip


def list_ledger_rows(*, since: date, until: date, most: int) -> Iterator[Cells]:
    """Yield every transfer from the day `since` to the day `until`, inclusive, in the order of the ledger.

    Raises TooManyLines if there are more than `most`.
    """
    begins, ends = compute_day_start(since), compute_day_start(until + timedelta(days=1))
    ids = find_transfers(begins, ends)
    among = Transfer.objects.filter(
        pk__gte=ids.start, pk__lt=ids.stop, happened_at__gte=begins, happened_at__lt=ends
    )
    if among.order_by()[: most + 1].count() > most:
        raise TooManyLines
    return _list_transfers(begins, ends, ids)


def _list_transfers(begins: datetime, ends: datetime, ids: range) -> Iterator[Cells]:
    """Yield the transfers, reading one page at a time, so that few are in memory."""
    after = ids.start - 1
    while True:
        page = list(
            Transfer.objects.filter(pk__gt=after, pk__lt=ids.stop)
            .select_related("source", "destination", "journal")
            .order_by("pk")[:_LINES_AT_A_TIME]
        )
        if not page:
            return
        for transfer in page:
            if begins <= transfer.happened_at < ends:
                yield _transfer(transfer)
        after = page[-1].pk


def _transfer(transfer: Transfer) -> Cells:
    return (
        transfer.pk,
        transfer.happened_at,
        transfer.reason,
        transfer.currency,
        to_decimal(transfer.amount, Currency(transfer.currency)),
        str(transfer.source),
        str(transfer.destination),
        transfer.journal.key,
        transfer.journal.subject,
    )


TAX_HEADING: Final = (
    _("player"), _("name"), _("day"), _("event"), _("currency"), _("net winnings"), _("tax"),
    _("rate in per cent"), _("rule"), _("state"),
)  # fmt: skip


def list_tax_rows(*, since: date, until: date) -> list[Cells]:
    """Return the rows of tax from the day `since` to the day `until`, inclusive, oldest first.

    There is a row for each paid withdrawal, even if its tax is 0, and for each tax deducted at the end of a financial
    year.
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
            timezone.localtime(at).date(),
            event,
            Currency.INR.value,
            to_decimal(won, Currency.INR),
            to_decimal(tax, Currency.INR),
            Decimal(rule.rate_bps) / 100,
            rule.code,
            state,
        )
        for at, user, event, won, tax, rule, state in sorted(rows, key=lambda row: (row[0], row[2]))
    ]
