"""Exports of administration lists: the filtered rows in the displayed columns."""

import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, Final

from django.contrib.admin.utils import label_for_field, lookup_field
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest, HttpResponse
from django.utils.html import strip_tags
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from core.administration.lists import format_moment, write_csv

MOST_ROWS: Final = 20_000
_ROWS_AT_A_TIME: Final = 1_000
TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
Cell = str | int | float


def export(request: HttpRequest, shown: ChangeList, kind: str) -> HttpResponse:
    """Return a list as a file of the kind `csv` or `xlsx`."""
    page = shown.model_admin
    columns = [name for name in shown.list_display if name != "action_checkbox"]
    labels = (str(label_for_field(name, page.model, page)) for name in columns)
    heading = [capfirst(label) for label in labels]
    cells = (
        [_render_cell(page, name, row) for name in columns] for row in _list_rows(request, shown)
    )
    name = page.opts.model_name
    answer = HttpResponse(
        content_type=TYPES[kind],
        headers={"Content-Disposition": f'attachment; filename="{name}.{kind}"'},
    )
    if kind == "csv":
        # Without this mark spreadsheets read the file in a legacy encoding.
        answer.write("\ufeff")
        write_csv(answer, heading, cells)
    else:
        answer.write(_render_workbook(heading, cells))
    return answer


def _list_rows(request: HttpRequest, shown: ChangeList) -> Iterator[Any]:
    """Yield the rows. A list that reads columns for many rows at once has a method `fill`."""
    fill = getattr(shown, "fill", None)
    rows = shown.queryset[:MOST_ROWS].iterator(chunk_size=_ROWS_AT_A_TIME)
    while some := list(islice(rows, _ROWS_AT_A_TIME)):
        yield from some if fill is None else fill(request, some)


def _render_cell(page: Any, name: Any, row: Any) -> Cell:
    """Return a value as the list shows it, without its mark-up."""
    field, _attribute, value = lookup_field(name, row, page)
    if value is None:
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int | float):
        return value
    if isinstance(value, datetime):
        return format_moment(value)
    if field is not None and getattr(field, "flatchoices", None):
        value = dict(field.flatchoices).get(value, value)
    return strip_tags(str(value))


def _render_workbook(heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    import xlsxwriter  # noqa: PLC0415 - wanted by the few who export

    file = io.BytesIO()
    book = xlsxwriter.Workbook(
        file, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, heading, book.add_format({"bold": True}))
    for number, row in enumerate(rows, 1):
        sheet.write_row(number, 0, row)
    sheet.autofit()
    book.close()
    return file.getvalue()
