from django import forms
from django.utils.translation import gettext_lazy as _

from wallet.desk.cash_forms import CashField


class DepositForm(forms.Form):
    amount = CashField(label=_("Amount in rupees"), max_length=30)
