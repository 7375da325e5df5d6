from typing import Any

from django import forms
from django.contrib.auth.forms import AdminUserCreationForm
from django.db.models import Value
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import NAME_IS_TAKEN, AbsenceNotice, Scope, User
from accounts.names import (
    NAME_LENGTHS,
    PlayerNameValidator,
    latin_twin,
    refuse_reserved_name,
    tidy_player_name,
)


class SignupForm(forms.Form):
    """What sign-up asks beyond e-mail and password; the adapter stores it."""

    field_order = ["player_name", "email", "password1", "adult"]

    player_name = forms.CharField(
        label=_("Player name"),
        min_length=NAME_LENGTHS.start,
        max_length=NAME_LENGTHS.stop - 1,
        help_text=_("What others see at the table: 3 to 20 characters."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    adult = forms.BooleanField(
        label=_("I am 18 years old or older."),
        error_messages={"required": _("OpenRummy is for people of 18 years and older.")},
    )

    def clean_player_name(self) -> str:
        name = tidy_player_name(self.cleaned_data["player_name"])
        PlayerNameValidator()(name)
        refuse_reserved_name(name)
        users = User.objects.alias(lower=Lower("player_name"))
        alike = [Lower(Value(name)), Lower(Value(latin_twin(name)))]
        if users.filter(lower__in=alike).exists():
            raise forms.ValidationError(NAME_IS_TAKEN, code="player_name_taken")
        return name

    def signup(self, request: HttpRequest, user: User) -> None:
        """allauth calls this after saving; the adapter has already stored everything."""


class UserAddForm(AdminUserCreationForm):  # type: ignore[type-arg] # not generic at run time
    class Meta:
        model = User
        fields = ("email", "player_name")
        field_classes: dict[str, Any] = {}


class AbsenceNoticeForm(forms.Form):
    absence_notice = forms.ChoiceField(
        label=_("When I sit at a table and no page is open"), choices=AbsenceNotice.choices
    )


class TokenForm(forms.Form):
    """A token for a program: what for, and what it may do."""

    name = forms.CharField(label=_("What is it for?"), max_length=60)
    scopes = forms.MultipleChoiceField(
        label=_("It may"), choices=Scope.choices, widget=forms.CheckboxSelectMultiple
    )
