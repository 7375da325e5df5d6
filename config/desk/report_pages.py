"""The reports in the administration: tables, bar charts, and the same figures as files."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from config.desk.charts import Chart, Dress, Series, draw
from config.reports import files, reading, responsible
from config.reports.computing import Length
from core.administration.cells import TYPES, Cell, write_file
from core.administration.lists import parse_day
from wallet.api import cash_is_on
from wallet.money import Currency, format_shown_amount, to_decimal

MAY_SEE_REPORTS = "wallet.view_reportperiod"
MAY_SEE_CASH = "wallet.view_withdrawal"
MAY_SEE_LEDGER = "wallet.view_transfer"
MAY_SEE_TAX = "wallet.view_yearendtax"
MAY_SEE_LIMITS = "wallet.view_depositlimit"
_CHARTS = ("players", "joined", "matches", "deposits", "rake_inr", "rake_chips")
# Tables by subject, each as wide as a screen: name, title, codes of its columns.
_TABLES = (
    (
        "play",
        gettext_lazy("Players and matches"),
        ("players", "joined", "matches", "with_bots", "rake_chips", "rake_bots", "chips_held"),
    ),
    (
        "cash",
        gettext_lazy("Cash"),
        (
            "deposits", "withdrawals", "tax", "bonuses", "released", "rake_inr", "reversed",
            "cash_held",
        ),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReportQuery:
    """The parsed query: the length of the periods, the first and last day, and the kind of file (empty for a page)."""

    length: Length
    since: date
    until: date
    file: str

    @property
    def query(self) -> str:
        return f"length={self.length}&since={self.since}&until={self.until}"


def read(request: HttpRequest, *, most_days: int | None = None) -> ReportQuery:
    """Parse a query. Invalid values fall back to defaults."""
    given, today = request.GET.get("length", ""), timezone.localdate()
    length = Length(given) if given in Length.values else Length.DAY
    usual_since, usual_until = reading.get_default_range(length, today)
    until = min(parse_day(request.GET.get("until")) or usual_until, today)
    since = parse_day(request.GET.get("since")) or min(usual_since, until)
    if most_days is not None:
        since = max(since, until - timedelta(days=most_days - 1))
    return ReportQuery(length, min(since, until), until, _read_file_kind(request))


def _read_file_kind(request: HttpRequest) -> str:
    """Return the kind of file that the query or the address names, or an empty string for a page."""
    kinds = (request.GET.get("file", ""), request.path.rpartition(".")[2])
    return next((kind for kind in kinds if kind in TYPES), "")


def columns_for(request: HttpRequest) -> list[reading.ReportColumn]:
    """Return the report's columns. Only staff who may see withdrawals get those of deposits and withdrawals."""
    sees_cash = cash_is_on() and request.user.has_perm(MAY_SEE_CASH)
    return [
        column
        for column in reading.COLUMNS
        if column.currency != Currency.INR
        or sees_cash
        or (column.code == "rake_inr" and cash_is_on())
    ]


def overview(request: HttpRequest, site: AdminSite) -> HttpResponse:
    asked, columns = read(request), columns_for(request)
    try:
        rows = reading.read_overview(asked.length, since=asked.since, until=asked.until)
    except reading.TooManyPeriods:
        told = _("A report can have at most %(most)s rows. Choose fewer days or longer periods.")
        messages.error(request, told % {"most": reading.MOST_ROWS})
        return redirect("admin:reports")
    if asked.file:
        heading = [_("From"), *(_title_in_file(column) for column in columns)]
        cells = ([row.begins, *(_build_cell(c, row) for c in columns)] for row in rows)
        return _send(asked, "report", heading, cells)
    context = {
        "tables": [
            (name, title, some, _list_cells(some, rows))
            for name, title, codes in _TABLES
            if (some := [column for column in columns if column.code in codes])
        ],
        "charts": [_draw_chart(c, rows) for c in columns if c.code in _CHARTS],
        "lengths": Length.choices,
    }
    return _page(request, site, "overview", pgettext("figures", "Reports"), asked, context)


def _list_cells(
    columns: Sequence[reading.ReportColumn], rows: Sequence[reading.ReportRow]
) -> list[tuple[date, list[str]]]:
    return [(row.begins, [_write_value(c, row.values[c.code]) for c in columns]) for row in rows]


