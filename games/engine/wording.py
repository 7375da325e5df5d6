"""Marks English for translation without translating it: games know no language of a reader.

`makemessages` finds the texts by the names of these functions, as Django's own `gettext_noop`.
"""

from games.engine.base import JSON, Text


def gettext_noop(message: str) -> str:
    return message


def pgettext(context: str, message: str) -> Text:
    """A text whose translation depends on where it stands, for instance on a button."""
    return Text(message, context=context)


def text(message: str, **values: JSON) -> Text:
    """A text that has been marked, with what is filled in by name: `%(score)s`."""
    return Text(message, values)
