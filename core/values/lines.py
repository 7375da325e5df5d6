"""Multi-line texts as browsers send them."""

from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextareaWidget


class _OneForALineEnd(forms.Textarea):  # noqa: TID251 - the one way to it
    """A text area whose line ends are one character each.

    Browsers send two characters (CR and LF), but count them as one against `maxlength`. With two, the site could
    refuse a text as too long that fits in the field.
    """

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        text = super().value_from_datadict(data, files, name)
        return text.replace("\r\n", "\n") if isinstance(text, str) else text


class Lines(_OneForALineEnd):
    """A multi-line field."""


class AdminLines(_OneForALineEnd, AdminTextareaWidget):
    """A multi-line field in the administration."""
