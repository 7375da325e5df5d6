"""The form in which a player lets a third-party program act for them or learn their identity."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.api_tokens.oauth_identity import IDENTITY
from accounts.models import IdentityScope, Scope, User


class ConsentForm(forms.Form):
    """The consent form. The player may untick every scope but `openid`, which sign-in requires."""

    request = forms.CharField(widget=forms.HiddenInput)
    scopes = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(
        self, *args: Any, user: User, requested_scopes: Sequence[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._always = [IdentityScope.OPENID.value] if "openid" in requested_scopes else []
        labels = _list_labels(user)
        scopes = self.fields["scopes"]
        assert isinstance(scopes, forms.MultipleChoiceField)  # noqa: S101 - so that mypy knows
        scopes.choices = [
            (scope, labels[scope])
            for scope in labels
            if scope in requested_scopes and scope not in self._always
        ]
        scopes.initial = list(requested_scopes)
        scopes.required = not self._always

    @property
    def signs_in(self) -> bool:
        return bool(self._always)

    @property
    def learns(self) -> list[Any]:
        return [box for box in self["scopes"] if box.data["value"] in IDENTITY]

    @property
    def acts(self) -> list[Any]:
        return [box for box in self["scopes"] if box.data["value"] not in IDENTITY]

    def clean_scopes(self) -> list[str]:
        return [*self._always, *self.cleaned_data["scopes"]]


def _list_labels(user: User) -> dict[str, Any]:
    """Return a label for each scope, worded for this player. Leave out the e-mail address if the player has none."""
    profile = _("Your player name ({name}), your face and the address of your player page")
    email = _("Your e-mail address ({email})")
    return {
        IdentityScope.OPENID.value: "",
        IdentityScope.PROFILE.value: format_lazy(profile, name=user.player_name),
        **(
            {IdentityScope.EMAIL.value: format_lazy(email, email=user.own_email)}
            if user.own_email
            else {}
        ),
        **dict(Scope.choices),
    }
