"""Texts of several lines as browsers send them."""

from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextareaWidget


class _OneForALineEnd(forms.Textarea):  # noqa: TID251 - the one way to it
    """A line end is one character, as the browser counts it against `maxlength`, although it sends two (CR and LF).

    With two, a text that fits in the field would be refused as too long.
    """

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        text = super().value_from_datadict(data, files, name)
        return text.replace("\r\n", "\n") if isinstance(text, str) else text


class Lines(_OneForALineEnd):
    """A field of several lines."""


class AdminLines(_OneForALineEnd, AdminTextareaWidget):
    """A field of several lines in the administration."""
