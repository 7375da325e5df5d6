"""Parts of administration lists: range filters, pagination without counting, and cells as text."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import SEARCH_VAR, ChangeList
from django.core.paginator import Paginator
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import formats, timezone
from django.utils.dateparse import parse_date, parse_datetime

from core.values.local_days import compute_day_start

Bound = Any
# Years that every calendar and time zone supports.
_YEARS = range(2000, 2200)
# First characters of a spreadsheet formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


class RangeFilter(admin.FieldListFilter):
    """Filters a column by `…__from` and `…__until`, both inclusive. Ignores an invalid bound."""

    template = "admin/range_filter.html"
    input_type = "text"

    def __init__(
        self,
        field: Any,
        request: HttpRequest,
        params: dict[str, Any],
        model: type[models.Model],
        model_admin: Any,
        field_path: str,
    ) -> None:
        self.names = (f"{field_path}__from", f"{field_path}__until")
        # Django's method removes these parameters.
        self.written = [self._read_last(params.get(name)) for name in self.names]
        super().__init__(field, request, params, model, model_admin, field_path)

    @staticmethod
    def _read_last(value: Any) -> str:
        return str(value[-1] if isinstance(value, list) else value or "").strip()

    def expected_parameters(self) -> list[str | None]:
        return list(self.names)

    def has_output(self) -> bool:
        return True

    def parse_low(self, text: str) -> Bound | None:
        """Return the lowest value inside the range, or None for no lower bound."""
        raise NotImplementedError

    def parse_beyond(self, text: str) -> Bound | None:
        """Return the lowest value above the range, or None for no upper bound."""
        raise NotImplementedError

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        low, beyond = self.parse_low(self.written[0]), self.parse_beyond(self.written[1])
        if low is not None:
            queryset = queryset.filter(**{f"{self.field_path}__gte": low})
        if beyond is not None:
            queryset = queryset.filter(**{f"{self.field_path}__lt": beyond})
        return queryset

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        kept = changelist.get_filters_params()
        yield {
            "ends": list(zip(self.names, self.written, strict=True)),
            "type": self.input_type,
            "kept": [
                (name, one)
                for name, values in kept.items()
                if name not in self.names
                for one in (values if isinstance(values, list) else [values])
            ]
            + ([(SEARCH_VAR, changelist.query)] if changelist.query else []),
            "is_set": any(self.written),
            "without": changelist.get_query_string(remove=list(self.names)),
        }


class DayRange(RangeFilter):
    """Filters by a range of days in the site's time zone."""

    input_type = "date"

    def parse_low(self, text: str) -> Bound | None:
        return self._find_beginning(parse_day(text))

    def parse_beyond(self, text: str) -> Bound | None:
        day = parse_day(text)
        return None if day is None else self._find_beginning(day + timedelta(days=1))

    def _find_beginning(self, day: date | None) -> Bound | None:
        if day is None or not isinstance(self.field, models.DateTimeField):
            return day
        return compute_day_start(day)


# To reach older rows, staff narrow the list by a filter or a date.
PAGES = 100


class PagesWithoutCount(Paginator):  # type: ignore[type-arg] # not generic at run time
    """A paginator that counts only the rows of the first PAGES pages, so a list of ten million rows opens at once."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment] # the administration's
        return rows[: PAGES * self.per_page].count()


def parse_day(text: str | None) -> date | None:
    """Return the day that a query string contains ("2026-11-21"), or None for any other text."""
    try:
        day = parse_date(text or "")
    except ValueError:
        return None
    return day if day is not None and _YEARS.start <= day.year < _YEARS.stop else None


def quote_cell(text: str) -> str:
    """Quote a string that a spreadsheet would take for a formula. Do not use it for numbers: "-5" is no formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def write_csv(file: Any, heading: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table as comma-separated values. Strings are quoted, so that no spreadsheet takes one for a formula."""
    written = csv.writer(file)
    written.writerow(heading)
    for row in rows:
        written.writerow([quote_cell(cell) if isinstance(cell, str) else cell for cell in row])


def format_moment(moment: datetime) -> str:
    """Format a moment in the site's time zone, such as "22 Nov 2026, 05:19 IST"."""
    return formats.date_format(timezone.localtime(moment), "DATETIME_FORMAT")


def reformat_moment(text: str) -> str:
    """Format an ISO 8601 string with an offset as `format_moment` does. Return any other string unchanged."""
    try:
        moment = parse_datetime(text)
    except ValueError:
        return text
    return text if moment is None or timezone.is_naive(moment) else format_moment(moment)
