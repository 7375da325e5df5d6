from typing import Any

from allauth.mfa.webauthn import forms
from django.utils.translation import gettext_lazy as _


class AddPasskeyForm(forms.AddWebAuthnForm):  # type: ignore[misc] # allauth has no types
    """allauth's, whose field for the name says so in English alone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name")
