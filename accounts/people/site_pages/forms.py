from django import forms
from django.utils.translation import gettext_lazy as _


class AcceptForm(forms.Form):
    """The version that was shown, and that it was accepted."""

    number = forms.IntegerField(widget=forms.HiddenInput)
    accepted = forms.BooleanField(
        error_messages={"required": _("Accept the terms to go on, or sign out.")}
    )