def fee_report(request: HttpRequest, site: AdminSite) -> HttpResponse:
    asked = read(request)
    rows = [
        row
        for row in reading.read_fees(since=asked.since, until=asked.until)
        if row.currency != Currency.INR or cash_is_on()
    ]
    if asked.file:
        heading = (
            _("format"), _("currency"), _("stake"), _("rate in per cent"), _("fees"), _("matches"),
        )  # fmt: skip
        cells = (
            (
                row.title,
                row.currency,
                to_decimal(row.stake, Currency(row.currency)),
                Decimal(row.rate) / 100,
                to_decimal(row.amount, Currency(row.currency)),
                row.number,
            )
            for row in rows
        )
        return _send(asked, "fees", heading, cells)
    largest = {
        row.currency: max(one.amount for one in rows if one.currency == row.currency)
        for row in rows
    }
    shown = [
        (
            row.title,
            _format_amount(row.stake, row.currency),
            f"{row.rate / 100:g} %",
            _format_amount(row.amount, row.currency),
            row.number,
            round(100 * row.amount / largest[row.currency]) if row.amount > 0 else 0,
        )
        for row in rows
    ]
    return _page(
        request, site, "fees", _("Service fees by format and stake"), asked, {"rows": shown}
    )


def responsible_play(request: HttpRequest, site: AdminSite) -> HttpResponse:
    asked = read(request, most_days=responsible.MOST_DAYS)
    days = {"since": asked.since, "until": asked.until}
    if asked.file:
        return _send(asked, "responsible", _list_heading(), _list_responsible_rows(**days))
    context = {
        "raised": [
            (
                one.user,
                _("Loss limit") if one.is_of_losses else _("Deposit limit"),
                one.period,
                _format_amount(one.before, Currency.INR),
                _("no limit") if one.after is None else _format_amount(one.after, Currency.INR),
                one.effective_from,
            )
            for one in responsible.list_raised_limits(**days)
        ],
        "exclusions": responsible.list_exclusions(**days),
        "hours": [
            (one.user, f"{one.seconds // 3600}:{one.seconds // 60 % 60:02}", one.matches)
            for one in responsible.list_longest_players(**days)
        ],
        "paid_in": [
            (one.user, one.day, one.number, _format_amount(one.amount, Currency.INR))
            for one in responsible.list_repeated_deposits(**days)
        ],
        "most_days": responsible.MOST_DAYS,
        "deposits_on_a_day": responsible.DEPOSITS_ON_A_DAY,
    }
    return _page(request, site, "responsible", _("Responsible play"), asked, context)


def _list_heading() -> list[str]:
    of_money = (_("before"), _("after"), _("amount"))
    before, after, amount = (f"{title} ({Currency.INR})" for title in of_money)
    times = (_("From"), _("until"))
    return [_("what"), _("player"), _("name"), *times, before, after, _("hours"), _("number"), amount]  # fmt: skip


def _list_responsible_rows(*, since: date, until: date) -> Iterator[Sequence[Cell]]:
    """Yield a row for each finding.

    Its cells are the kind, player's id, name, from, until, before, after, hours, number, amount.
    """
    for raised in responsible.list_raised_limits(since=since, until=until):
        kind = _("Loss limit") if raised.is_of_losses else _("Deposit limit")
        yield (
            f"{kind}, {raised.period}", raised.user.pk, raised.user.player_name, raised.effective_from, None,
            _to_rupees(raised.before), _to_rupees(raised.after), None, None, None,
        )  # fmt: skip
    for one in responsible.list_longest_players(since=since, until=until):
        hours = round(Decimal(one.seconds) / 3600, 2)
        what = _("Longest time in matches (hours)")
        yield (
            what, one.user.pk, one.user.player_name, since, until, None, None, hours, one.matches, None,
        )  # fmt: skip
    for paid in responsible.list_repeated_deposits(since=since, until=until):
        yield (
            _("Deposits"), paid.user.pk, paid.user.player_name, paid.day, paid.day,
            None, None, None, paid.number, _to_rupees(paid.amount),
        )  # fmt: skip
    for exclusion in responsible.list_exclusions(since=since, until=until):
        yield (
            _("Excluded themselves"), exclusion.user_id, exclusion.user.player_name,
            exclusion.began_at, exclusion.until, None, None, None, None, None,
        )  # fmt: skip


def _to_rupees(amount: int | None) -> Decimal | None:
    return None if amount is None else to_decimal(amount, Currency.INR)


