from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from wallet.deposits.selectors import QUICK_AMOUNTS
from wallet.desk.cash_forms import CashField


class DepositForm(forms.Form):
    """An amount as written, or the paise of the button that was pressed."""

    amount = CashField(label=_("Amount in rupees"), max_length=30, required=False)
    quick = forms.TypedChoiceField(
        choices=[(paise, paise) for paise in QUICK_AMOUNTS],
        coerce=int,
        empty_value=None,
        required=False,
        widget=forms.HiddenInput,
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("quick") is not None:
            cleaned["amount"] = cleaned["quick"]
        elif not self.errors and cleaned.get("amount") is None:
            self.add_error("amount", forms.Field.default_error_messages["required"])
        return cleaned
