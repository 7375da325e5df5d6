from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from wallet.models import LimitPeriod
from wallet.money import AmountError, Currency, parse_amount

_SENTENCES = {
    "not_an_amount": _("Write an amount in digits, such as 250 or 99.50."),
    "too_many_decimals": _("An amount has two digits after the point at most."),
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
            raise forms.ValidationError(_SENTENCES[error.code], code=error.code) from error


class DepositForm(forms.Form):
    amount = CashField(label=_("Amount in rupees"), max_length=30)


class LimitForm(forms.Form):
    period = forms.ChoiceField(label=_("Limit"), choices=LimitPeriod.choices)
    amount = CashField(
        label=_("Amount in rupees"),
        max_length=30,
        required=False,
        help_text=_("Empty: no limit. A higher limit, or none, counts after 72 hours."),
    )


class ExclusionForm(forms.Form):
    """`days` 0: for good."""

    days = forms.TypedChoiceField(
        label=_("For how long"),
        coerce=int,
        choices=[
            (1, _("24 hours")),
            (7, _("7 days")),
            (30, _("30 days")),
            (180, _("6 months")),
            (0, _("for good")),
        ],
    )
    sure = forms.BooleanField(label=_("I know that there is no way back before the end."))
