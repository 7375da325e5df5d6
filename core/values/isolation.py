"""Texts of people that are written from right to left, kept apart from what surrounds them.

A name from right to left would draw the numbers beside it on its other side. Every sentence of ours runs from
left to right, so only such texts need marks: U+2068 before and U+2069 after (UAX 9). `Isolated` puts them
around the text wherever it is filled into a sentence or a page, and nowhere else: compared, stored and sent as
JSON it is the plain text.
"""

import re
from typing import TYPE_CHECKING, Any, Final

from django.db import models
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


class Isolated(str):
    """A text from right to left. `str()`, `%s`, f-strings and templates show it between marks."""

    __slots__ = ()

    @property
    def plain(self) -> str:
        return str.__str__(self)

    def __str__(self) -> str:
        return f"\u2068{self.plain}\u2069"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __html__(self) -> SafeString:
        return mark_safe(f"\u2068{escape(self.plain)}\u2069")  # noqa: S308 - escaped


def isolate(text: str) -> str:
    """Return the text as it may be filled into a sentence."""
    return Isolated(text) if _RIGHT_TO_LEFT.search(text) else text


def unwrap(text: str) -> str:
    """Return the text as a field of a form shows it."""
    return text.plain if isinstance(text, Isolated) else text


if TYPE_CHECKING:
    Characters = models.CharField[str, str]
else:
    Characters = models.CharField


class NameField(Characters):
    """A name that people choose; from right to left it is read as `Isolated`."""

    def from_db_value(self, value: str | None, *_others: Any) -> str | None:
        return value if value is None else isolate(value)

    def value_from_object(self, obj: models.Model) -> Any:
        """Return what a form shows in its field."""
        return unwrap(super().value_from_object(obj))

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs
