from collections.abc import Callable
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.identity.rules import (
    GREATEST_AGE,
    IdentityClaim,
    age_on,
    tidy_document_number,
    tidy_full_name,
)
from accounts.models import IdentityCheck
from accounts.refusals import TooYoung
from core.images import LARGEST_BYTES, NotADocument, read_image
from core.site.content import site

_SENTENCES = {
    "too_large": _("This image is larger than 5 MB; send a smaller one."),
    "not_an_image": _("Send an image in JPEG or PNG format, such as a photo."),
    "damaged": _("This image cannot be read; take the photo again."),
    "wrong_size": _(
        "An image must have 200 to 12,000 pixels on each side, and at most 50 million in all."
    ),
}


class DocumentImageField(forms.FileField):
    """A field for an uploaded image. Its cleaned value is the image's bytes, or b"" if none was sent."""

    widget = forms.ClearableFileInput(attrs={"accept": "image/jpeg,image/png"})

    def clean(self, data: Any, initial: Any = None) -> bytes:
        file = super().clean(data, initial)
        if not file:
            return b""
        if file.size > LARGEST_BYTES:
            raise forms.ValidationError(_SENTENCES["too_large"], code="too_large")
        content: bytes = file.read()
        try:
            read_image(content)
        except NotADocument as error:
            raise forms.ValidationError(_SENTENCES[error.code], code=error.code) from error
        return content


class IdentityForm(forms.Form):
    full_name = forms.CharField(
        label=_("Full name, as on the document"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    born_on = forms.DateField(
        label=_("Date of birth"),
        widget=forms.DateInput(attrs={"type": "date", "autocomplete": "bday"}, format="%Y-%m-%d"),
    )
    document_kind = forms.ChoiceField(
        label=_("Document"), choices=IdentityCheck.DocumentKind.choices
    )
    document_number = forms.CharField(
        label=_("Document number"),
        max_length=30,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    front = DocumentImageField(
        label=_("Photo of the front"), help_text=_("JPEG or PNG, up to 5 MB.")
    )
    back = DocumentImageField(
        label=_("Photo of the back"),
        required=False,
        help_text=_("Only if something is written on the back."),
    )

    def clean_full_name(self) -> str:
        return _tidy(
            lambda: tidy_full_name(self.cleaned_data["full_name"]),
            _("Enter your name in letters, as on the document."),
        )

    def clean_born_on(self) -> Any:
        born_on = self.cleaned_data["born_on"]
        age = age_on(timezone.localdate(), born_on=born_on)
        if not 0 <= age <= GREATEST_AGE:
            raise forms.ValidationError(_("Enter the date on which you were born."))
        least_age = site().least_age
        if age < least_age:
            raise forms.ValidationError(str(TooYoung(least_age)), code=TooYoung.code)
        return born_on

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if "document_kind" in values and "document_number" in values:
            kind, number = values["document_kind"], values["document_number"]
            try:
                values["document_number"] = tidy_document_number(kind, number)
            except ValueError:
                self.add_error(
                    "document_number", _("This is not a valid number for this kind of document.")
                )
        return values

    def claim(self) -> IdentityClaim:
        values = self.cleaned_data
        return IdentityClaim(
            values["full_name"],
            values["born_on"],
            values["document_kind"],
            values["document_number"],
        )


def _tidy(tidy: Callable[[], str], sentence: Any) -> str:
    try:
        return tidy()
    except ValueError as error:
        raise forms.ValidationError(sentence) from error
