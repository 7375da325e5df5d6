"""Texts written by staff, shown in the reader's language.

The columns hold the site's default language; `words` holds the other languages, by language and column. A
missing translation falls back to the column.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.conf import settings
from django.contrib import admin
from django.db import models
from django.db.models import Value
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _

from core.values.isolation import isolate
from core.values.lines import Lines

# Language to column to text.
Words = Mapping[str, Mapping[str, str]]
LONG: Final = 100


def list_other_languages() -> list[tuple[str, Any]]:
    """Return the code and name of each of the site's languages except the default."""
    usual = settings.LANGUAGE_CODE.split("-")[0]
    return [(code, name) for code, name in settings.LANGUAGES if code != usual]


def choose_text(words: Any, column: str, usual: str, *, language: str | None = None) -> str:
    """Return the text of a column from `words` in a language, by default the reader's.

    If it is missing there, return `usual`.
    """
    code = (language or get_language() or "").split("-")[0]
    written = words.get(code) if isinstance(words, Mapping) else None
    return (written.get(column) if isinstance(written, Mapping) else None) or usual


def translate_everywhere(text: Promise) -> tuple[str, dict[str, str]]:
    """Return a translatable text in the site's default language, and a mapping from language to translation."""
    with override(settings.LANGUAGE_CODE):
        usual = str(text)
    others = {}
    for code, _name in list_other_languages():
        with override(code):
            others[code] = str(text)
    return usual, others


class WordsWidget(forms.MultiWidget):
    """An input line for each (language, column) of `parts`. The lines are folded if nothing is written in them."""

    def __init__(self, parts: Sequence[tuple[str, str]], widgets: Sequence[forms.Widget]) -> None:
        self.parts = parts
        super().__init__(widgets)

    def decompress(self, value: Any) -> list[str]:
        return [choose_text(value, column, "", language=code) for code, column in self.parts]

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        lines = super().render(name, value, attrs, renderer)
        texts = value if isinstance(value, list) else self.decompress(value)
        codes = {code for (code, _column), text in zip(self.parts, texts, strict=False) if text}
        written = [str(title) for code, title in list_other_languages() if code in codes]
        number = len({code for code, _column in self.parts})
        return format_html(
            '<details class="words"{}><summary>{}</summary>{}</details>',
            mark_safe(" open") if written else "",
            ": ".join(filter(None, [f"{len(written)} / {number}", ", ".join(written)])),
            lines,
        )


class WordsFormField(forms.MultiValueField):
    """A form field for translations. `columns` maps each column to its label and maximum length."""

    def __init__(self, columns: Mapping[str, tuple[Any, int]], **kwargs: Any) -> None:
        self.parts = [
            (code, column) for code, _name in list_other_languages() for column in columns
        ]
        fields, widgets = [], []
        for _code, name in list_other_languages():
            for label, longest in columns.values():
                said = f"{name}: {label}"
                attrs = {"placeholder": said, "aria-label": said, "class": "vTextField"}
                kind = forms.TextInput if longest <= LONG else Lines
                widget = kind(attrs=attrs if longest <= LONG else {**attrs, "rows": 3})
                fields.append(forms.CharField(max_length=longest, required=False))
                widgets.append(widget)
        kwargs |= {"required": False, "require_all_fields": False}
        kwargs.pop("encoder", None)
        kwargs.pop("decoder", None)
        super().__init__(fields, widget=WordsWidget(self.parts, widgets), **kwargs)

    def compress(self, data_list: Sequence[str]) -> dict[str, dict[str, str]]:
        words: dict[str, dict[str, str]] = {}
        for (code, column), text in zip(self.parts, data_list, strict=False):
            if text:
                words.setdefault(code, {})[column] = text
        return words

    def has_changed(self, initial: Any, data: Any) -> bool:
        return self.compress([one or "" for one in data or []]) != (initial or {})


class WordsField(models.JSONField):
    """The translations of a row of an `InLanguages` model."""

    def formfield(self, **_kwargs: Any) -> WordsFormField:
        model: Any = self.model
        columns: dict[str, tuple[Any, int]] = {}
        for name in model.worded:
            column = model._meta.get_field(name)  # noqa: SLF001 - Django's way to a column
            columns[name] = (column.verbose_name, column.max_length)
        return WordsFormField(columns, label=capfirst(self.verbose_name), help_text=self.help_text)


class InLanguages(models.Model):
    """A model with texts in several languages. `worded` names the columns that are translated."""

    worded: ClassVar[tuple[str, ...]] = ("name",)

    words = WordsField(
        _("in other languages"),
        default=dict,
        db_default=Value({}, models.JSONField()),
        blank=True,
        help_text=_("Where a field is empty, players see the text above."),
    )

    class Meta:
        abstract = True

    def said(self, column: str, language: str | None = None) -> str:
        """Return a column's text in a language, by default the reader's."""
        return isolate(choose_text(self.words, column, getattr(self, column), language=language))

    @property
    @admin.display(description=_("in other languages"))
    def words_told(self) -> str:
        """Return all translations as text, a line for each language and column."""
        names = dict(list_other_languages())
        columns: dict[str, Any] = {name: self._meta.get_field(name) for name in self.worded}
        return "\n".join(
            f"{names[code]}, {columns[name].verbose_name}: {said}"
            for code in names
            for name in columns
            if (said := choose_text(self.words, name, "", language=code))
        )

    @property
    def shown_name(self) -> str:
        return self.said("name")

    @property
    def shown_description(self) -> str:
        return self.said("description")
