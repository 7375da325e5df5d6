from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from wallet.money import AmountError, Currency, parse_amount

SENTENCES = {
    "not_an_amount": _("Write an amount in digits, such as 250 or 99.50."),
    "too_many_decimals": _("An amount has two digits after the point at most."),
    "whole_chips": _("Chips are whole: write the amount without a point."),
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
            return parse_amount(text, Currency.INR)
        except AmountError as error:
            raise forms.ValidationError(SENTENCES[error.code], code=error.code) from error
