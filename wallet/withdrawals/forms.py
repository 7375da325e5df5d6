import re
import uuid
from dataclasses import asdict
from typing import Any

from django import forms
from django.core import signing
from django.utils.translation import gettext_lazy as _

from wallet.desk.cash_forms import CashField
from wallet.withdrawals.requesting import WithdrawalQuote, WithdrawalRequest

_SALT = "wallet.withdrawal"
_SHOWN_FOR = 3_600  # seconds
_UPI = re.compile(r"[A-Za-z0-9._-]{1,64}@[A-Za-z0-9.]{2,32}")


class WithdrawalForm(forms.Form):
    amount = CashField(label=_("Amount in rupees"), max_length=30)
    pay_to = forms.CharField(
        label=_("Your UPI address"),
        max_length=100,
        help_text=_("Where the money goes, such as name@bank."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "email"}),
    )

    def clean_pay_to(self) -> str:
        address: str = self.cleaned_data["pay_to"].strip()
        if not _UPI.fullmatch(address):
            raise forms.ValidationError(
                _("Write a UPI address such as name@bank."), code="no_upi_address"
            )
        return address


def withdrawal_token(user_id: int, values: dict[str, Any], quote: WithdrawalQuote) -> str:
    """Return a signed token of the withdrawal shown, to be confirmed on the next page."""
    wanted = WithdrawalRequest(
        reference=uuid.uuid4().hex,
        amount=values["amount"],
        net=quote.taxed.net,
        pay_to=values["pay_to"],
    )
    return signing.dumps({"user": user_id, **asdict(wanted)}, salt=_SALT, compress=True)


def read_withdrawal_token(user_id: int, token: str) -> WithdrawalRequest:
    """Raises signing.BadSignature, also for a token of somebody else or an old one."""
    values = signing.loads(token, salt=_SALT, max_age=_SHOWN_FOR)
    if values.pop("user") != user_id:
        raise signing.BadSignature("somebody else's")
    return WithdrawalRequest(**values)
