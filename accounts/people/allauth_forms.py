"""Forms of allauth with our own labels.

A module apart from `forms.py`, because allauth's forms import that one for the questions of sign-up.
"""

from typing import Any

from allauth.account.forms import SignupForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django.utils.translation import gettext_lazy as _


class PlayerSignupForm(SignupForm):  # type: ignore[misc] # allauth has no types
    """The sign-up form: three fields and a box to tick."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = _(
            "8 characters or more; no common password, and not your name or digits alone."
        )


class AddPasskeyForm(AddWebAuthnForm):  # type: ignore[misc] # allauth has no types
    """allauth's form for passkeys; its own label for the name is English only."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name")
