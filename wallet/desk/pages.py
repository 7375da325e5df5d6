"""Bases for administration pages that show amounts in rupees or chips, rates in per cent and times in minutes."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from core.administration.cells import Cell, in_file
from core.administration.lists import Bound, RangeFilter
from core.administration.pages import AuditedAdmin
from core.values.typed import spell_digits
from wallet.cash import cash_is_on
from wallet.desk.units import AmountField, MinutesField, PercentField, UnitField
from wallet.money import AmountError, Currency, format_shown_amount, parse_amount, to_decimal


class RupeeRange(RangeFilter):
    """A filter by an amount's range, typed in rupees."""

    def parse_low(self, text: str) -> Bound | None:
        return _parse_paise(text)

    def parse_beyond(self, text: str) -> Bound | None:
        amount = _parse_paise(text)
        return None if amount is None else amount + 1


def _parse_paise(text: str) -> int | None:
    try:
        return parse_amount(spell_digits(text), Currency.INR)
    except AmountError:
        return None


_WEBHOOK_FIELDS: tuple[str, ...] = (
    "received_at",
    "event_id",
    "payment_id",
    "outcome",
    "amount",
    "effect",
)


def make_amount_column(
    field: str, label: Any, currency: Callable[[Any], str]
) -> Callable[[Any, Any], str]:
    """Return a list column that shows an amount in its currency and exports it as a number."""

    def cell(obj: Any) -> Cell:
        return amount_cell(obj, field, currency(obj))

    @in_file(cell, currency=currency)
    @admin.display(description=label, ordering=field)
    def column(_admin: Any, obj: Any) -> str:
        return format_shown_amount(getattr(obj, field), currency(obj))

    return column


def make_rupee_column(field: str, label: Any) -> Callable[[Any, Any], str]:
    """Return a column that shows paise as rupees."""
    return make_amount_column(field, label, lambda _obj: Currency.INR)


def amount_cell(obj: Any, field: str, currency: str | None = None) -> Decimal | None:
    """Return an amount in rupees or chips for a cell of an exported file, or None if the row has no amount.

    Without `currency` the row's own currency is used, or rupees if the row has none.
    """
    value = getattr(obj, field)
    return None if value is None else to_decimal(value, Currency(currency or get_currency(obj)))


def get_currency(obj: Any) -> str:
    return str(getattr(obj, "currency", Currency.INR))


class WhereCashIsOn(AuditedAdmin):
    """A page that nobody may see while cash is off."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return cash_is_on() and super().has_module_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return cash_is_on() and super().has_view_permission(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return cash_is_on() and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return cash_is_on() and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return cash_is_on() and super().has_delete_permission(request, obj)


class WebhookInline(admin.TabularInline):  # type: ignore[type-arg] # not generic at run time
    extra = 0
    can_delete = False
    fields = readonly_fields = _WEBHOOK_FIELDS

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True  # staff who may see the payment may see its webhooks


if TYPE_CHECKING:
    from django.db.models import Field

SHOWN = "shown_"


def amount_in(obj: Any, column: str) -> str:
    """Return a row's amount for display: "₹1,234.50" or "1,234 chips". Rows without a currency are in rupees."""
    value, currency = getattr(obj, column), getattr(obj, "currency", Currency.INR)
    if value is None:
        return "-"
    text = format_shown_amount(value, currency)
    if currency == Currency.INR:
        return text
    return ngettext("%(amount)s chip", "%(amount)s chips", value) % {"amount": text}


def rate_in(obj: Any, column: str) -> str:
    value = getattr(obj, column)
    return "-" if value is None else f"{PercentField().format(value)} %"


def time_in(obj: Any, column: str) -> str:
    value = getattr(obj, column)
    return "-" if value is None else f"{MinutesField().format(value)} min"


