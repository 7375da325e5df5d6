"""Reports as tables of cells, read only from the computed figures."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from django.db.models import Max, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from config.reports.computing import Length, Span, find_span
from wallet.api import list_charged_formats
from wallet.models import ReportFigure, ReportPeriod
from wallet.money import Currency

MOST_ROWS: Final = 400
_CHIPS, _INR = Currency.CHIPS.value, Currency.INR.value


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """A column with a figure: a count or an amount, found by `name` and `currency`.

    If `is_latest`, a period shows the figure of its last day, otherwise the sum of its days.
    """

    code: str
    title: str | Promise
    name: str
    currency: str = ""
    is_amount: bool = True
    is_latest: bool = False


COLUMNS: Final = (
    ReportColumn("players", _("players"), "players", is_amount=False),
    ReportColumn("joined", _("new players"), "joined", is_amount=False),
    ReportColumn("matches", _("matches"), "matches", is_amount=False),
    ReportColumn("with_bots", _("with practice bots"), "matches_with_bots", is_amount=False),
    ReportColumn("deposits", _("deposits"), "moved:DEPOSIT", _INR),
    ReportColumn("withdrawals", _("withdrawals"), "moved:WITHDRAWAL", _INR),
    ReportColumn("tax", _("tax"), "moved:TAX", _INR),
    ReportColumn("bonuses", _("bonuses given"), "moved:BONUS", _INR),
    ReportColumn("released", _("bonuses released"), "moved:BONUS_RELEASE", _INR),
    ReportColumn("rake_inr", _("fees, cash"), "moved:RAKE", _INR),
    ReportColumn("rake_chips", _("fees, chips"), "moved:RAKE", _CHIPS),
    ReportColumn("rake_bots", _("of which with bots"), "rake_with_bots", _CHIPS),
    ReportColumn("reversed", _("reversed, cash"), "moved:REVERSAL", _INR),
    ReportColumn("cash_held", _("cash of players"), "held_by_players", _INR, is_latest=True),
    ReportColumn(
        "chips_held", _("chips in circulation"), "held_by_players", _CHIPS, is_latest=True
    ),
)


class TooManyPeriods(Exception):  # noqa: N818 - an expected answer
    """The range has more than MOST_ROWS periods. A shortened report could be mistaken for the whole."""


@dataclass(frozen=True, slots=True)
class ReportRow:
    """The figures of one period. `values` maps the code of each column to its figure."""

    begins: date
    values: dict[str, int]


def read_overview(length: ReportPeriod.Length, *, since: date, until: date) -> list[ReportRow]:
    """Return a row for each period from the one that contains `since` to the one that contains `until`, newest first.

    A row has the figures of its whole period, including days outside the range. Raises TooManyPeriods.
    """
    spans: list[Span] = []
    span = find_span(length, since)
    last = find_span(length, until)
    while span.begins <= last.begins:
        if len(spans) == MOST_ROWS:
            raise TooManyPeriods
        spans.append(span)
        span = find_span(length, span.ends)
    if not spans:
        return []
    first, end = spans[0].begins, spans[-1].ends
    days = _read_days(first, end)
    players = _count_distinct_players(length, first, end)
    rows = []
    for one in spans:
        inside = [day for day in sorted(days) if one.begins <= day < one.ends]
        values = {
            column.code: _compute_value(column, [days[day] for day in inside]) for column in COLUMNS
        }
        rows.append(ReportRow(one.begins, {**values, "players": players.get(one.begins, 0)}))
    return rows[::-1]


@dataclass(frozen=True, slots=True)
class DailySum:
    """The total amount of a report figure on one day, and how many entries it counts.

    `game` is empty for figures that do not belong to a game.
    """

    day: date
    name: str
    currency: str
    game: str
    amount: int
    number: int


def read_daily(names: Collection[str], *, since: date, until: date) -> list[DailySum]:
    """Return the sums of these figures for each day from `since` to `until`, inclusive.

    There are only a few rows for each day, however much was played.
    """
    sums = (
        ReportFigure.objects.filter(
            period__length=Length.DAY, period__begins__gte=since, period__begins__lte=until,
            name__in=names,
        )
        .values_list("period__begins", "name", "currency", "game")
        .annotate(Sum("amount"), Sum("number"))
    )  # fmt: skip
    return [DailySum(*row) for row in sums]


Figures = dict[tuple[str, str], tuple[int, int]]


def _read_days(first: date, end: date) -> dict[date, Figures]:
    """Return for each day a mapping from a figure's (name, currency) to its (amount, number)."""
    wanted = {column.name for column in COLUMNS}
    sums = (
        ReportFigure.objects.filter(
            period__length=Length.DAY, period__begins__gte=first, period__begins__lt=end,
            name__in=wanted,
        )
        .values_list("period__begins", "name", "currency")
        .annotate(Sum("amount"), Sum("number"))
    )  # fmt: skip
    days: dict[date, Figures] = defaultdict(dict)
    for day, name, currency, amount, number in sums:
        days[day][name, currency] = (amount, number)
    return days


def _compute_value(column: ReportColumn, days: Sequence[Figures]) -> int:
    place = 0 if column.is_amount else 1
    if column.is_latest:
        found = [day[key] for day in days if (key := (column.name, column.currency)) in day]
        return found[-1][0] if found else 0
    return sum(
        values[place]
        for day in days
        for (name, currency), values in day.items()
        # A count is not split by currency.
        if name == column.name and (currency == column.currency or not column.is_amount)
    )


def _count_distinct_players(length: ReportPeriod.Length, first: date, end: date) -> dict[date, int]:
    figures = ReportFigure.objects.filter(
        period__length=length, period__begins__gte=first, period__begins__lt=end, name="players"
    )
    return dict(figures.values_list("period__begins", "number"))


@dataclass(frozen=True, slots=True)
class FeeRow:
    """The house's income from one kind of table or tournament at one stake and rate."""

    title: str
    currency: str
    stake: int
    rate: int
    amount: int
    number: int


def read_fees(*, since: date, until: date) -> list[FeeRow]:
    """Return the fees from `since` to `until`, inclusive. Cash comes before chips, and larger fees come first."""
    sums = (
        ReportFigure.objects.filter(
            period__length=Length.DAY, period__begins__gte=since, period__begins__lte=until,
            name="rake",
        )
        .values_list("game", "format", "currency", "stake", "rate")
        .annotate(taken=Sum("amount"), times=Sum("number"))
    )  # fmt: skip
    title = _list_titles()
    rows = [
        FeeRow(title(game, format), currency, stake, rate, taken, times)
        for game, format, currency, stake, rate, taken, times in sums
    ]
    return sorted(rows, key=lambda row: (row.currency != _INR, -row.amount, row.title))


def _list_titles() -> Callable[[str, str], str]:
    known = {(c.game, c.format): f"{c.game_title} · {c.title}" for c in list_charged_formats()}
    return lambda game, format: known.get((game, format), f"{game} {format}".strip() or "-")


def get_last_computed_at() -> datetime | None:
    """Return the moment at which the newest figures were computed, or None if none were."""
    newest: datetime | None = ReportPeriod.objects.aggregate(Max("computed_at"))["computed_at__max"]
    return newest


def get_default_range(length: ReportPeriod.Length, today: date) -> tuple[date, date]:
    """Return the first and last day of the default range for periods of this length.

    It covers 30 days for daily, 90 for weekly and 365 for monthly figures.
    """
    days = {Length.DAY: 30, Length.WEEK: 90, Length.MONTH: 365}[length]
    return today - timedelta(days=days), today
