"""The administration's first page: tasks that wait for staff, charts of thirty days, and the figures of the day."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.desk.figures import Figure, build_list_address
from accounts.models import User
from config.desk.charts import Chart, Dress, Series, draw
from config.desk.dashboard import WAITING, blocks_for
from config.desk.setup.site import is_put_away, list_rows
from config.reports.reading import DailySum, read_daily
from wallet.api import cash_is_on, list_charged_formats
from wallet.models import Reason
from wallet.money import Currency, format_shown_amount

DAYS: Final = 30


@dataclass(frozen=True, slots=True)
class SetupLink:
    """The link to the setup page. `left` is the number of open items. If it is 0, staff may remove the link."""

    left: int


def build_today(user: User | AnonymousUser, now: datetime) -> dict[str, Any]:
    """Build the page's context, as far as this staff member may see it."""
    blocks = blocks_for(user, now)
    charts = list_charts(user, timezone.localdate(now))
    waiting = blocks.pop(str(WAITING), [])
    alarms = [figure for figures in blocks.values() for figure in figures if figure.is_alarm]
    calm = {
        title: [figure for figure in figures if not figure.is_alarm]
        for title, figures in blocks.items()
    }
    return {
        "setup": find_setup(user, now),
        "attention": sorted([*alarms, *waiting], key=_order_by_need),
        "charts": [] if all(chart.is_empty for chart in charts) else charts,
        "blocks": {title: figures for title, figures in calm.items() if figures},
    }


def find_setup(user: User | AnonymousUser, now: datetime) -> SetupLink | None:
    """Return the link to "Set up your site" while an item is open or nobody has put the page away, else None."""
    rows = list_rows(user, now)
    left = sum(not row.is_done for row in rows)
    return SetupLink(left) if left or (rows and not is_put_away()) else None


def _order_by_need(figure: Figure) -> tuple[bool, bool]:
    return not figure.is_alarm, figure.is_calm


@dataclass(frozen=True, slots=True)
class _Plan:
    """The definition of a chart of daily figures, for staff with a permission.

    `split` returns the code of the series that a row belongs to.
    """

    code: str
    title: str | Promise
    permission: str
    names: tuple[str, ...]
    find_rows: Callable[[date, date], str]
    currency: Currency | None = None
    split: Callable[[DailySum], str] = lambda _row: ""
    is_stacked: bool = True

    @property
    def is_shown(self) -> bool:
        return self.currency is not Currency.INR or cash_is_on()

    def takes(self, row: DailySum) -> bool:
        return row.name in self.names and (self.currency is None or row.currency == self.currency)

    def measure(self, row: DailySum) -> int:
        return row.number if self.currency is None else row.amount

    def write(self, value: int) -> str:
        return f"{value:,}" if self.currency is None else format_shown_amount(value, self.currency)


def _range(model: str, column: str, **filters: str) -> Callable[[date, date], str]:
    """Return a function that builds the address of a model's list, filtered by a range of days in `column`."""

    def find(first: date, last: date) -> str:
        days = {f"{column}__from": first, f"{column}__until": last}
        return build_list_address(model, **filters, **days)

    return find


def _find_fees(currency: Currency) -> Callable[[date, date], str]:
    def find(first: date, last: date) -> str:
        when = first.isoformat() if first == last else "month"
        return build_list_address(
            "wallet_transfer", reason=Reason.RAKE, when=when, currency__exact=currency
        )

    return find


_PLANS: Final = (
    _Plan(
        "players",
        _("Active players"),
        "tables.view_match",
        ("players",),
        _range("tables_match", "started_at"),
    ),
    _Plan(
        "matches",
        _("Matches by game"),
        "tables.view_match",
        ("matches",),
        _range("tables_match", "started_at"),
        split=lambda row: row.game,
    ),
    _Plan(
        "joined",
        _("New accounts"),
        "accounts.view_user",
        ("joined",),
        _range("accounts_user", "date_joined"),
    ),
    _Plan(
        "fees-chips",
        _("Service fees, chips"),
        "wallet.view_transfer",
        ("moved:RAKE",),
        _find_fees(Currency.CHIPS),
        currency=Currency.CHIPS,
    ),
    _Plan(
        "fees-cash",
        _("Service fees, cash"),
        "wallet.view_transfer",
        ("moved:RAKE",),
        _find_fees(Currency.INR),
        currency=Currency.INR,
    ),
    _Plan(
        "cash",
        _("Deposits and payouts"),
        "wallet.view_withdrawal",
        ("moved:DEPOSIT", "moved:WITHDRAWAL"),
        _range("wallet_deposit", "decided_at", state__exact="PAID"),
        currency=Currency.INR,
        split=lambda row: row.name,
        is_stacked=False,
    ),
)
_TITLES: Final = {"moved:DEPOSIT": _("Deposits"), "moved:WITHDRAWAL": _("Payouts")}


def list_charts(user: User | AnonymousUser, today: date) -> list[Chart]:
    """Return the charts of the last thirty days. They need one query, because a job has computed the daily figures."""
    plans = [plan for plan in _PLANS if plan.is_shown and user.has_perm(plan.permission)]
    names = {name for plan in plans for name in plan.names}
    first = today - timedelta(days=DAYS - 1)
    rows = read_daily(names, since=first - timedelta(days=DAYS), until=today) if plans else []
    days = [first + timedelta(days=step) for step in range(DAYS)]
    return [_draw(plan, [row for row in rows if plan.takes(row)], days) for plan in plans]


def _draw(plan: _Plan, rows: Sequence[DailySum], days: Sequence[date]) -> Chart:
    first, last = days[0], days[-1]
    inside = [row for row in rows if row.day >= first]
    dress = Dress(
        plan.code,
        plan.title,
        plan.write,
        lambda day: plan.find_rows(day, day),
        plan.find_rows(first, last),
        **_sum_up(plan, rows, first),
    )
    by_code: dict[str, dict[date, int]] = {}
    for row in inside:
        values = by_code.setdefault(plan.split(row), {})
        values[row.day] = values.get(row.day, 0) + plan.measure(row)
    series = [
        Series(title, by_code[code], number)
        for number, (code, title) in enumerate(_list_titles(plan, by_code), 1)
        if code in by_code
    ]
    return draw(dress, days, series, is_stacked=plan.is_stacked)


def _list_titles(plan: _Plan, codes: Iterable[str]) -> list[tuple[str, str | Promise]]:
    """Return the code and title of each series, in an order that does not depend on the figures."""
    if plan.code == "matches":
        titles: Mapping[str, str | Promise] = {
            one.game: str(one.game_title) for one in list_charged_formats()
        }
    else:
        titles = _TITLES
    if set(codes) <= {""}:
        return [("", plan.title)]
    return [*titles.items(), *((code, plan.title) for code in sorted(set(codes) - titles.keys()))]


def _sum_up(plan: _Plan, rows: Sequence[DailySum], first: date) -> dict[str, str]:
    """Return the sums of the chart's days and of as many days before.

    Charts of players have no sums, because a person who plays on two days would be counted twice.
    """
    if plan.code == "players" or not plan.is_stacked or not rows:
        return {}
    now = sum(plan.measure(row) for row in rows if row.day >= first)
    before = sum(plan.measure(row) for row in rows if row.day < first)
    return {"total": plan.write(now), "before": plan.write(before)}
