"""The sign-up form as players see it: three fields and a box to tick.

A module of its own, because allauth's forms import `accounts/people/forms.py` for what ours asks.
"""

from typing import Any

from allauth.account.forms import SignupForm as AllauthSignupForm
from django.utils.translation import gettext_lazy as _


class PlayerSignupForm(AllauthSignupForm):  # type: ignore[misc] # allauth has no types
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = _(
            "8 characters or more; no common password, and not your name or digits alone."
        )
