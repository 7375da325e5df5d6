"""Forms of allauth with our own labels.

They are apart from `forms.py` because allauth's forms import that module for the sign-up questions.
"""

from typing import Any

from allauth.account.forms import SignupForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django.utils.translation import gettext_lazy as _


class PlayerSignupForm(SignupForm):  # type: ignore[misc] # allauth has no types
    """The sign-up form as players see it: three fields and a box to tick."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = _(
            "8 characters or more; no common password, and not your name or digits alone."
        )


class AddPasskeyForm(AddWebAuthnForm):  # type: ignore[misc] # allauth has no types
    """allauth's form, whose field for the name has an English label only."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name")