def tax_file(request: HttpRequest, site: AdminSite) -> HttpResponse:
    asked = read(request)
    rows = files.list_tax_rows(since=asked.since, until=asked.until)
    return _send(asked, "tax", files.TAX_HEADING, rows)


def ledger_file(request: HttpRequest, site: AdminSite) -> HttpResponse:
    asked = read(request)
    most = files.MOST_LINES
    try:
        rows = files.list_ledger_rows(since=asked.since, until=asked.until, most=most)
    except files.TooManyLines:
        told = _("These days have more than %(most)s transfers. Choose fewer days.")
        messages.error(request, told % {"most": most})
        return redirect("admin:reports")
    return _send(asked, "ledger", files.LEDGER_HEADING, rows)


Page = Callable[[HttpRequest, AdminSite], HttpResponse]
_PAGES: Sequence[tuple[str, str, str, Page]] = (
    ("reports/", "reports", MAY_SEE_REPORTS, overview),
    ("reports/fees/", "reports_fees", MAY_SEE_REPORTS, fee_report),
    ("reports/responsible/", "reports_responsible", MAY_SEE_LIMITS, responsible_play),
    ("reports/tax.csv", "reports_tax", MAY_SEE_TAX, tax_file),
    ("reports/tax.xlsx", "reports_tax_book", MAY_SEE_TAX, tax_file),
    ("reports/ledger.csv", "reports_ledger", MAY_SEE_LEDGER, ledger_file),
    ("reports/ledger.xlsx", "reports_ledger_book", MAY_SEE_LEDGER, ledger_file),
)


def report_urls(site: AdminSite) -> list[URLPattern]:
    return [
        path(address, site.admin_view(_guard(page, permission, site)), name=name)
        for address, name, permission, page in _PAGES
    ]


def _guard(page: Page, permission: str, site: AdminSite) -> Callable[[HttpRequest], HttpResponse]:
    def view(request: HttpRequest) -> HttpResponse:
        if not request.user.has_perm(permission):
            raise PermissionDenied
        return page(request, site)

    return view


def _page(
    request: HttpRequest,
    site: AdminSite,
    name: str,
    title: str,
    asked: ReportQuery,
    context: dict[str, Any],
) -> HttpResponse:
    tabs = [
        (_("Overview"), "admin:reports", MAY_SEE_REPORTS),
        (_("Service fees"), "admin:reports_fees", MAY_SEE_REPORTS),
        (_("Responsible play"), "admin:reports_responsible", MAY_SEE_LIMITS),
    ]
    shown = {
        **site.each_context(request),
        "title": title,
        "asked": asked,
        "tabs": [(label, url) for label, url, right in tabs if request.user.has_perm(right)],
        "computed_at": reading.get_last_computed_at(),
        "has_file": name in ("overview", "fees", "responsible"),
        "may_see_tax": cash_is_on() and request.user.has_perm(MAY_SEE_TAX),
        "may_see_ledger": request.user.has_perm(MAY_SEE_LEDGER),
        **context,
    }
    return render(request, f"admin/reports/{name}.html", shown)


def _format_amount(value: int, currency: str) -> str:
    text = format_shown_amount(value, currency)
    if currency == Currency.INR:
        return text
    return ngettext("%(amount)s chip", "%(amount)s chips", value) % {"amount": text}


def _write_value(column: reading.ReportColumn, value: int) -> str:
    return format_shown_amount(value, column.currency) if column.is_amount else f"{value:,}"


def _build_cell(column: reading.ReportColumn, row: reading.ReportRow) -> Cell:
    value = row.values[column.code]
    return to_decimal(value, Currency(column.currency)) if column.is_amount else value


def _title_in_file(column: reading.ReportColumn) -> str:
    """Return a column's heading. For an amount it includes the currency."""
    title = capfirst(str(column.title))
    return f"{title} ({column.currency})" if column.is_amount else title


def _send(
    asked: ReportQuery, name: str, heading: Sequence[str | Promise], rows: Iterable[Sequence[Cell]]
) -> HttpResponse:
    return write_file(asked.file or "csv", name, [capfirst(str(one)) for one in heading], rows)


def _draw_chart(column: reading.ReportColumn, rows: Sequence[reading.ReportRow]) -> Chart:
    """Draw a column as bars from the oldest period to the newest."""
    values = {row.begins: row.values[column.code] for row in rows}
    dress = Dress(column.code, column.title, partial(_write_value, column))
    return draw(dress, sorted(values), [Series(column.title, values)])