class InUnits(AuditedAdmin):
    """A page that shows and takes rupees or chips, per cent and minutes instead of the stored units.

    `amounts` and `rates` name columns; `times` maps each column of seconds to its label in minutes. Each of
    these columns gets a read-only counterpart `shown_…` for lists and read-only fields. Subclasses set
    `fieldsets`.
    """

    amounts: tuple[str, ...] = ()
    rates: tuple[str, ...] = ()
    times: Mapping[str, str | Promise] = {}
    # Labels and help texts that replace the model's.
    labels: Mapping[str, str | Promise] = {}
    helps: Mapping[str, str | Promise] = {}

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        kinds = ((self.amounts, amount_in), (self.rates, rate_in), (tuple(self.times), time_in))
        self._in_units = [name for names, _show in kinds for name in names]
        for names, show in kinds:
            for name in names:
                setattr(self, SHOWN + name, self._column(name, show))

    def _column(self, name: str, show: Callable[[Any, str], str]) -> Callable[[Any], str]:
        units: dict[Any, tuple[int, str]] = {rate_in: (100, "%"), time_in: (60, "min")}
        parts, unit = units.get(show, (0, ""))

        def cell(obj: Any) -> Cell:
            if not parts:
                return amount_cell(obj, name)
            value = getattr(obj, name)
            return None if value is None else value / parts

        @in_file(cell, currency=None if parts else get_currency, unit=unit)
        @admin.display(description=self._label(name), ordering=name)
        def column(obj: Any) -> str:
            return show(obj, name)

        return column

    def _label(self, name: str) -> Any:
        column: Any = self.opts.get_field(name)
        return self.times.get(name) or self.labels.get(name) or column.verbose_name

    def formfield_for_dbfield(
        self, db_field: "Field[Any, Any]", request: HttpRequest, **options: Any
    ) -> forms.Field | None:
        name = db_field.name
        kinds: tuple[tuple[Any, type[UnitField], str | Promise], ...] = (
            (self.amounts, AmountField, _("In rupees or chips.")),
            (self.rates, PercentField, _("In per cent.")),
            (self.times, MinutesField, ""),
        )
        for names, field, help_text in kinds:
            if name in names:
                return field(
                    label=capfirst(self._label(name)),
                    required=not db_field.blank,
                    initial=db_field.get_default(),
                    help_text=self.helps.get(name, help_text),
                    **_bounds(db_field),
                )
        return super().formfield_for_dbfield(db_field, request, **options)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fixed = super().get_readonly_fields(request, obj)
        return (*fixed, *(SHOWN + name for name in self._in_units))

    def sections(self, request: HttpRequest, obj: Any) -> Any:
        """Return the page's fieldsets under the columns' own names, without the prefix `shown_`."""
        return super().get_fieldsets(request, obj)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fieldsets = self.with_reason(self.sections(request, obj), request, obj)
        may_change = (
            self.has_add_permission(request)
            if obj is None
            else self.has_change_permission(request, obj)
        )
        fixed = set(self.get_readonly_fields(request, obj)) if may_change else set(self._in_units)
        return [
            (
                title,
                {**options, "fields": [self._show_name(name, fixed) for name in options["fields"]]},
            )
            for title, options in fieldsets
        ]

    def _show_name(self, name: Any, fixed: set[str]) -> Any:
        if isinstance(name, (list, tuple)):
            return tuple(self._show_name(one, fixed) for one in name)
        return SHOWN + name if name in self._in_units and name in fixed else name


def _bounds(db_field: "Field[Any, Any]") -> dict[str, int]:
    """Return the smallest and largest value that the column's validators allow, in the stored unit."""
    bounds = {}
    for validator in db_field.validators:
        limit = getattr(validator, "limit_value", None)
        if isinstance(validator, MinValueValidator) and isinstance(limit, int) and limit > 0:
            bounds["least"] = limit
        if isinstance(validator, MaxValueValidator) and isinstance(limit, int):
            bounds["most"] = limit
    return bounds
