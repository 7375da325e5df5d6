"""Form fields for amounts in rupees or whole chips, rates in per cent and times in minutes.

Each field cleans to its stored unit: the smallest unit of the currency, basis points or seconds.
"""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.values.typed import spell_digits
from wallet.money import BPS, AmountError, Currency, format_plain_amount, parse_amount

SENTENCES = {
    "not_an_amount": _("Enter an amount in digits, such as 250 or 99.50."),
    "misplaced_comma": _(
        "Use commas only to separate thousands, as in 1,00,000. Use a point before the "
        "paise, as in 12.50."
    ),
    "too_many_decimals": _("An amount has at most two digits after the decimal point."),
    "whole_chips": _("Chips are whole numbers: enter the amount without a decimal point."),
    "not_positive": _("The amount must be more than zero."),
    "too_large": _("This amount is too large."),
}


class CashField(forms.CharField):
    """Rupees as a person types them, cleaned to paise."""

    widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})

    def clean(self, value: Any) -> int | None:
        text: str = super().clean(value)
        if not text:
            return None
        try:
            return parse_amount(spell_digits(text), Currency.INR)
        except AmountError as error:
            raise forms.ValidationError(SENTENCES[error.code], code=error.code) from error


_PERCENT = re.compile(r"(?P<whole>[0-9]{1,3})(?:\.(?P<part>[0-9]{1,2}))?\s*%?", re.ASCII)
_MINUTES = re.compile(r"(?P<minutes>[0-9]{1,7})(?::(?P<seconds>[0-5][0-9]))?", re.ASCII)


class UnitField(forms.CharField):
    """A whole number that is typed in a different unit from the stored one. An empty field cleans to None.

    `least` and `most` are in the stored unit.
    """

    widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "size": "12"})

    def __init__(self, *, least: int = 0, most: int | None = None, **options: Any) -> None:
        super().__init__(max_length=30, empty_value=None, **options)
        self.least, self.most = least, most

    def parse(self, text: str) -> int:
        """Convert typed text to the stored number. Raises ValidationError."""
        raise NotImplementedError

    def format(self, value: int) -> str:
        raise NotImplementedError

    def clean(self, value: Any) -> int | None:
        text = super().clean(value)
        if text is None:
            return None
        kept = self.parse(text)
        if kept < self.least:
            raise forms.ValidationError(
                _("Enter %(least)s or more."), params={"least": self.format(self.least)}
            )
        if self.most is not None and kept > self.most:
            raise forms.ValidationError(
                _("Enter %(most)s or less."), params={"most": self.format(self.most)}
            )
        return kept

    def prepare_value(self, value: Any) -> Any:
        return self.format(value) if isinstance(value, int) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.clean(data) != initial)
        except forms.ValidationError:
            return True


class AmountField(UnitField):
    """An amount in the form's currency (`InCurrency`), in rupees if the form has none."""

    currency = Currency.INR

    def parse(self, text: str) -> int:
        try:
            return parse_amount(spell_digits(text), self.currency)
        except AmountError as error:
            if error.code == "not_positive":
                return 0
            code = error.code
            if code == "too_many_decimals" and not self.currency.decimals:
                code = "whole_chips"
            raise forms.ValidationError(SENTENCES[code], code=code) from error

    def format(self, value: int) -> str:
        return format_plain_amount(value, self.currency)


class PercentField(UnitField):
    def __init__(self, *, most: int | None = None, **options: Any) -> None:
        super().__init__(most=BPS if most is None else min(most, BPS), **options)

    def parse(self, text: str) -> int:
        match = _PERCENT.fullmatch(spell_digits(text))
        if match is None:
            raise forms.ValidationError(_("Enter a percentage, such as 10 or 12.5."))
        return int(match["whole"] + (match["part"] or "").ljust(2, "0"))

    def format(self, value: int) -> str:
        return f"{value / 100:.2f}".rstrip("0").rstrip(".")


class MinutesField(UnitField):
    def parse(self, text: str) -> int:
        match = _MINUTES.fullmatch(spell_digits(text))
        if match is None:
            raise forms.ValidationError(
                _("Enter minutes, such as 20, or minutes and seconds, such as 1:30.")
            )
        return int(match["minutes"]) * 60 + int(match["seconds"] or 0)

    def format(self, value: int) -> str:
        minutes, seconds = divmod(value, 60)
        return f"{minutes}:{seconds:02}" if seconds else str(minutes)


class InCurrency(forms.BaseForm):
    """A form whose amounts are in the currency of its own field or of its object."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for field in self.fields.values():
            if isinstance(field, AmountField):
                field.currency = self.amounts_in

    @property
    def amounts_in(self) -> Currency:
        field = self.fields.get("currency")
        if field is None:
            return Currency(getattr(getattr(self, "instance", None), "currency", Currency.INR))
        name = self.add_prefix("currency")
        asked = (
            self.data.get(name) if self.is_bound else self.get_initial_for_field(field, "currency")
        )
        # The currency's own field refuses an unknown currency.
        return Currency(asked) if asked in set(Currency) else Currency.CHIPS
