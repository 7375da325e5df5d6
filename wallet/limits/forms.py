from django import forms
from django.utils.translation import gettext_lazy as _

from wallet.desk.cash_forms import CashField
from wallet.models import LimitPeriod


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
