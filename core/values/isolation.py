"""Isolates people's right-to-left texts from the text around them.

Otherwise a right-to-left name would pull the numbers beside it to its other side. All our sentences run from left
to right, so only such texts need marks: U+2068 before and U+2069 after (UAX 9). `Isolated` puts them around the
text only where it is inserted into a sentence or a page. Compared, stored and sent as JSON it is the plain text.
"""

import re
from typing import TYPE_CHECKING, Any, Final

from django.db import models
from django.utils.html import escape
from django.utils.safestring import SafeString

_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


_MARKS: Final = re.compile("[\u2068\u2069]")


class ShownText(str):
    """A string that `str()`, `%s`, f-strings and templates show differently from how it is stored and sent."""

    __slots__ = ()

    @property
    def plain(self) -> str:
        return str.__str__(self)

    def show(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return self.show()

    def __format__(self, spec: str) -> str:
        return format(self.show(), spec)

    def __html__(self) -> SafeString:
        return escape(self.show())


class Isolated(ShownText):
    """A right-to-left text, shown between isolating marks."""

    __slots__ = ()

    def show(self) -> str:
        return f"\u2068{self.plain}\u2069"


def isolate(text: str) -> str:
    """Return the text in a form that can be inserted into a sentence."""
    return Isolated(text) if _RIGHT_TO_LEFT.search(text) else text


def unwrap(text: str) -> str:
    """Return a name without isolating marks, as a form's field shows it."""
    return text.plain if isinstance(text, ShownText) else text


def take_marks_off(text: str) -> str:
    """Return the text as it is stored: for files, images, and names that somebody has copied from a page."""
    return _MARKS.sub("", unwrap(text))


if TYPE_CHECKING:
    Characters = models.CharField[str, str]
else:
    Characters = models.CharField


class NameField(Characters):
    """A name that people choose. It is loaded as a string that is isolated wherever it is shown."""

    def from_db_value(self, value: str | None, *_others: Any) -> str | None:
        return value if value is None else self.show(value)

    def show(self, value: str) -> str:
        """Return the name in a form that can be inserted into a sentence."""
        return isolate(value)

    def value_from_object(self, obj: models.Model) -> Any:
        """Return the plain name for the field of a form."""
        return unwrap(super().value_from_object(obj))

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs
