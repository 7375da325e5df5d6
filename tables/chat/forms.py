from django import forms

from tables.models import ReportReason
from tables.seating.forms import WHOLE_NUMBER


class PlayerForm(forms.Form):
    """Another player of the table; with `listen` the one who was ignored is heard again."""

    player = forms.RegexField(rf"^{WHOLE_NUMBER}$")
    listen = forms.CharField(max_length=3, required=False)


class ReportForm(forms.Form):
    player = forms.RegexField(rf"^{WHOLE_NUMBER}$")
    reason = forms.ChoiceField(choices=ReportReason.choices)
    words = forms.CharField(max_length=500, required=False)
