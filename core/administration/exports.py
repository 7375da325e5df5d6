"""Exports of lists in the administration: the filtered rows with the displayed columns, as typed cells."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import Any, Final

from django.contrib.admin.utils import label_for_field, lookup_field
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from core.administration.cells import Cell, InFile, to_plain_text, write_file

MOST_ROWS: Final = 20_000
_ROWS_AT_A_TIME: Final = 1_000
_Column = tuple[str, Callable[[Any], Cell]]


def export(request: HttpRequest, shown: ChangeList, kind: str) -> HttpResponse:
    """Return a list as a file of the kind `csv` or `xlsx`.

    The columns are those of the list, or the page's `export_display`. An amount is a number. Its currency is in a
    column "Currency" after the last amount, unless the list has such a column.
    """
    page = shown.model_admin
    names = getattr(page, "export_display", None) or shown.list_display
    columns = _list_columns(page, [name for name in names if name != "action_checkbox"])
    cells = ([cell(row) for _title, cell in columns] for row in _list_rows(request, shown))
    return write_file(kind, str(page.opts.model_name), [title for title, _cell in columns], cells)


def _list_columns(page: Any, names: Sequence[Any]) -> list[_Column]:
    columns: list[_Column] = []
    amounts: list[InFile] = []
    end_of_amounts = 0
    for name in names:
        in_file = _find_in_file(page, name)
        title = capfirst(str(label_for_field(name, page.model, page)))
        if in_file is None:
            columns.append((title, lambda row, what=name: _render_cell(page, what, row)))  # type: ignore[misc] # bound now
            continue
        unit = f" ({in_file.unit})" if in_file.unit else ""
        columns.append((title + unit, in_file.cell))
        if in_file.currency is not None:
            amounts.append(in_file)
            end_of_amounts = len(columns)
    if amounts and "currency" not in names:
        columns.insert(end_of_amounts, (_("Currency"), lambda row: _find_currency(amounts, row)))
    return columns


def _find_in_file(page: Any, name: Any) -> InFile | None:
    column = getattr(page, name, None) if isinstance(name, str) else name
    found = getattr(column, "in_file", None)
    return found if isinstance(found, InFile) else None


def _find_currency(amounts: Sequence[InFile], row: Any) -> str:
    """Return the currency of the row's amounts, which all have the same one. Empty if the row has no amounts."""
    codes = {
        str(amount.currency(row))
        for amount in amounts
        if amount.currency is not None and amount.cell(row) is not None
    }
    return " ".join(sorted(codes))


def is_too_long(shown: ChangeList) -> bool:
    """Return whether the list has more rows than a file may have.

    A shortened file could be mistaken for the whole list.
    """
    return bool(shown.queryset.values("pk")[MOST_ROWS : MOST_ROWS + 1])


def _list_rows(request: HttpRequest, shown: ChangeList) -> Iterator[Any]:
    """Yield the list's rows. The list's method `fill`, if any, adds the values of more columns to many rows at once."""
    fill = getattr(shown, "fill", None)
    rows = shown.queryset[:MOST_ROWS].iterator(chunk_size=_ROWS_AT_A_TIME)
    while some := list(islice(rows, _ROWS_AT_A_TIME)):
        yield from some if fill is None else fill(request, some)


def _render_cell(page: Any, name: Any, row: Any) -> Cell:
    """Return the value of a column in a file: a number or day as it is, anything else as the text that the list shows.

    The text has no mark-up. An empty value is None.
    """
    field, _attribute, value = lookup_field(name, row, page)
    if value is None:
        return None
    if field is not None and getattr(field, "flatchoices", None):
        return to_plain_text(str(dict(field.flatchoices).get(value, value)))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int | float | Decimal | date):
        return value
    return to_plain_text(str(value))
