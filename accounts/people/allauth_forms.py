"""Forms of allauth with our own labels.

They cannot be in `forms.py`, because allauth's forms import that module for the questions of sign-up.
"""

from typing import Any

from allauth.account.forms import (
    ChangePasswordForm,
    ResetPasswordForm,
    SetPasswordForm,
    SignupForm,
)
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.people.first_proof import gets_password_links, is_only_claimed
from accounts.sessions.ending import count_programs, end_programs


class PlayerSignupForm(SignupForm):  # type: ignore[misc] # allauth has no types
    """The sign-up form: three fields and a box to tick."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = _(
            "8 characters or more; not a common password, not your name, and not only digits."
        )

    def validate_unique_email(self, value: str) -> str:
        """Return the address. Raises ValidationError if another account has it.

        Accounts that only claim the address without proof are ignored, so that the owner of the address can register.
        """
        if is_only_claimed(value):
            self.account_already_exists = False
            return value
        email: str = super().validate_unique_email(value)
        return email


class AddPasskeyForm(AddWebAuthnForm):  # type: ignore[misc] # allauth has no types
    """allauth's form for passkeys with a translated label, which allauth has only in English."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name")


class _EndsPrograms(forms.Form):
    """A mixin for forms that set a new password.

    Saving also revokes API tokens and third-party programs, unless the player unticks the box.
    """

    user: User

    end_programs = forms.BooleanField(required=False, initial=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if lines := count_programs(self.user.pk).describe():
            what = {"what": "; ".join(lines)}
            self.fields["end_programs"].label = (
                _("Also revoke access to your account (%(what)s)") % what
            )
            self.fields["end_programs"].help_text = _(
                "Leave it ticked if somebody else could have used your account. Programs that "
                "you want to keep need a new token or your consent again."
            )
        else:
            del self.fields["end_programs"]

    @transaction.atomic
    def save(self) -> None:
        super().save()  # type: ignore[misc] # of allauth's form
        if self.cleaned_data.get("end_programs"):
            end_programs(user_id=self.user.pk)


class NewPasswordForm(_EndsPrograms, ChangePasswordForm):  # type: ignore[misc] # allauth has no types
    """Replaces the password, and asks for the old one."""


class FirstPasswordForm(_EndsPrograms, SetPasswordForm):  # type: ignore[misc] # allauth has no types
    """Sets the first password of a player who signs in by phone or with another site."""


class ForgottenPasswordForm(ResetPasswordForm):  # type: ignore[misc] # allauth has no types
    """Sends the link for a new password only to a proved address of the account, if it has one."""

    users: list[User]

    def clean_email(self) -> str:
        email: str = super().clean_email()
        self.users = [user for user in self.users if gets_password_links(user, email)]
        return email
