"""Forms of registration, of the settings, and of the user's page in the administration."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AdminUserCreationForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.faces import FACES
from accounts.models import NAME_IS_TAKEN, AbsenceNotice, Scope, User, is_name_taken
from accounts.names import (
    NAME_LENGTHS,
    PlayerNameValidator,
    refuse_reserved_name,
    tidy_player_name,
)
from accounts.refusals import TermsHaveChanged
from core.models import PageKind
from core.site.content import Site, site


class _Always(forms.HiddenInput):
    """A hidden input that is always rendered with the current value, whatever value was submitted."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def format_value(self, value: Any) -> str:
        return str(self._number)


class SignupForm(forms.Form):
    """The questions of sign-up besides e-mail and password. The adapter stores the answers."""

    field_order = ["player_name", "email", "password1", "adult", "terms"]

    player_name = forms.CharField(
        label=_("Player name"),
        min_length=NAME_LENGTHS.start,
        max_length=NAME_LENGTHS.stop - 1,
        help_text=_("Your name at the table: 3 to 20 characters."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    adult = forms.BooleanField()
    # Shown where terms are published: the player accepts them, in the version that was shown.
    terms = forms.BooleanField(
        error_messages={"required": _("To register, you need to accept the terms.")}
    )
    terms_version = forms.IntegerField()
    # The guest whose row becomes the account: their current name counts as free.
    guest_id = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._site = its = site()
        facts = {"site": its.name, "age": its.least_age}
        adult = self.fields["adult"]
        adult.label = _("I am %(age)s years old or older.") % facts
        adult.error_messages["required"] = (
            _("%(site)s is for people aged %(age)s and over.") % facts
        )
        number = its.pages.get(PageKind.TERMS, 0)
        if number:
            self.fields["terms"].label = _terms_label(its)
            self.fields["terms_version"].widget = _Always(number)
        else:
            del self.fields["terms"], self.fields["terms_version"]

    def clean(self) -> dict[str, Any] | None:
        values = super().clean() or self.cleaned_data
        shown = values.get("terms_version", 0)
        if "terms" in self.fields and shown != self._site.pages.get(PageKind.TERMS):
            self.add_error("terms", str(TermsHaveChanged()))
        return values

    def _clean_name(self) -> str:
        name = tidy_player_name(self.cleaned_data["player_name"])
        PlayerNameValidator()(name)
        refuse_reserved_name(name, site_name=self._site.name)
        return name

    def clean_player_name(self) -> str:
        name = self._clean_name()
        if is_name_taken(name, but=self.guest_id):
            raise forms.ValidationError(NAME_IS_TAKEN, code="player_name_taken")
        return name

    def signup(self, request: HttpRequest, user: User) -> None:
        """Do nothing. allauth calls this after saving, when the adapter has already stored everything."""


class GuestForm(SignupForm):
    """Asks a guest for a name before a seat at a friend's table: the sign-up form without e-mail and password.

    A name that is taken gets a number (accounts/people/guests.py).
    """

    refusal = ""  # why the table refused the last attempt
    # Equal in two submissions of one form, so that they create one guest.
    press = forms.RegexField(r"^[0-9a-f]{32}$", widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The dialog asks for the name below a text with a link, which would otherwise get the focus.
        self.fields["player_name"].widget.attrs["autofocus"] = True

    def clean_player_name(self) -> str:
        return self._clean_name()


def _terms_label(its: Site) -> SafeString:
    """Return the label of the box, with links to the pages that the player accepts."""
    links = {
        kind: format_html(
            '<a href="{}" target="_blank">{}</a>', reverse("site_page", args=[kind]), title
        )
        for kind, title in its.links
    }
    terms, privacy = links[PageKind.TERMS], links.get(PageKind.PRIVACY)
    if privacy is None:
        return format_html(gettext("I accept: {}."), terms)
    return format_html(gettext("I accept: {} and {}."), terms, privacy)


class UserAddForm(AdminUserCreationForm):  # type: ignore[type-arg] # not generic at run time
    class Meta:
        model = User
        fields = ("email", "player_name")
        field_classes: dict[str, Any] = {}


class FaceForm(forms.Form):
    face = forms.ChoiceField(label=_("Face"), choices=FACES.items)


class AbsenceNoticeForm(forms.Form):
    absence_notice = forms.ChoiceField(
        label=_("When I am away from my table or tournament"), choices=AbsenceNotice.choices
    )


class PreferenceForm(forms.Form):
    """The base of forms for preferences. Their fields have the names in accounts/people/preferences.py.

    All these forms send their choices to one address.
    """

    def __init__(self, *, initial: dict[str, str]) -> None:
        super().__init__(auto_id="set-%s", initial=initial)
        for name, field in self.fields.items():
            field.widget.attrs["data-preference"] = name


_ON_OFF = [("on", _("On")), ("off", _("Off"))]


class LookForm(PreferenceForm):
    """Settings for looks, sounds and help at the table."""

    theme = forms.ChoiceField(
        label=_("Colours"),
        choices=[("auto", _("Same as device")), ("light", _("Light")), ("dark", _("Dark"))],
    )
    suits = forms.ChoiceField(
        label=_("Suits"),
        choices=[
            ("two", _("Red and black")),
            ("four", _("Four colours")),
            ("clear", _("Clear for colour-blind eyes")),
        ],
    )
    motion = forms.ChoiceField(
        label=_("Animations"),
        choices=[
            ("auto", _("Same as device")),
            ("slow", _("Slow")),
            ("fast", _("Fast")),
            ("off", _("Off")),
        ],
    )
    sound = forms.ChoiceField(label=_("Sounds"), choices=_ON_OFF)
    volume = forms.ChoiceField(
        label=_("Volume"),
        choices=[
            ("low", pgettext_lazy("volume", "Low")),
            ("middle", pgettext_lazy("volume", "Medium")),
            ("high", pgettext_lazy("volume", "High")),
        ],
    )
    vibration = forms.ChoiceField(label=_("Vibration"), choices=_ON_OFF)
    talk = forms.ChoiceField(
        label=_("Chat"),
        choices=[
            ("all", _("Show everything")),
            ("words", _("Without emotes")),
            ("none", _("Show nothing")),
        ],
    )
    hand = forms.ChoiceField(
        label=_("Left-handed"), choices=[("left", _("On")), ("right", _("Off"))]
    )
    confirm = forms.ChoiceField(label=_("Ask before I drop or finish"), choices=_ON_OFF)
    announce = forms.ChoiceField(
        label=_("Announce everybody's moves"), choices=[("all", _("On")), ("mine", _("Off"))]
    )
    keys = forms.ChoiceField(label=_("Single-letter keys"), choices=_ON_OFF)


class QuietForm(PreferenceForm):
    quiet = forms.ChoiceField(
        label=_("Achievements, goals and news"),
        choices=[("off", _("Shown")), ("on", _("Hidden"))],
    )


class TokenForm(forms.Form):
    """The form for a new API token: its purpose and its scopes."""

    name = forms.CharField(label=_("What is it for?"), max_length=60)
    scopes = forms.MultipleChoiceField(
        label=_("It may"), choices=Scope.choices, widget=forms.CheckboxSelectMultiple
    )


def set_absence_notice(*, user_id: int, notice: str) -> None:
    """Store how the player is notified while away from a table. `notice` is a value of `AbsenceNotice`."""
    User.objects.filter(pk=user_id).update(absence_notice=notice)


def set_face(*, user_id: int, face: str) -> None:
    """Store a player's face. `face` is a code of `FACES`."""
    User.objects.filter(pk=user_id).update(face=face)
