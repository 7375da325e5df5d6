"""Typed cells of exported files: amounts and times that a spreadsheet can sum, sort and import.

A cell is a string, a whole number, a Decimal (an amount, with its decimals), a day, a moment, or None for empty.
CSV has plain numbers and ISO 8601; a workbook has numbers and dates with formats.
"""

import html
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final, TypeVar

from django.http import HttpResponse
from django.utils import timezone
from django.utils.html import strip_tags

from core.administration.lists import write_csv
from core.values.isolation import take_marks_off

Cell = str | int | float | Decimal | date | datetime | None
TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_Column = TypeVar("_Column", bound=Callable[..., Any])
# A spreadsheet has 15 digits; longer numbers stay whole as texts.
_LARGEST_NUMBER: Final = 10**15
_WIDEST: Final = 60


@dataclass(frozen=True, slots=True)
class InFile:
    """The way in which a column's cells are computed for a file.

    `currency` returns the currency of an amount; `unit` is the unit of any other number ("%").
    """

    cell: Callable[[Any], Cell]
    currency: Callable[[Any], str] | None = None
    unit: str = ""


def in_file(
    cell: Callable[[Any], Cell], *, currency: Callable[[Any], str] | None = None, unit: str = ""
) -> Callable[[_Column], _Column]:
    """Decorate a list's column so that `cell` computes its cells in files, instead of the text on the page."""

    def mark(column: _Column) -> _Column:
        vars(column)["in_file"] = InFile(cell, currency, unit)
        return column

    return mark


def to_plain_text(shown: str) -> str:
    """Return the text of an HTML fragment, with semicolons between its blocks.

    Empty for "-", the sign of an empty value.
    """
    parted = re.sub(r"</(?:div|summary|li|p|tr|dt|dd)>|<br\s*/?>", "; ", shown)
    text = html.unescape(strip_tags(parted)) if parted != shown or "<" in shown else shown
    text = re.sub(r"\s*;\s*$", "", text.strip())
    return "" if text == "-" else text


def write_file(
    kind: str, name: str, heading: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> HttpResponse:
    """Return a table as a file of the kind `csv` or `xlsx`. Names are written as stored, without isolating marks."""
    rows = (
        [take_marks_off(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    answer = HttpResponse(
        content_type=TYPES[kind],
        headers={"Content-Disposition": f'attachment; filename="{name}.{kind}"'},
    )
    if kind == "csv":
        # Without this mark spreadsheets read the file in a legacy encoding.
        answer.write("\ufeff")
        write_csv(answer, heading, ([_as_text(cell) for cell in row] for row in rows))
    else:
        answer.write(_render_workbook(heading, rows))
    return answer


def _as_text(cell: Cell) -> object:
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return timezone.localtime(cell).isoformat(timespec="seconds")
    if isinstance(cell, date):
        return cell.isoformat()
    return cell


def _render_workbook(heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    import xlsxwriter  # noqa: PLC0415 - wanted by the few who export

    file = io.BytesIO()
    # A row goes to a temporary file before the next one comes, so the memory stays flat.
    book = xlsxwriter.Workbook(
        file, {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    sheet = book.add_worksheet()
    widths = [len(title) for title in heading]
    formats = {
        name: book.add_format({"num_format": name})
        for name in ("yyyy-mm-dd hh:mm:ss", "yyyy-mm-dd", "#,##0.00", "#,##0")
    }
    sheet.write_row(0, 0, heading, book.add_format({"bold": True}))
    sheet.freeze_panes(1, 0)
    for number, row in enumerate(rows, 1):
        for place, value, name in _list_values(row):
            sheet.write(number, place, value, formats.get(name))
            widths[place] = max(widths[place], len(name or str(value)))
    for place, width in enumerate(widths):
        sheet.set_column(place, place, min(width, _WIDEST) + 1)
    book.close()
    return file.getvalue()


def _list_values(row: Sequence[Cell]) -> Iterator[tuple[int, Any, str]]:
    """Yield the column index, value and number format of each cell that is not empty."""
    for place, cell in enumerate(row):
        if cell is None or cell == "":
            continue
        if isinstance(cell, datetime):
            yield place, timezone.localtime(cell).replace(tzinfo=None), "yyyy-mm-dd hh:mm:ss"
        elif isinstance(cell, date):
            yield place, cell, "yyyy-mm-dd"
        elif isinstance(cell, Decimal):
            exponent = cell.as_tuple().exponent
            yield place, cell, "#,##0.00" if isinstance(exponent, int) and exponent < 0 else "#,##0"
        elif isinstance(cell, int) and abs(cell) >= _LARGEST_NUMBER:
            yield place, str(cell), ""
        else:
            yield place, cell, ""
