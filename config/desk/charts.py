"""Bar charts of the administration, drawn by the server, so that they need no scripts and can be printed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.utils.formats import date_format
from django.utils.functional import Promise

HEIGHT: Final = 100
_STEP: Final = 10
_WIDTH: Final = 8
_DAY: Final = "j M"


@dataclass(frozen=True, slots=True)
class Series:
    """Daily values of one kind. `number` selects its colour."""

    title: str | Promise
    values: Mapping[date, int]
    number: int = 1


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle. Its coordinates, in chart units, are strings, so that templates do not localise the numbers."""

    x: str
    y: str
    height: str
    series: int
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Day:
    """A row of the table below the chart, which contains everything that the chart shows."""

    begins: date
    url: str
    values: Sequence[str]


@dataclass(frozen=True, slots=True)
class Chart:
    """A bar chart.

    `total` is the sum of the chart's days, and `before` the sum of as many days before them. Either is an empty string
    if it is not shown.
    """

    code: str
    title: str | Promise
    series: Sequence[Series]
    days: Sequence[Day]
    bars: Sequence[Bar]
    most: str
    width: str
    bar: str
    total: str = ""
    before: str = ""
    url: str = ""
    height: str = str(HEIGHT)

    @property
    def is_empty(self) -> bool:
        return not self.bars

    @property
    def first(self) -> Day:
        return self.days[-1]

    @property
    def last(self) -> Day:
        return self.days[0]

    @property
    def has_table(self) -> bool:
        """Return whether the chart has a table of days with links.

        A report's chart has none, as the report is a table itself.
        """
        return bool(self.last.url)

    @property
    def has_legend(self) -> bool:
        return len(self.series) > 1


@dataclass(frozen=True, slots=True)
class Dress:
    """The chart's texts and links: title, sums, format of values, and the addresses to which its days link."""

    code: str
    title: str | Promise
    write: Callable[[int], str] = lambda value: f"{value:,}"
    find_rows: Callable[[date], str] = lambda _day: ""
    url: str = ""
    total: str = ""
    before: str = ""


def draw(
    dress: Dress, days: Sequence[date], series: Sequence[Series], *, is_stacked: bool = True
) -> Chart:
    """Build the chart of these days, which must be in order. The table lists them in reverse.

    The bars of several series are stacked if `is_stacked`, and stand side by side otherwise.
    """
    shown = [one for one in series if any(one.values.get(day) for day in days)]
    measure = sum if is_stacked else max
    most = max(
        (measure([one.values.get(day, 0) for one in shown] or [0]) for day in days), default=0
    )
    bars = [
        bar
        for place, day in enumerate(days)
        for bar in _draw_day(dress, place, day, shown, most=most, is_stacked=is_stacked)
    ]
    table = [
        Day(day, dress.find_rows(day), [dress.write(one.values.get(day, 0)) for one in shown])
        for day in reversed(days)
    ]
    return Chart(
        dress.code,
        dress.title,
        shown,
        table,
        bars,
        dress.write(most),
        width=str(len(days) * _STEP),
        bar=str(_WIDTH if is_stacked else _WIDTH // max(len(shown), 1)),
        total=dress.total,
        before=dress.before,
        url=dress.url,
    )


def _draw_day(
    dress: Dress, place: int, day: date, shown: Sequence[Series], *, most: int, is_stacked: bool
) -> list[Bar]:
    bars, top = [], HEIGHT
    width = _WIDTH if is_stacked else _WIDTH // max(len(shown), 1)
    for number, one in enumerate(shown):
        value = one.values.get(day, 0)
        if value <= 0 or most <= 0:
            continue
        height = max(round(HEIGHT * value / most), 1)
        top = max(top - height, 0) if is_stacked else HEIGHT - height
        left = place * _STEP + 1 + (0 if is_stacked else number * width)
        said = f"{one.title}, " if len(shown) > 1 else ""
        title = f"{said}{date_format(day, _DAY)}: {dress.write(value)}"
        bars.append(Bar(str(left), str(top), str(height), one.number, title, dress.find_rows(day)))
    return bars
