"""Kinds of e-mail, each with its purpose, placeholders and default text."""

import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

Values = Mapping[str, str]
# The placeholders of every e-mail.
EVERYWHERE: Final[Mapping[str, str | Promise]] = {
    "name": _("the player's name"),
    "site": _("the site's name"),
}


class WrongPlaceholder(ValueError):  # noqa: N818 - expected: texts are typed by people
    """An unknown placeholder, or a brace outside of any placeholder. `str()` describes the error."""


@dataclass(frozen=True, slots=True, eq=False)
class MailKind:
    """A kind of e-mail.

    `usual(values)` returns subject and text in the active language with `values` inserted; passing "{amount}" as an
    amount therefore returns the text with its placeholders. A text must contain the placeholders in `needed`. With
    `has_secret_link`, `{link}` opens an account to anybody who has it.
    """

    code: str
    title: str | Promise
    usual: Callable[[Values], tuple[str, str]]
    placeholders: Mapping[str, str | Promise] = field(default_factory=dict)
    needed: frozenset[str] = frozenset()
    has_secret_link: bool = False

    @property
    def all_placeholders(self) -> dict[str, str | Promise]:
        return {**EVERYWHERE, **self.placeholders}

    def with_placeholders(self) -> tuple[str, str]:
        """Return subject and text with placeholders, for the operator to edit."""
        return self.usual({name: f"{{{name}}}" for name in self.all_placeholders})


# The kinds by code; `register_mail_kind` fills the mapping.
KINDS: Final[dict[str, MailKind]] = {}


def register_mail_kind(
    code: str,
    title: str | Promise,
    usual: Callable[[Values], tuple[str, str]],
    *,
    needed: frozenset[str] = frozenset(),
    has_secret_link: bool = False,
    **placeholders: str | Promise,
) -> MailKind:
    """Register a kind of e-mail, which the administration then offers for editing.

    `placeholders` maps each placeholder to its meaning.
    """
    assert code not in KINDS, code  # noqa: S101 - two modules of ours
    KINDS[code] = MailKind(code, title, usual, placeholders, needed, has_secret_link)
    return KINDS[code]


def link_stands_alone(text: str) -> bool:
    """Return whether `{link}` occurs once, on a line of its own.

    Within a line it could become part of another address, which would then receive the secret.
    """
    lines = [line.strip() for line in text.splitlines()]
    return lines.count("{link}") == 1 and text.count("{link}") == 1


def render_greeting(values: Values) -> str:
    """Return the line with which e-mails to players begin."""
    return gettext("Hello %(name)s,") % values


def find_placeholders(text: str) -> frozenset[str]:
    """Return the placeholders in a text. Raises WrongPlaceholder for any other braces."""
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError as error:
        raise WrongPlaceholder(str(error)) from error
    for _text, name, rule, conversion in parts:
        if name is not None and (not name.isidentifier() or rule or conversion):
            raise WrongPlaceholder(f"{{{name}}}")
    return frozenset(name for _text, name, _rule, _conversion in parts if name is not None)
